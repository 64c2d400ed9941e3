import { defineConfig } from 'vitest/config';

/** The tests that speak of verdicts alone: quick enough to be run for each mutant. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  // None of them keeps anything in a module, so the modules are loaded once for all: a third of the time.
  test: {
    isolate: false,
    include: ['src/clauses/**/*.test.ts', 'src/oracle/**/*.test.ts', 'src/judge*.test.ts'],
  },
});

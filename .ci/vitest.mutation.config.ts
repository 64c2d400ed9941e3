import { defineConfig } from 'vitest/config';

/** The tests that speak of verdicts alone: quick enough to be run for each mutant. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  // None of them keeps anything in a module, so the modules are loaded once for all: a third of the time.
  test: {
    isolate: false,
    // Recorded traces reach nearly every line: each mutant would cost them all, and those written by hand say more.
    exclude: ['src/clauses/recorded.test.ts'],
    include: [
      'src/clauses/**/*.test.ts',
      'src/oracle/**/*.test.ts',
      'src/judge*.test.ts',
      'src/run-verdict.test.ts',
    ],
  },
});

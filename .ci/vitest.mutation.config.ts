import { defineConfig } from 'vitest/config';

/** The tests that speak of verdicts alone: quick enough to be run for each mutant. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: { include: ['src/clauses/**/*.test.ts', 'src/oracle/**/*.test.ts', 'src/judge*.test.ts'] },
});

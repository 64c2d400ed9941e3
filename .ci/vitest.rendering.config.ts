import { defineConfig } from 'vitest/config';

/** The tests that speak of values and of reports alone, and need no browser. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    isolate: false,
    // The corpora, and what is drawn by the hundred, reach every line: each mutant would cost them all, and those written by hand say more.
    exclude: [
      'src/generate/corpus*.test.ts',
      'src/generate/official.test.ts',
      'src/generate/random-mutations.test.ts',
      'src/report/html/browser.test.ts',
    ],
    include: ['src/generate/**/*.test.ts', 'src/report/**/*.test.ts'],
  },
});

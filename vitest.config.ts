import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Folders whose tests are values in and values out. Loading their modules again for each file took half of the time. */
const pure = [
  'clauses',
  'contract',
  'document',
  'engine',
  'evidence',
  'generate',
  'model',
  'oracle',
  'reference',
  'report',
  'suite-kit',
];

export default defineConfig({
  test: {
    globalSetup: ['.ci/temporary-folder.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Those that take long wait for services most of the time.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: [`src/{${pure.join(',')}}/**/*.test.ts`, 'suites/**/*.test.ts'],
          isolate: false,
          setupFiles: ['.ci/clean-process.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          // Not by `exclude`, which would replace what the command line excludes.
          include: [
            'src/*.test.ts',
            `src/!(${pure.join('|')})/**/*.test.ts`,
            '{fixtures,interop}/**/*.test.ts',
          ],
        },
      },
    ],
  },
});

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'suites/**/*.test.ts', 'fixtures/**/*.test.ts', 'interop/**/*.test.ts'],
    globalSetup: ['.ci/temporary-folder.ts'],
    setupFiles: ['.ci/clean-process.ts'],
    // Loading the modules again for each file took more than half of the processor time of the tests.
    isolate: false,
    testTimeout: 120_000,
    // Those that take long wait for services most of the time.
    maxWorkers: Math.max(4, availableParallelism()),
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'suites/**/*.test.ts', 'fixtures/**/*.test.ts'],
    globalSetup: ['vitest.temporary.ts'],
    testTimeout: 60_000,
  },
});

import { afterAll, vi } from 'vitest';

const before = { ...process.env };

/** Test files share a process: none leaves a spy or an environment variable to the next. */
afterAll(() => {
  vi.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

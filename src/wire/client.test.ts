import { createRequire } from 'node:module';
import { Client } from 'undici';
import { expect, test } from 'vitest';
import { UndiciClient } from './client.ts';

test("the client is undici's own, found without its index", () => {
  const require = createRequire(import.meta.url);
  const alone: unknown = require('undici/lib/dispatcher/client.js');
  expect(UndiciClient).toBe(alone);
  expect(UndiciClient).toBe(Client);
});

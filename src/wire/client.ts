import { createRequire } from 'node:module';
import type { Client } from 'undici';

const require = createRequire(import.meta.url);

/** The index of undici loads fetch, caches and mocks as well, and takes three times as long: it is the last resort. */
export const UndiciClient: typeof Client = clientAlone() ?? require('undici').Client;

function clientAlone(): typeof Client | undefined {
  try {
    const loaded: unknown = require('undici/lib/dispatcher/client.js');
    return isClient(loaded) ? loaded : undefined;
  } catch {
    return undefined;
  }
}

function isClient(value: unknown): value is typeof Client {
  return typeof value === 'function' && value.name === 'Client';
}

import { expect, test } from 'vitest';
import { printedToken } from '../config/tokens.ts';
import { keepFresh } from './fresh-tokens.ts';

test.each<[string, { readonly token: string; readonly seconds?: number }]>([
  ['a-plain-token\n', { token: 'a-plain-token' }],
  ['{"token":"a-plain-token","expiresIn":300}', { token: 'a-plain-token', seconds: 300 }],
  [
    '{"access_token":"a-plain-token","expires_in":"60","token_type":"Bearer"}',
    { token: 'a-plain-token', seconds: 60 },
  ],
  ['{"token":"a-plain-token","expiresIn":-1}', { token: 'a-plain-token' }],
  ['{"error":"invalid_client"}', { token: '' }],
])('a command that prints %j', (printed, expected) => {
  expect(printedToken(printed)).toEqual(expected);
});

test('a token is replaced before it expires, and an old one stays where there is no new one', async () => {
  const waits: number[] = [];
  const taken: string[] = [];
  const over = new AbortController();
  const given = [{ token: 'second', seconds: 100 }, undefined, { token: 'third', seconds: undefined }];
  await new Promise<void>((done) => {
    keepFresh(new Map([['full', 60]]), {
      clock: {
        sleep: (milliseconds) => {
          waits.push(milliseconds);
          return Promise.resolve();
        },
      },
      signal: over.signal,
      renew: () => Promise.resolve(given[waits.length - 1]),
      take: (name, token) => {
        taken.push(`${name} ${token}`);
        if (token === 'third') done();
      },
    });
  });
  expect(waits).toEqual([45_000, 75_000, 75_000]);
  expect(taken).toEqual(['full second', 'full third']);
});

test('nothing is renewed once the run is over', async () => {
  const over = new AbortController();
  const renewed: string[] = [];
  keepFresh(new Map([['full', 60]]), {
    clock: {
      sleep: () => {
        over.abort();
        return Promise.resolve();
      },
    },
    signal: over.signal,
    renew: (name) => {
      renewed.push(name);
      return Promise.resolve(undefined);
    },
    take: () => undefined,
  });
  await Promise.resolve();
  await Promise.resolve();
  expect(renewed).toEqual([]);
});

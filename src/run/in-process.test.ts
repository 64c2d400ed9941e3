import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import type { HeaderList } from '../model/exchange.ts';
import type { WireOutcome, WireRequest } from '../model/wire.ts';
import { startReference } from '../reference/server.ts';
import { principalsOf } from '../testing/trial.ts';
import { inProcess } from './in-process.ts';
import { type Means, usualMeans } from './means.ts';

const contract = await loadContract('fixtures/contracts/extended-catalogue.yaml');
const principals = principalsOf(contract);
const token = principals.find(({ name }) => name === 'full')?.token ?? '';

/** The outcomes of the requests, one after the other, on a service whose random bytes are always the same. */
async function outcomes(means: Means, requests: readonly WireRequest[]): Promise<readonly WireOutcome[]> {
  let next = 0;
  const reference = await startReference({
    contract,
    principals,
    clock: means.clock,
    randomBytes: (length) => {
      next += 1;
      return new Uint8Array(length).fill(next);
    },
  });
  const target = { origin: reference.url, timeoutMs: 5000, connections: 4, maxBodyBytes: 1024 };
  const wire = means.openWire(target, means.clock, reference);
  onTestFinished(async () => {
    await wire.close();
    await reference.close();
  });
  const all: WireOutcome[] = [];
  for (const request of requests) all.push(await wire.send(request));
  return all;
}

/** All but times, ports and the order of field lines. */
function said({ answer, noAnswer }: WireOutcome) {
  const headers = (given: HeaderList) =>
    given.map(([name, value]) => `${name}: ${name === 'Date' ? '' : value}`).sort();
  return {
    answer: answer && { ...answer, headers: headers(answer.headers) },
    noAnswer: noAnswer && { ...noAnswer, partial: noAnswer.partial?.status },
  };
}

const usual: WireRequest = {
  method: 'POST',
  path: '/cases',
  headers: [
    ['Authorization', `Bearer ${token}`],
    ['Idempotency-Key', 'key-1'],
    ['Content-Type', 'application/json'],
  ],
  body: Buffer.from('{"subject":"A case"}'),
  transport: 'pooled',
};
const read: WireRequest = { ...usual, method: 'GET', headers: usual.headers.slice(0, 1), body: undefined };
const keyed = (key: string, more: Partial<WireRequest> = {}): WireRequest => ({
  ...usual,
  headers: usual.headers.map(([name, value]) => [name, name === 'Idempotency-Key' ? key : value]),
  ...more,
});
const requests: Readonly<Record<string, WireRequest>> = {
  'a command': usual,
  'its duplicate': { ...usual, transport: 'fresh' },
  'a list': read,
  'a query': { ...read, path: '/cases?limit=1' },
  'a method that has none': { ...read, method: 'HEAD' },
  'a path that there is not': { ...read, path: '/nowhere' },
  'no credential': { ...read, headers: [] },
  'a repeated key': { ...usual, headers: [...usual.headers, ['Idempotency-Key', 'key-2']] },
  'a key between blanks': keyed('  key-1\t'),
  'a key in UTF-8': keyed('kéy-\u4e2d'),
  'a key with a line break': keyed('key-\r\n1'),
  'a key that is too long for a head': keyed('k'.repeat(20_000)),
  'a broken body': keyed('key-3', { body: Buffer.from('{"subject":') }),
  'a body that is too large': keyed('key-4', { body: Buffer.alloc(1024 * 1024 + 1, 32) }),
  'no body': keyed('key-5', { body: undefined }),
  'a second Host': { ...read, headers: [...read.headers, ['Host', 'a'], ['Host', 'b']] },
  'a wrong length': keyed('key-6', { headers: [...usual.headers, ['Content-Length', 'x']] }),
  'cut on the answer': keyed('key-8', { transport: 'cut-on-answer' }),
  'cut after it was sent': keyed('key-9', { transport: 'cut-after-send', leaves: 100 }),
  'and again': keyed('key-9'),
  'cut in the middle': keyed('key-7', { transport: 'cut-mid-body' }),
};

test('without a socket the service gives the same as over HTTP', async () => {
  const names = Object.keys(requests);
  const list = (all: readonly WireOutcome[]) =>
    Object.fromEntries(names.map((name, index) => [name, all[index] && said(all[index])]));
  const byHttp = await outcomes(usualMeans, Object.values(requests));
  const direct = await outcomes(inProcess(), Object.values(requests));
  expect(list(direct)).toEqual(list(byHttp));
  const accepted = byHttp.flatMap(({ answer }, index) => (answer?.status === 201 ? [names[index]] : []));
  expect(accepted).toEqual([
    'a command',
    'its duplicate',
    'a key between blanks',
    'a key in UTF-8',
    'and again',
  ]);
  expect(new Set(direct.map(({ connection }) => connection)).size).toBeGreaterThan(3);
});

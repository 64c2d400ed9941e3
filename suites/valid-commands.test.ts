import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadContract, parseContract } from '../src/contract/load.ts';
import type { Contract } from '../src/model/contract.ts';
import { type Json, valueAt } from '../src/model/json.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { extendedCatalogue } from '../src/run/place.ts';
import type { Budget, Proposal } from '../src/suite-kit/suite.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import validCommands from './valid-commands.ts';

/** What is proposed where a text may have so many characters. */
async function proposed(maxLength: number, budget: Budget): Promise<readonly Proposal[]> {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Notes, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /notes:
    post:
      operationId: addNote
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { type: object, required: [note], properties: { note: { type: string, minLength: 1, maxLength: ${maxLength} } } } } } }
      responses: { '201': { description: made } }
`,
    'notes.yaml',
  );
  return proposedOf(contract, budget);
}

function proposedOf(contract: Contract, budget: Budget): readonly Proposal[] {
  return [
    ...validCommands.propose({
      contract,
      declaration: {},
      principals: [
        { name: 'all', permissions: ['all'], scope: 'a', state: 'valid', identity: 'all', use: 'any' },
      ],
      budget,
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(),
      isJwt: () => false,
      caseMatters: () => true,
      values: (operation) => operationValues(operation, []),
    }),
  ];
}

/** The free texts that are sent then. */
async function textsFor(maxLength: number): Promise<readonly Json[]> {
  return (await proposed(maxLength, 'standard')).flatMap((one) => {
    if (one.kind !== 'probe' || !one.clauses.includes('VAL-15')) return [];
    const drawn = one.random === undefined ? [] : fc.sample(one.random.arbitrary, { seed: 1, numRuns: 200 });
    return [...one.scenarios, ...drawn].flatMap(({ bodies }) =>
      Object.values(bodies).flatMap((body) => valueAt(body.value, '/note') ?? []),
    );
  });
}

test.each([[40], [60], [100]])(
  'of %i characters at most: no text is longer with its marker',
  async (most) => {
    const texts = await textsFor(most);
    expect(texts.length).toBeGreaterThan(200);
    expect(texts.filter((text) => String(text).length > most - 21)).toEqual([]);
  },
);

test('quotes, backslashes, emoji and the longest text that is declared are among them', async () => {
  const texts = (await textsFor(100)).map(String);
  for (const wanted of [/'/, /"/, /\\/, /\p{Extended_Pictographic}/u, /^\u0436{79}$/])
    expect(texts.some((text) => wanted.test(text))).toBe(true);
});

test('a text without room for the marker is no longer than it may be', async () => {
  const texts = await textsFor(8);
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter((text) => String(text).length > 8)).toEqual([]);
});

test('with the quick budget every form of a request id is sent, and a trace, with one control for all', async () => {
  const headers = (await proposed(100, 'quick')).flatMap((one) =>
    one.kind === 'probe' && ['foreign-request-id', 'odd-headers'].includes(one.id)
      ? one.scenarios.map(({ waves }) => stepsOf(waves).map((step) => step.headers?.[0] ?? []))
      : [],
  );
  expect(headers.map((all) => all.map(([name = 'control']) => name))).toEqual([
    ['X-Request-Id', 'X-Request-Id', 'X-Request-Id', 'X-Request-Id', 'control'],
    // What refuses a request may not be what gives the others their ids.
    ['X-Request-Id', 'control', 'control'],
    ['X-Assay-Noise', 'X-Forwarded-For', 'Accept-Language', 'traceparent', 'control'],
  ]);
  expect(headers[0]?.flatMap(([, value = '']) => value)).toContainEqual(
    expect.stringMatching(/^[0-9a-f]{32}$/),
  );
});

test('a record is left alone before a command, and after it for as long as a key waits to be sent again', async () => {
  const contract = await loadContract(extendedCatalogue());
  const proposals = [
    ...validCommands.propose({
      contract,
      declaration: {},
      principals: [
        {
          name: 'all',
          permissions: contract.operations.flatMap(({ permissions }) => permissions ?? []),
          scope: 'a',
          state: 'valid',
          identity: 'all',
          use: 'any',
        },
      ],
      budget: 'quick',
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(),
      isJwt: () => false,
      caseMatters: () => true,
      values: (operation) => operationValues(operation, []),
    }),
  ];
  const [alone] = proposals.flatMap((one) =>
    one.kind === 'probe' && one.operation === 'closeCase' && one.id === 'left-alone' ? one.scenarios : [],
  );
  const said = (alone?.waves ?? []).flatMap((wave): readonly unknown[] =>
    'steps' in wave ? wave.steps.map(({ id }) => id) : 'wait' in wave ? [wave.wait] : [],
  );
  expect(said.slice(said.indexOf('before'))).toEqual([
    ...['before', 'settle', 'settle', 2000, 'before-again', 'command'],
    ...['settle', 'before-left', 'settle', 'settle', 2000, 'before-left-again'],
    ...[6000, 'settle', 'before-left-late'],
  ]);
});

test('a body of codes and choices alone has no free text to try', async () => {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Parcels, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /parcels:
    post:
      operationId: addParcel
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { type: object, required: [carrier], properties: { carrier: { enum: [dhl, ups] }, code: { type: string, pattern: '^[A-Z]{2}[0-9]{9}$' } } } } } }
      responses: { '201': { description: made } }
`,
    'parcels.yaml',
  );
  expect(
    proposedOf(contract, 'quick').flatMap((one) =>
      one.kind === 'skip' && one.clauses.includes('VAL-15') ? [[one.clauses, one.need.kind]] : [],
    ),
  ).toEqual([[['VAL-15'], 'inapplicable']]);
});

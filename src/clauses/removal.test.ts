import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { rulingsOf } from '../judge.ts';
import type { Declaration } from '../model/declaration.ts';
import type { Exchange, Trace } from '../model/exchange.ts';
import type { Principal } from '../model/principal.ts';
import type { Deviation, Step } from '../model/scenario.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { shapes } from '../selftest/shapes/catalogue.ts';
import { clauses } from './catalogue.ts';

const text = (name: string): string => shapes.find((one) => one.name === name)?.text ?? '';
const versioned = await parseContract(text('delete-with-version'), 'c.yaml');
const closing = await parseContract(text('close-declared'), 'c.yaml');

type Line = {
  readonly id: string;
  readonly operation: string;
  readonly status: number | undefined;
  readonly deviations?: readonly Deviation[];
  readonly body?: string;
  /** Sent with the line before it. */
  readonly together?: boolean;
  readonly as?: string;
};

const principal = { permissions: [], state: 'valid', use: 'any' } as const;
const principals: readonly Principal[] = [
  { ...principal, name: 'a', identity: 'a', scope: 'one' },
  { ...principal, name: 'b', identity: 'b', scope: 'two' },
];
const commands = new Set(['deleteNote', 'renameNote', 'closeNote']);

/** The verdicts of a clause on a trace of requests on one note, each of which takes 10 ms. */
function verdicts(
  contract: typeof versioned,
  code: string,
  lines: readonly Line[],
  declaration: Declaration = {},
): readonly string[] {
  const steps = lines.map(
    ({ as = 'a', deviations = [], id, operation }): Step => ({
      id,
      operation,
      as,
      role: commands.has(operation) ? 'test' : 'setup',
      key: commands.has(operation) ? { use: 'named', name: id } : { use: 'none' },
      body: { use: 'none' },
      target: { noteId: { literal: 'n1' } },
      ...(commands.has(operation) ? { version: { use: 'of', ref: { step: 'look', at: '/version' } } } : {}),
      deviations,
    }),
  );
  const exchanges = lines.map(({ body = '{}', id, operation, status, together }, index): Exchange => {
    const startedAt = 10 * (together === true ? index - 1 : index);
    return {
      id: `x-${id}`,
      trace: 't',
      step: id,
      ordinal: 0,
      operation,
      principal: 'a',
      request: { method: 'X', path: '/notes/n1', headers: [], body: undefined },
      answer:
        status === undefined
          ? undefined
          : { status, headers: [], body, bodyBytes: body.length, truncated: false },
      noAnswer: status === undefined ? { reason: 'cut', detail: 'cut', partial: undefined } : undefined,
      requestIds: [],
      connection: 1,
      earlier: [],
      startedAt,
      sentAt: startedAt,
      endedAt: startedAt + 9,
      time: '2027-01-01T00:00:00.000Z',
    };
  });
  const waves = steps.flatMap((step, index) =>
    lines[index + 1]?.together === true
      ? [{ steps: steps.slice(index, index + 2) }]
      : lines[index]?.together === true
        ? []
        : [{ steps: [step] }],
  );
  const trace: Trace = {
    id: 't',
    suite: 's',
    probe: 'p',
    scenarioIndex: 0,
    attempt: 0,
    seed: 1,
    path: undefined,
    purpose: 'first',
    repeats: undefined,
    scenario: { title: 't', bodies: {}, waves },
    bound: { keys: {}, markers: {} },
    exchanges,
    hooks: {},
    effects: undefined,
    ended: 'complete',
  };
  const clause = clauses.find((one) => one.code === code);
  if (clause === undefined) throw new Error(`there is no clause ${code}`);
  const context = makeContext({
    contract,
    declared: parsedDeclaration(declaration),
    principals,
    proven: new Set(['a']),
  });
  return rulingsOf(clause, context, trace).map(({ verdict }) => verdict);
}

const stale: readonly Deviation[] = [{ kind: 'version', how: 'stale' }];
const look = (status = 200): Line => ({ id: 'look', operation: 'getNote', status, body: '{"version":1}' });
const removed: Line = { id: 'first', operation: 'deleteNote', status: 204 };

test.each([404, 410, 409])('an old version of a removed record may get %i', (status) => {
  const lines = [look(), removed, { id: 'old', operation: 'deleteNote', status, deviations: stale }];
  expect(verdicts(versioned, 'VER-1', lines)).toContain('holds');
  expect(verdicts(versioned, 'VER-1', lines)).not.toContain('violated');
});

test.each([204, 400])('an old version of a removed record must not get %i', (status) => {
  const lines = [look(), removed, { id: 'old', operation: 'deleteNote', status, deviations: stale }];
  expect(verdicts(versioned, 'VER-1', lines)).toContain('violated');
});

test('422 may say that an absent record is not known, whatever its version', () => {
  const lines = [look(), removed, { id: 'old', operation: 'deleteNote', status: 422, deviations: stale }];
  expect(verdicts(versioned, 'VER-1', lines)).toEqual(['inconclusive']);
});

test('where another command moved the version on, only 409 is right', () => {
  const moved: Line = { id: 'first', operation: 'renameNote', status: 200 };
  const control: Line = { id: 'control', operation: 'deleteNote', status: 204 };
  const old = (status: number): readonly Line[] => [
    look(),
    moved,
    { id: 'old', operation: 'deleteNote', status, deviations: stale },
    control,
  ];
  expect(verdicts(versioned, 'VER-1', old(409))).not.toContain('violated');
  expect(verdicts(versioned, 'VER-1', old(200))).toContain('violated');
});

test.each([404, 410, 409])('the loser of two removals at once may get %i', (status) => {
  const lines = [
    look(),
    { id: 'one', operation: 'deleteNote', status: 204 },
    { id: 'two', operation: 'deleteNote', status, together: true },
  ];
  expect(verdicts(versioned, 'VER-5', lines)).toEqual(['holds']);
});

test('a removed record may be refused like a foreign one, unless 404 is declared', () => {
  const race = [
    look(),
    { id: 'one', operation: 'deleteNote', status: 204 },
    { id: 'two', operation: 'deleteNote', status: 403, together: true },
  ];
  const old = [look(), removed, { id: 'old', operation: 'deleteNote', status: 403, deviations: stale }];
  for (const declaration of [{}, { G9: 403 }] as const) {
    expect(verdicts(versioned, 'VER-5', race, declaration)).toEqual(['holds']);
    expect(verdicts(versioned, 'VER-1', old, declaration)).not.toContain('violated');
  }
  expect(verdicts(versioned, 'VER-5', race, { G9: 404 })).toEqual(['violated']);
  expect(verdicts(versioned, 'VER-1', old, { G9: 404 })).toContain('violated');
});

test('a command that conflicts when it is repeated is not accused of refusing the current version', () => {
  const lines = [
    { id: 'first', operation: 'closeNote', status: 200 },
    look(),
    { id: 'again', operation: 'closeNote', status: 409 },
  ];
  expect(verdicts(closing, 'VER-2', lines)).not.toContain('violated');
});

test('a command whose response was lost may have moved the version on', () => {
  const lines = (status: number | undefined): readonly Line[] => [
    { id: 'accepted', operation: 'renameNote', status: 200 },
    { id: 'first', operation: 'renameNote', status },
    look(),
    { id: 'next', operation: 'renameNote', status: 409 },
  ];
  expect(verdicts(versioned, 'VER-2', lines(200))).toContain('violated');
  expect(verdicts(versioned, 'VER-2', lines(undefined))).not.toContain('violated');
});

test('the version that one scope reads of a singleton says nothing of that of another', () => {
  const lines = (as: string): readonly Line[] => [
    { id: 'accepted', operation: 'renameNote', status: 200 },
    look(),
    { id: 'next', operation: 'renameNote', status: 409, as },
  ];
  expect(verdicts(versioned, 'VER-2', lines('a'))).toContain('violated');
  expect(verdicts(versioned, 'VER-2', lines('b'))).not.toContain('violated');
});

import { describe, expect, test } from 'vitest';
import type { Clause } from '../model/clause.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Wave } from '../model/scenario.ts';
import type { Cell } from '../model/verdict.ts';
import {
  answer,
  cell,
  clause,
  contractOf,
  createCase,
  exchange,
  listCases,
  step,
  trace,
  violated,
} from '../testing/literal-run.ts';
import { findingOf, type Setting } from './finding.ts';

const setting: Setting = {
  baseUrl: 'http://127.0.0.1:1',
  contract: contractOf(createCase),
  principals: [],
  configuration: 'harness.config.yaml',
  seed: 7,
  budget: 'standard',
};

const first = step({ id: 'first', role: 'setup' });
const probe = step({ id: 'probe', deviations: [{ kind: 'key-reuse', of: 'first', difference: 'request' }] });
const x1 = exchange({ id: 'x1', step: 'first', startedAt: 0.126, endedAt: 10.004, requestIds: ['req_1'] });
const x2 = exchange({ id: 'x2', step: 'probe', startedAt: 20, endedAt: 30, requestIds: ['req_2', 'req_1'] });

const found = (given: Cell, more: Partial<Setting> = {}) =>
  findingOf(given, clause(), { ...setting, ...more }, undefined);

/** The IDs of the exchanges that a finding shows, where the ruling names `named`. */
const shown = (exchanges: readonly Exchange[], named: readonly string[], steps = [first, probe]) =>
  found(cell({ example: violated(trace([{ steps }], exchanges), named) }))?.exchanges.map(({ id }) => id);

test('a violated cell becomes a finding, with all that its clause, its ruling and its trace say', () => {
  const example = violated(trace([{ steps: [first, probe] }], [x1, x2], { purpose: 'repeat', seed: 9 }), [
    'x2',
  ]);
  const waiver = {
    clause: 'IDM-6',
    operation: undefined,
    owner: 'Ada',
    reason: 'soon',
    expires: '2026-06-30',
  };
  const finding = findingOf(
    cell({ example, verdict: 'unstable', level: 'derived' }),
    clause(),
    setting,
    waiver,
  );
  expect(finding).toMatchObject({
    id: 'IDM-6/createCase',
    clause: 'IDM-6',
    level: 'derived',
    operation: 'createCase',
    verdict: 'unstable',
    text: 'Another request under a used key is a conflict.',
    source: { where: 'POST /cases, rule 4', quote: 'the result is `409`' },
    expected: '409',
    actual: '201',
    because: 'The key was bound to another request.',
    fix: 'Compare the requests.',
    requestIds: ['req_1', 'req_2'],
    repeats: { violated: 2, of: 3 },
    scenario: 'another body under a used key',
    suite: 'duplicate-keys',
    probe: 'other-body',
    purpose: 'repeat',
    seed: 9,
    control: undefined,
    reproduce:
      'assay run --config harness.config.yaml --base-url http://127.0.0.1:1 --seed 7 --budget standard --suite duplicate-keys --operation createCase',
    waiver,
  });
  expect(finding?.curl).toHaveLength(2);
});

test.each(['pass', 'inconclusive', 'not-tested', 'not-applicable'] as const)(
  'a cell that is %s is none',
  (verdict) => {
    expect(found(cell({ verdict, example: violated(trace([], []), []) }))).toBeUndefined();
  },
);

test('its scenario is the one of the fault that was sent, where there are several', () => {
  const faulty = (id: string, at: string, keyword: string) =>
    step({ id, deviations: [{ kind: 'body', at, keyword }] });
  const steps = [faulty('test', '/name', 'maxLength'), faulty('elsewhere', '/other', 'additionalProperties')];
  const [one, other] = [exchange({ id: 'x1', step: 'test' }), exchange({ id: 'x2', step: 'elsewhere' })];
  const titleOf = (named: string) =>
    found(cell({ example: violated(trace([{ steps }], [one, other]), [named]) }))?.scenario;
  expect(titleOf('x1')).toBe('another body under a used key');
  expect(titleOf('x2')).toBe(
    '/other breaks additionalProperties, in the scenario: another body under a used key',
  );
});

test('without an example there is none', () => {
  expect(found(cell({ example: undefined }))).toBeUndefined();
});

test('words of the command to run it again are quoted for a shell', () => {
  const example = violated(trace([{ steps: [probe] }], [x2]), ['x2']);
  const finding = found(cell({ example, operation: "it's" }), {
    configuration: 'my config.yaml',
    baseUrl: 'http://h/?a&b',
  });
  expect(finding?.reproduce).toBe(
    `assay run --config 'my config.yaml' --base-url 'http://h/?a&b' --seed 7 --budget standard --suite duplicate-keys --operation 'it'\\''s'`,
  );
});

describe('the history', () => {
  test('has what a ruling names, and the first use of its key, in the order in which they were sent', () => {
    expect(shown([x2, x1], ['x2'])).toEqual(['x1', 'x2']);
    expect(shown([x1, x2], ['x1'])).toEqual(['x1']);
  });

  test('has what made the target, and what that builds on', () => {
    const made = step({
      id: 'made',
      target: { parent: { step: 'first', at: '/id' }, other: { literal: 'case_9' } },
    });
    const use = step({ id: 'probe', target: { caseId: { step: 'made', header: 'Location' } } });
    const x3 = exchange({ id: 'x3', step: 'made', startedAt: 12 });
    expect(shown([x1, x2, x3], ['x2'], [first, made, use])).toEqual(['x1', 'x3', 'x2']);
  });

  test('has the command whose success it waited for', () => {
    const closed = exchange({ id: 'x3', step: 'closed', startedAt: 12 });
    const waves: Wave[] = [
      { steps: [first] },
      { steps: [step({ id: 'closed' })] },
      { when: { step: 'closed', was: 'accepted' }, waves: [{ steps: [probe] }] },
    ];
    const example = violated(trace(waves, [x1, closed, x2]), ['x2']);
    expect(found(cell({ example }))?.exchanges.map(({ id }) => id)).toEqual(['x1', 'x3', 'x2']);
  });

  test('leaves out repeats of what it builds on, and what it does not build on', () => {
    const again = exchange({ id: 'x3', step: 'first', ordinal: 1, startedAt: 12 });
    const other = exchange({ id: 'x4', step: 'other', startedAt: 14 });
    expect(shown([x1, x2, again, other], ['x2'], [first, probe, step({ id: 'other' })])).toEqual([
      'x1',
      'x2',
    ]);
    expect(shown([x1, x2, again], ['x3', 'x2'])).toEqual(['x1', 'x3', 'x2']);
  });

  test('goes round no circle, and takes a step that is not there for none', () => {
    const one = step({ id: 'first', deviations: [{ kind: 'key-reuse', of: 'probe', difference: 'none' }] });
    expect(shown([x1, x2], ['x2'], [one, probe])).toEqual(['x1', 'x2']);
    expect(shown([x1, x2], ['x2'], [probe])).toEqual(['x2']);
  });

  test('is cut after 14', () => {
    const many = Array.from({ length: 20 }, (_, index) => exchange({ id: `x${index}`, startedAt: index }));
    expect(
      shown(
        many,
        many.map(({ id }) => id),
      ),
    ).toEqual(many.slice(0, 14).map(({ id }) => id));
  });
});

describe('the control', () => {
  const control = step({ id: 'control', role: 'control', controls: 'probe' });
  const of = (given: Partial<Exchange>, by = control) => {
    const c1 = exchange({ id: 'c1', step: 'control', startedAt: 40, ...given });
    const example = violated(trace([{ steps: [probe, by] }], [x2, c1]), ['x2']);
    return found(cell({ example }))?.control?.id;
  };

  test('is the one of the probe, or of all, that succeeded', () => {
    expect(of({})).toBe('c1');
    expect(of({}, { ...control, controls: '*' })).toBe('c1');
    expect(of({ answer: answer(200) })).toBe('c1');
    expect(of({ answer: answer(299) })).toBe('c1');
  });

  test('is none that failed, of another probe, or of none', () => {
    expect(of({ answer: answer(300) })).toBeUndefined();
    expect(of({ answer: answer(199) })).toBeUndefined();
    expect(of({ answer: undefined })).toBeUndefined();
    expect(of({}, { ...control, controls: 'other' })).toBeUndefined();
    expect(of({}, { ...control, role: 'test' })).toBeUndefined();
    const { controls: _, ...free } = control;
    expect(of({}, free)).toBeUndefined();
  });
});

test('an excerpt is what was sent and answered, cut', () => {
  const body = 'b'.repeat(3000);
  const sent = exchange({
    id: 'x2',
    startedAt: 1.006,
    endedAt: 2.004,
    request: { method: 'POST', path: '/cases?a=1', headers: [['A', '1']], body },
    answer: answer(201, { headers: [['B', '2']], body }),
    requestIds: ['req_2'],
    earlier: [{ answer: answer(429), noAnswer: undefined, startedAt: 0, endedAt: 1, waited: 1 }],
  });
  const lost = exchange({
    id: 'x3',
    step: 'elsewhere',
    answer: undefined,
    noAnswer: { reason: 'reset', detail: 'by the peer', partial: undefined },
    startedAt: 3,
  });
  const example = violated(trace([{ steps: [step({})] }], [sent, lost]), ['x2', 'x3']);
  expect(found(cell({ example }))?.exchanges).toEqual([
    {
      id: 'x2',
      step: 'probe',
      operation: 'createCase',
      role: 'test',
      principal: 'full',
      time: '2026-01-31T10:00:00.000Z',
      startedAt: 1.01,
      endedAt: 2,
      request: 'POST /cases?a=1',
      status: 201,
      noAnswer: undefined,
      requestIds: ['req_2'],
      requestHeaders: [['A', '1']],
      requestBody: 'b'.repeat(2000),
      responseHeaders: [['B', '2']],
      responseBody: 'b'.repeat(2000),
      earlierTries: 1,
    },
    expect.objectContaining({
      id: 'x3',
      role: 'readback',
      status: undefined,
      noAnswer: 'reset: by the peer',
      requestBody: undefined,
      responseHeaders: [],
      responseBody: undefined,
      earlierTries: 0,
    }),
  ]);
});

describe('what the commands left', () => {
  const reader = {
    name: 'full',
    permissions: ['case.read'],
    scope: 'a',
    state: 'valid',
    identity: 'full',
    use: 'any',
  } as const;
  const reading = { contract: contractOf(createCase, listCases), principals: [reader] };
  const marked = exchange({
    id: 'x2',
    request: { method: 'POST', path: '/cases', headers: [], body: 'asy-1' },
  });
  const effects = { byMarker: {}, byTarget: {}, seenIn: [], complete: true };
  const lines = (judges: Clause['judges'], seen: typeof effects | undefined): number | undefined => {
    const bound = { keys: {}, markers: { m: 'asy-1' } };
    const example = violated(trace([{ steps: [probe] }], [marked], { bound, effects: seen }), ['x2']);
    return findingOf(cell({ example }), clause({ judges }), { ...setting, ...reading }, undefined)?.curl
      .length;
  };
  const overTrace = { over: 'trace', rule: () => [] } as const;
  const overEffects = { over: 'effects', rule: () => [] } as const;

  test('is read where the clause judges effects, and they were seen', () => {
    expect(lines([overTrace, overEffects], effects)).toBe(4);
    expect(lines([overTrace, overEffects], undefined)).toBe(2);
    expect(lines([overTrace], effects)).toBe(2);
  });
});

test('only a reused key and a target made by a step build on others', () => {
  const same = step({ id: 'first', target: { a: { literal: 'x' } } });
  const other = step({
    id: 'probe',
    deviations: [{ kind: 'conflict' }],
    target: { a: { literal: 'first' } },
  });
  expect(shown([x1, x2], ['x2'], [same, other])).toEqual(['x2']);
});

test('the control of another probe is none of this one', () => {
  const control = step({ id: 'control', role: 'control', controls: 'first' });
  const c1 = exchange({ id: 'c1', step: 'control', startedAt: 40 });
  const example = violated(trace([{ steps: [first, probe, control] }], [x1, x2, c1]), ['x2']);
  expect(found(cell({ example }))?.control).toBeUndefined();
});

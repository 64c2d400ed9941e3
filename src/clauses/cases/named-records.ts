import type { Json } from '../../model/json.ts';
import type { Deviation } from '../../model/scenario.ts';
import { says } from './says.ts';
import { type Case, type Line, missing, record } from './trace.ts';

const scope: Deviation = { kind: 'scope' };

const made = (id: string): Line => ({
  id: 'made',
  role: 'setup',
  status: 201,
  result: id,
  name: 'made',
});
const escalating = (id: string, step: string, status: number, more: Partial<Line> = {}): Line => ({
  id: step,
  status,
  operation: 'escalate',
  on: 'made',
  sent: JSON.stringify({ case: id }),
  ...more,
});
/** A caller of another scope names the record in its body. */
const foreign = (status: number, id = 'case_7'): Case['trace'] => [
  made(id),
  escalating(id, 'probe', status, { role: 'test', as: 'abroad', deviations: [scope] }),
  escalating(id, 'control', 201, { controls: 'probe' }),
];
const looked = (id: string, subject: string, observes: 'before' | 'after'): Line => ({
  id: observes,
  role: 'readback',
  operation: 'getCase',
  on: 'made',
  observes,
  status: 200,
  body: record(id, { subject }),
});
const refusedAmid = (after: string): Case['trace'] => [
  made('case_7'),
  looked('case_7', 'first', 'before'),
  escalating('case_7', 'probe', 422, { role: 'test', deviations: [missing] }),
  looked('case_7', after, 'after'),
  escalating('case_7', 'control', 201, { controls: 'probe' }),
];
const twice = (second: number, ...more: readonly Line[]): Case['trace'] => [
  made('case_7'),
  escalating('case_7', 'first', 201, { result: 'esc_1', name: 'body', key: 'one' }),
  escalating('case_7', 'second', second, { role: 'test', result: 'esc_2', name: 'body', key: 'two' }),
  ...more,
];
const elsewhere = (status: number): readonly Line[] => [
  { ...made('case_8'), id: 'other-made' },
  escalating('case_8', 'elsewhere', status, {
    ...{ role: 'test', on: 'other-made', result: 'esc_4', name: 'body', key: 'four' },
  }),
];
const other: Line = escalating('case_7', 'other', 201, { result: 'esc_3', name: 'other', key: 'three' });

/** The record is read by the caller of another scope, and by one of the first. */
const read = (afar: number): Case['trace'] => [
  ...foreign(201),
  ...(
    [
      ['from-afar', 'abroad', afar],
      ['from-near', 'full', 200],
    ] as const
  ).map(
    ([id, as, status]): Line => ({
      id,
      role: 'readback',
      operation: 'getCase',
      on: 'made',
      as,
      status,
      deviations: as === 'abroad' ? [scope] : [],
      body: status === 200 ? record('case_7') : {},
    }),
  ),
];

const reference: Deviation = { kind: 'reference' };

const toNone: Omit<Line, 'status'> = {
  ...{ id: 'unknown', role: 'test', name: 'unknown', body: {} },
  deviations: [{ kind: 'target', how: 'absent' }],
};

/** A body refers to a case of another scope, which its caller cannot read. */
const referring = (
  status: number,
  {
    after = 'a',
    afar = 404,
    body = {},
    control = 201,
    unknown,
  }: { after?: string; afar?: number; body?: Json; control?: number; unknown?: number } = {},
): Case => {
  const mentioning = { operation: 'mention', as: 'abroad', on: 'made', sent: '{"case":"case_7"}' } as const;
  return {
    ...says('PRM-5', '', [
      made('case_7'),
      looked('case_7', 'a', 'before'),
      {
        ...{ id: 'from-afar', role: 'readback', operation: 'getCase', on: 'made', as: 'abroad' },
        ...{ status: afar, deviations: [scope], body: {} },
      },
      { id: 'probe', role: 'test', status, deviations: [reference], name: 'foreign', body, ...mentioning },
      looked('case_7', after, 'after'),
      { id: 'control', controls: 'probe', status: control, name: 'own', body: {}, ...mentioning },
      ...(unknown === undefined ? [] : [{ ...toNone, status: unknown, ...mentioning }]),
    ]),
    proven: ['abroad'],
  };
};
const refers = (when: string, one: Case, ...rulings: readonly string[]): Case => ({
  ...one,
  ...says('PRM-5', `a body refers to a record of another scope: ${when}`, one.trace, ...rulings),
});

/** Hours are moved from a case of another scope to one of the caller: what both show before and after it. */
const drawing = (
  status: number,
  [before, after]: readonly [Json, Json],
  [had, has]: readonly [Json, Json],
  { afar = 404, control = 201 }: { afar?: number; control?: number } = {},
): Case => {
  const moving = { operation: 'moveHours', as: 'abroad' } as const;
  const look = (id: string, on: string, hours: Json, more: Partial<Line>): Line => ({
    ...{ id, on, role: 'readback', operation: 'getCase', status: 200 },
    body: record(on === 'made' ? 'case_7' : 'case_8', { hours }),
    ...more,
  });
  return {
    ...says('PRM-5', '', [
      made('case_7'),
      { ...made('case_8'), id: 'own-made', as: 'abroad', name: 'own-made' },
      look('before-again', 'made', before, { observes: 'before' }),
      look('from-afar', 'made', null, { as: 'abroad', status: afar, deviations: [scope], body: {} }),
      look('gains-before', 'own-made', had, { as: 'abroad' }),
      {
        ...{ id: 'probe', role: 'test', status, deviations: [reference], name: 'foreign', body: {} },
        ...{ ...moving, sent: '{"fromCase":"case_7","toCase":"case_8"}' },
      },
      look('after', 'made', after, { observes: 'after' }),
      look('gains-after', 'own-made', has, { as: 'abroad' }),
      { id: 'control', controls: 'probe', status: control, name: 'own', body: {}, ...moving },
    ]),
    proven: ['abroad'],
  };
};
const draws = (when: string, one: Case, ...rulings: readonly string[]): Case => ({
  ...one,
  ...says('PRM-5', `a body takes from a record of another scope: ${when}`, one.trace, ...rulings),
});
const drawingCases: readonly Case[] = [
  ...[403, 404, 409, 422].map((status) =>
    draws(`it gets ${status}`, drawing(status, [5, 5], [3, 3]), 'holds probe from-afar'),
  ),
  ...(
    [
      [[5, 3], [3, 5], 'numbers'],
      [['5.10', '3.05'], ['0.00', '2.05'], 'decimal texts'],
      [
        [
          { free: 5, booked: 0 },
          { free: 3, booked: 2 },
        ],
        [{ free: 0 }, { free: 2 }],
        'one of several',
      ],
      [[0, 2], [0, -2], 'debts'],
    ] as const
  ).map(([theirs, own, what]) =>
    draws(
      `what is lost there is gained here, in ${what}`,
      drawing(201, theirs, own),
      'violated probe from-afar before-again after gains-after',
    ),
  ),
  ...(
    [
      [[5, 5], [3, 3], 'nothing changes'],
      [[5, 3], [3, 3], 'nothing is gained'],
      [[5, 5], [3, 5], 'nothing is lost'],
      [[5, 4], [3, 5], 'the amounts differ'],
      [[1, 2], [1, 2], 'both count up'],
      [['a', 'b'], ['c', 'd'], 'texts change'],
    ] as const
  ).map(([theirs, own, what]) => draws(what, drawing(201, theirs, own), 'holds probe from-afar (advisory)')),
  draws('its caller can read the record', drawing(201, [5, 3], [3, 5], { afar: 200 })),
  draws('its caller is accepted with no record', drawing(201, [5, 3], [3, 5], { control: 422 })),
  draws('it is throttled', drawing(429, [5, 3], [3, 5])),
];

const fetching = (id: string, status: number, body: Json, more: Partial<Line> = {}): Line => ({
  ...{ id, status, body, operation: 'fetchCase', on: 'made', sent: '{"case":"case_7"}' },
  ...more,
});
/** A caller of another scope asks for the record in the body of a read by POST. */
const fetched = (
  status: number,
  body: Json,
  own: Json = record('case_7', { subject: 'asy-t-made' }),
): Case['trace'] => [
  made('case_7'),
  fetching('probe', status, body, { role: 'test', as: 'abroad', deviations: [scope] }),
  fetching('control', 200, own, { controls: 'probe' }),
];
const theirs = record('case_7', { subject: 'asy-t-made' });

/** What a read shows of a record that its body names: it may search for it, and find nothing. */
const fetchedCases: readonly Case[] = [
  ...['PRM-5', 'RDS-7'].flatMap((clause) => [
    says(clause, 'a body asks for it: 404', fetched(404, {}), 'holds probe'),
    says(clause, 'a body asks for it: 403', fetched(403, {}), 'holds probe'),
    says(
      clause,
      'a body asks for it: the response shows what its maker wrote',
      fetched(200, theirs),
      `violated probe${clause === 'PRM-5' ? ' made' : ''} (conclusive)`,
    ),
    says(
      clause,
      'a body asks for it: nothing is found',
      fetched(200, { found: [] }),
      `holds probe${clause === 'PRM-5' ? ' control' : ''}`,
    ),
    says(
      clause,
      'a body asks for it: nothing is found in its own scope either',
      fetched(200, { found: [] }, { found: [] }),
      `inconclusive probe${clause === 'PRM-5' ? ' control' : ''}`,
    ),
  ]),
  says('PRM-5', 'a body asks for it: 422', fetched(422, {}), 'holds probe'),
  {
    ...says('PRM-5', 'a body asks for it: 401', fetched(401, {}), 'violated probe'),
    proven: ['abroad'],
  },
  says('ERR-1', 'a body asks for it: 404', fetched(404, {}), 'holds probe'),
  says('ERR-1', 'a body asks for it: nothing is found', fetched(200, { found: [] })),
  says('ERR-1', 'a body asks for it: the service fails', fetched(500, {}), 'violated probe'),
];

/** Commands on a record that their body names. */
export const namedRecordCases: readonly Case[] = [
  ...fetchedCases,
  ...drawingCases,
  ...[400, 403, 404, 409, 422].map((status) =>
    refers(`it gets ${status}`, referring(status), 'holds probe from-afar'),
  ),
  refers('it is accepted', referring(201), 'holds probe from-afar (advisory)'),
  ...[400, 403, 404, 422].map((unknown) =>
    refers(
      `it is accepted, and a reference to no record gets ${unknown}`,
      referring(201, { unknown }),
      'violated probe from-afar unknown',
    ),
  ),
  ...[201, 202, 409, 429, 500].map((unknown) =>
    refers(
      `it is accepted, and a reference to no record gets ${unknown}`,
      referring(201, { unknown }),
      'holds probe from-afar (advisory)',
    ),
  ),
  refers(
    'it is queued, and a reference to no record gets 404',
    referring(202, { unknown: 404 }),
    'holds probe from-afar (advisory)',
  ),
  refers(
    'it is accepted, a reference to no record gets 404, and the control is refused',
    referring(201, { unknown: 404, control: 422 }),
  ),
  refers(
    'it is accepted, a reference to no record gets 404, and its caller can read the record',
    referring(201, { unknown: 404, afar: 200 }),
  ),
  refers(
    'it is accepted, and the record has changed',
    referring(201, { after: 'b' }),
    'violated probe from-afar before after',
  ),
  refers(
    'it is refused, and the record has changed',
    referring(422, { after: 'b' }),
    'holds probe from-afar',
    'violated probe before after',
  ),
  refers(
    'it is accepted, and its result shows what the record has',
    referring(201, { body: { name: 'asy-t-made' } }),
    'violated probe made (conclusive)',
  ),
  refers('its caller can read the record', referring(201, { after: 'b', afar: 200 })),
  refers('nothing shows whether its caller can read the record', referring(201, { after: 'b', afar: 503 })),
  refers('its caller is accepted with no record', referring(422, { control: 422 })),
  refers('it is throttled', referring(429)),
  refers('the service fails', referring(500)),
  says('ERR-1', 'a reference to a record of another scope is accepted', referring(201).trace),
  says(
    'ERR-1',
    'the service fails on a reference to a record of another scope',
    referring(500).trace,
    'violated probe',
  ),
  {
    ...says(
      'PRM-5',
      'the body names a record that its caller cannot read, and it is accepted',
      read(404),
      'violated probe from-afar from-near',
    ),
    proven: ['abroad'],
  },
  {
    ...says(
      'PRM-5',
      'the body names a record that its caller can read as well, and it is accepted',
      read(200),
      'inconclusive probe',
    ),
    proven: ['abroad'],
  },
  says(
    'PRM-5',
    'the body names a record of another scope, and it is accepted',
    foreign(201),
    'inconclusive probe',
  ),
  ...[403, 404, 409, 422].map((status) =>
    says(
      'PRM-5',
      `the body names a record of another scope, and it gets ${status}`,
      foreign(status),
      'holds probe',
    ),
  ),
  says('PRM-5', 'the body names a record of another scope, and it gets 400', foreign(400), 'violated probe'),
  says(
    'PRM-5',
    'the body names a record by a number that each scope may have',
    foreign(201, '7'),
    'inconclusive probe',
  ),
  says(
    'VAL-7',
    'what the body names reads the same after a refusal',
    refusedAmid('first'),
    'holds probe before after',
  ),
  says(
    'VAL-7',
    'what the body names has changed though it was refused',
    refusedAmid('second'),
    'violated probe before after',
  ),
  says('IDM-10', 'a second command on the record that the body names', twice(201), 'holds second first'),
  says('IDM-10', 'its record may allow one such command', twice(409), 'inconclusive second first'),
  says(
    'IDM-10',
    'its record allows one such command, and another record one with the same body',
    twice(409, ...elsewhere(201)),
    'inconclusive second first',
    'holds elsewhere first',
  ),
  says(
    'IDM-10',
    'its record allows one such command, and another record none with the same body',
    twice(409, ...elsewhere(409)),
    'inconclusive second first',
    'inconclusive elsewhere first',
  ),
  says('IDM-10', 'its record allows another such command', twice(409, other), 'violated second first'),
];

import type { Json } from '../../model/json.ts';
import type { Deviation } from '../../model/scenario.ts';
import { says } from './says.ts';
import { type Case, type Line, missing, negative, page } from './trace.ts';

const pace: readonly Deviation[] = [{ kind: 'pace' }];
/** The requests of a burst, one for each status. */
const burst = (statuses: readonly (number | undefined)[], more: Partial<Line> = {}): readonly Line[] =>
  statuses.map((status, ordinal) => ({
    id: 'burst',
    role: 'test',
    status,
    ordinal,
    deviations: pace,
    ...more,
  }));
const reads: Partial<Line> = { id: 'reads', operation: 'listCases' };
const notes: Partial<Line> = { id: 'notes', operation: 'createNote' };
const limit = (declared: Json, one: Case): Case => ({ ...one, declares: { G8: declared } });
/** Accepted requests of a burst, which begin at these times. */
export const sentAt = (...times: readonly number[]): readonly Line[] =>
  burst(times.map(() => 201)).map((line, index) => ({ ...line, at: times[index] ?? 0 }));
const spread = sentAt(100, 300, 500, 700, 1100);
const twoPerSecond = { requests: 2, perSeconds: 1 };

const limits: readonly Case[] = [
  says('THR-1', 'the sender is throttled', burst([201, 201, 429, 429]), 'holds burst#2'),
  says('THR-1', 'it is not', burst([201, 201]), 'not-tested burst'),
  says('THR-1', 'it is refused for another reason', burst([201, 503])),
  says('THR-1', 'it is throttled after another refusal', burst([201, 503, 429]), 'holds burst#2'),
  says('THR-1', 'nothing is accepted at any pace', burst([503, 429]), 'inconclusive burst#1'),
  says(
    'THR-1',
    'each operation by itself',
    [...burst([201, 429]), ...burst([201, 201], notes)],
    'holds burst#1',
  ),
  says(
    'THR-1',
    'two operations that are not throttled',
    [...burst([201]), ...burst([201], notes)],
    'not-tested burst',
    'not-tested notes',
  ),
  says('THR-1', 'no probes', burst([429], { role: 'readback' })),
  says('THR-1', 'another pace', burst([429], { deviations: [] })),
  limit({ requests: 4, perSeconds: 1 }, says('THR-1', 'the limit', spread, 'not-tested burst')),
  limit({ requests: 5, perSeconds: 10 }, says('THR-1', 'fewer than the limit', spread, 'not-tested burst')),
  limit(
    { requests: 4, perSeconds: 1.001 },
    says('THR-1', 'one more than the limit', spread, 'violated burst burst#4'),
  ),
  limit(
    twoPerSecond,
    says(
      'THR-1',
      'more than the limit at the end',
      sentAt(0, 2000, 4000, 4500, 4999),
      'violated burst burst#4',
    ),
  ),
  limit(
    twoPerSecond,
    says(
      'THR-1',
      'the last to be answered was the first',
      sentAt(2000, 4500, 4999, 4000, 0),
      'violated burst burst#4',
    ),
  ),
  limit(twoPerSecond, says('THR-1', 'at ease', sentAt(0, 500, 1000, 1500, 2000), 'not-tested burst')),
  limit(
    twoPerSecond,
    says('THR-1', 'at ease, and answered last first', sentAt(2000, 1500, 1000, 500, 0), 'not-tested burst'),
  ),
  limit(twoPerSecond, says('THR-1', 'throttled as declared', burst([201, 201, 429]), 'holds burst#2')),
  ...['unthrottled', '2/s', { requests: 2 }, { perSeconds: 1 }, { requests: '2', perSeconds: '1' }].map(
    (declared) =>
      limit(declared, says('THR-1', `${JSON.stringify(declared)} gives no rate`, spread, 'not-tested burst')),
  ),
];

/** A limit that was used up before the burst. */
const usedUp = (clause: string): readonly Case[] =>
  (
    [
      ['is accepted', {}, 'holds burst'],
      ['is throttled again', { status: 429 }, 'inconclusive burst'],
      ['of another caller is accepted', { as: 'peer' }, 'inconclusive burst'],
      ['of another operation is accepted', notes, 'inconclusive burst'],
      ['without a wait before it is accepted', { at: 5 }, 'inconclusive burst'],
    ] as const
  ).map(([what, more, ruling]) =>
    says(
      clause,
      `all of the burst is throttled, and the request after the wait ${what}`,
      [...burst([429, 429]), { id: 'honoured', role: 'control', status: 201, deviations: pace, ...more }],
      ruling,
    ),
  );

const honoured = (status: number | undefined, more: Partial<Line> = {}): Line => ({
  id: 'honoured',
  status,
  deviations: pace,
  ...more,
});
const fresh = (status: number, more: Partial<Line> = {}): Line => ({ id: 'fresh', status, ...more });
const after: Line['headers'] = [['Retry-After', '0']];
const [limited] = burst([429], { headers: after });
const refusal: Line = { id: 'burst', role: 'test', status: 429, deviations: pace, ...limited };
const twice = honoured(429, { id: 'twice' });

const waits: readonly Case[] = [
  says('THR-4', 'accepted', [refusal, honoured(201)], 'holds honoured'),
  ...[[], [['Retry-After', 'soon']], [['X-Retry-In', '5']]].map((headers) =>
    says(
      'THR-4',
      `nothing to honour: ${headers.join() || 'no guidance'}`,
      [
        { ...refusal, headers: headers.map(([name = '', value = '']) => [name, value] as const) },
        honoured(429),
      ],
      'inconclusive burst honoured',
    ),
  ),
  ...[201, 429].map((status) =>
    says(
      'THR-4',
      `the wait was cut short: ${status}`,
      [{ ...refusal, headers: [['Retry-After', '3600']] }, honoured(status, { at: 90_000 })],
      'inconclusive burst honoured',
    ),
  ),
  says(
    'THR-4',
    'a thousandth of the wait was enough: it may be in milliseconds',
    [{ ...refusal, headers: [['Retry-After', '3600']] }, honoured(201, { at: 30_000 })],
    'inconclusive burst honoured',
  ),
  says(
    'THR-4',
    'the wait was as long as asked',
    [{ ...refusal, headers: [['Retry-After', '60']] }, honoured(429, { at: 60_015 })],
    'violated honoured',
  ),
  says(
    'THR-4',
    'only the first wait was as long as asked',
    [refusal, honoured(429, { headers: [['Retry-After', '60']] }), twice, honoured(429, { id: 'thrice' })],
    'violated honoured twice thrice',
  ),
  says(
    'THR-4',
    'the unit is in the name',
    [{ ...refusal, headers: [['X-Retry-In-Seconds', '0']] }, honoured(429)],
    'violated honoured',
  ),
  says('THR-4', 'throttled again', [refusal, honoured(429)], 'violated honoured'),
  says(
    'THR-4',
    'the next one is accepted',
    [refusal, honoured(429), honoured(201, { id: 'last' })],
    'violated honoured last',
  ),
  says(
    'THR-4',
    'throttled twice',
    [refusal, honoured(429), twice, honoured(201, { id: 'last' })],
    'violated honoured twice last',
  ),
  says(
    'THR-4',
    'throttled three times',
    [refusal, honoured(429), twice, honoured(429, { id: 'thrice' })],
    'violated honoured twice thrice (conclusive)',
  ),
  says('THR-4', 'refused for another reason', [refusal, honoured(409)], 'inconclusive honoured'),
  says('THR-4', 'not answered', [refusal, honoured(undefined)]),
  says(
    'THR-4',
    'a fresh key is accepted',
    [refusal, honoured(429), fresh(201)],
    'inconclusive honoured fresh',
  ),
  says(
    'THR-4',
    'a fresh key is accepted at that moment',
    [refusal, honoured(429, { took: 10 }), fresh(201)],
    'inconclusive honoured fresh',
  ),
  says(
    'THR-4',
    'a fresh key was accepted before',
    [refusal, honoured(429, { took: 11 }), fresh(201)],
    'violated honoured',
  ),
  says('THR-4', 'a fresh key is throttled', [refusal, honoured(429), fresh(429)], 'violated honoured'),
  says(
    'THR-4',
    'a fresh key had to wait',
    [refusal, honoured(429), fresh(201, { earlier: [429] })],
    'violated honoured',
  ),
  says(
    'THR-4',
    'a bystander is accepted',
    [refusal, honoured(429), fresh(201, { role: 'readback' })],
    'violated honoured',
  ),
  says('THR-4', 'nothing was throttled', [...burst([201]), honoured(429)]),
  says('THR-4', 'another operation was throttled', [...burst([429], notes), honoured(429)]),
  says(
    'THR-4',
    'it was sent as the 429 came',
    [{ ...refusal, took: 10 }, honoured(429)],
    'violated honoured',
  ),
  says('THR-4', 'it was sent before the 429 came', [{ ...refusal, took: 11 }, honoured(429)]),
  says('THR-4', 'a bystander is throttled', [refusal, honoured(429, { role: 'readback' })]),
  says('THR-4', 'a command at ease is throttled', [refusal, honoured(429, { deviations: [] })]),
];

const read = 'read-1 read-2 read-3';

const effects: readonly Case[] = [
  says('THR-5', 'no read', burst([201, 429]), 'holds burst#1 (ids only)'),
  {
    ...says(
      'THR-5',
      'what was read are the records of another command',
      burst([202, 429], { operation: 'echo' }),
      'holds burst#1 (ids only)',
    ),
    shows: { other: ['case_0'] },
  },
  {
    ...says('THR-5', 'a read shows nothing', burst([201, 429]), `holds burst#1 ${read}`),
    shows: { body: ['case_0'], 'body#1': [] },
  },
  {
    ...says('THR-5', 'a read shows a record', burst([201, 429]), `violated burst#1 ${read} (conclusive)`),
    shows: { body: ['case_0'], 'body#1': ['case_1'] },
  },
  {
    ...says('THR-5', 'nothing was throttled, and a refused one has a record', burst([201, 503])),
    shows: { body: ['case_0'], 'body#1': ['case_1'] },
  },
  {
    ...says(
      'THR-5',
      'a gateway failed behind one of the burst, whose record is there',
      burst([201, 429, 502]),
      `holds burst#1 ${read}`,
    ),
    shows: { body: ['case_0'], 'body#1': [], 'body#2': ['case_2'] },
  },
  {
    ...says(
      'THR-5',
      'a faulty one has a record',
      [...burst([429]), ...negative(missing, 422, { name: 'own' })],
      `holds burst ${read} (ids only)`,
    ),
    shows: { body: [], own: ['case_1'] },
  },
  says('THR-5', 'a command at ease was throttled', negative([], 429)),
  {
    ...says('THR-5', 'a command at ease was throttled, and a burst refused', [
      ...burst([503]),
      ...negative([], 429, { name: 'own' }, { name: 'own' }),
    ]),
    shows: { body: ['case_1'], own: [] },
  },
  says('THR-5', 'no response', burst([undefined])),
];

const around = (observes: 'before' | 'after', subject: string | undefined): Line => ({
  ...{ id: observes, operation: 'getCase', role: 'readback', observes, on: 'made' },
  ...(subject === undefined ? { status: 404 } : { status: 200, body: { id: 'case_7', subject } }),
});
/** A throttled command on a record that is read around it, and the same one on another record. */
const onRecord = (
  when: string,
  { at, control = 200, is }: { readonly at?: number; readonly control?: number; readonly is?: string },
  ...rulings: readonly string[]
): Case =>
  says(
    'THR-5',
    `on a record, which ${when}`,
    [
      { id: 'made', role: 'setup', status: 201, result: 'case_7' },
      { id: 'other', role: 'setup', status: 201, result: 'case_8', name: 'other' },
      around('before', 'a'),
      ...burst([429], { id: 'limited', operation: 'updateCase', on: 'made', name: 'own' }),
      { ...around('after', is), ...(at === undefined ? {} : { at }) },
      {
        ...{ id: 'control', operation: 'updateCase', on: 'other', controls: 'limited', key: 'fresh' },
        status: control,
        ...(at === undefined ? {} : { at: at + 100 }),
      },
    ],
    ...rulings,
  );
const reading = 'limited before after';
const onRecords: readonly Case[] = [
  onRecord('is as it was', { is: 'a' }, `holds ${reading}`),
  onRecord('is another', { is: 'b' }, `violated ${reading}`),
  onRecord('is gone', {}, `violated ${reading}`),
  onRecord('is as it was, and no other one is changed', { is: 'a', control: 409 }, 'inconclusive limited'),
  onRecord('is another after a minute', { is: 'b', at: 60_000 }, `inconclusive ${reading}`),
  onRecord('is gone after a minute', { at: 60_000 }, `inconclusive ${reading}`),
  onRecord('is as it was after a minute', { is: 'a', at: 60_000 }, `holds ${reading}`),
];

const idle = (observes: 'neighbour-before' | 'neighbour', subject: string): Line => ({
  ...{ id: observes, operation: 'getCase', role: 'readback', observes, on: 'idle' },
  ...{ status: 200, body: { id: 'case_9', subject } },
});
/** The limit is reached with the same command on another record, while a third one is left alone. */
const pressed = (
  when: string,
  {
    at,
    is,
    next,
    pressing = 200,
  }: {
    readonly at?: number;
    readonly is?: string;
    readonly next?: string;
    readonly pressing?: number | undefined;
  },
  ...rulings: readonly string[]
): Case =>
  says(
    'THR-5',
    `among commands on another record, ${when}`,
    [
      { id: 'idle', role: 'setup', status: 201, result: 'case_9', name: 'idle' },
      { id: 'made', role: 'setup', status: 201, result: 'case_7' },
      { id: 'other', role: 'setup', status: 201, result: 'case_8', name: 'other' },
      around('before', 'a'),
      ...(next === undefined ? [] : [idle('neighbour-before', 'c')]),
      ...burst([pressing], {
        id: 'press',
        operation: 'updateCase',
        on: 'other',
        name: 'press',
        role: 'setup',
      }),
      ...burst([429], { id: 'limited', operation: 'updateCase', on: 'made', name: 'own' }),
      { ...around('after', is), ...(at === undefined ? {} : { at }) },
      ...(next === undefined
        ? []
        : [{ ...idle('neighbour', next), ...(at === undefined ? {} : { at: at + 50 }) }]),
    ],
    ...rulings,
  );
const pressedRecords: readonly Case[] = [
  pressed('it is as it was', { is: 'a' }, `holds ${reading}`),
  pressed('it is another', { is: 'b' }, `inconclusive ${reading}`),
  pressed('it is another, and the third as it was', { is: 'b', next: 'c' }, `violated ${reading}`),
  pressed('it is another, and so is the third', { is: 'b', next: 'd' }, `inconclusive ${reading}`),
  pressed('it is gone', {}, `inconclusive ${reading}`),
  pressed('it is gone, and the third is not', { next: 'c' }, `violated ${reading}`),
  pressed(
    'it is gone after a minute, and the third is not',
    { next: 'c', at: 60_000 },
    `violated ${reading}`,
  ),
  pressed('none of which is accepted', { is: 'a', pressing: 409 }, 'inconclusive limited'),
  pressed('one of which is lost', { is: 'b', pressing: undefined }, `inconclusive ${reading}`),
  says(
    'THR-5',
    'another command on the same record',
    [
      { id: 'made', role: 'setup', status: 201, result: 'case_7' },
      around('before', 'a'),
      ...burst([200], { id: 'press', operation: 'updateCase', on: 'made', name: 'press', role: 'setup' }),
      ...burst([429], { id: 'limited', operation: 'updateCase', on: 'made', name: 'own' }),
      around('after', 'b'),
    ],
    'inconclusive limited press',
  ),
];

const rested = (status: number, more: Partial<Line> = {}): Line => ({ id: 'rested', status, ...more });

const classes: readonly Case[] = [
  says('THR-6', 'reported as 429', burst([201, 429, 429]), 'holds burst#1'),
  says('THR-6', 'not reported', burst([201, 201])),
  says('THR-6', '503 as well', [...burst([201, 503, 429]), rested(201)], 'holds burst#1 (advisory)'),
  ...[500, 502, 504].map((status) =>
    says(
      'THR-6',
      `${status} as well`,
      [...burst([201, status, 429]), rested(201)],
      'holds burst#1 (advisory)',
    ),
  ),
  says(
    'THR-6',
    '502, and most pass after it',
    [...burst([201, 502, 201, 201, 502]), rested(201)],
    'inconclusive burst#1',
  ),
  says(
    'THR-6',
    '502, and as many pass after it',
    [...burst([201, 502, 201, 502]), rested(201)],
    'violated burst#1 burst#3',
  ),
  says(
    'THR-6',
    '500, and most pass after it',
    [...burst([201, 500, 201, 201]), rested(201)],
    'inconclusive burst#1',
  ),
  says('THR-6', '403 as well', [...burst([201, 503, 403, 429]), rested(201)], 'violated burst#1 burst#2'),
  says('THR-6', '503 alone', [...burst([201, 503]), rested(201)], 'violated burst#1'),
  says(
    'THR-6',
    '503, and the response that may have been the only 429 is lost',
    [...burst([201, 503, undefined, 503]), rested(201)],
    'inconclusive burst#1',
  ),
  says(
    'THR-6',
    '403, and a response is lost',
    [...burst([201, 403, undefined]), rested(201)],
    'violated burst#1',
  ),
  says('THR-6', '200 with an error', [...burst([201, 200]), rested(201)], 'violated burst#1'),
  says(
    'THR-6',
    'of many four are named',
    [...burst([201, 403, 403, 403, 403, 403]), rested(201)],
    'violated burst#1 burst#2 burst#3 burst#4',
  ),
  says('THR-6', 'refused at ease as well', [...burst([201, 403]), rested(403)], 'inconclusive burst#1'),
  says('THR-6', '200 at an easy pace as well', [...burst([201, 403]), rested(200)], 'inconclusive burst#1'),
  says(
    'THR-6',
    'never accepted in the burst',
    [...burst([403, 403]), rested(201)],
    'inconclusive burst burst#1',
  ),
  says('THR-6', 'no rest', burst([201, 403]), 'inconclusive burst#1'),
  says(
    'THR-6',
    'the rest of a bystander',
    [...burst([201, 403]), rested(201, { role: 'readback' })],
    'inconclusive burst#1',
  ),
  says(
    'THR-6',
    'the rest of another operation',
    [...burst([201, 403]), rested(201, notes)],
    'inconclusive burst#1',
  ),
  says(
    'THR-6',
    'one operation reaches the limit, and another meets it',
    [...burst([201, 201]), ...burst([403], notes), rested(201, { ...notes, id: 'rested' })],
    'violated notes',
  ),
  says(
    'THR-6',
    'a bystander is refused',
    [...burst([201, 429]), ...burst([403], { id: 'other', role: 'readback' })],
    'holds burst#1',
  ),
  says('THR-6', 'another pace', burst([201, 403], { deviations: [] })),
];

const bystander = (status: number, more: Partial<Line> = {}): Line => ({
  id: 'bystander',
  role: 'readback',
  as: 'peer',
  status,
  ...more,
});

const others: readonly Case[] = [
  says(
    'THR-7',
    'another integration is served',
    [{ ...refusal, took: 10 }, bystander(201)],
    'holds bystander burst',
  ),
  says(
    'THR-7',
    'it is served after the last 429',
    [{ ...refusal, took: 9 }, bystander(201)],
    'inconclusive bystander burst',
  ),
  says(
    'THR-7',
    'it is served, and a third one is throttled meanwhile',
    [
      refusal,
      bystander(201),
      bystander(429, { id: 'third', as: 'stranger', role: 'test', deviations: pace }),
    ],
    'inconclusive bystander burst',
  ),
  says('THR-7', 'it is throttled', [refusal, bystander(429)], 'violated bystander burst'),
  says(
    'THR-7',
    'it is throttled at a read',
    [refusal, bystander(429, { operation: 'listCases' })],
    'violated bystander burst',
  ),
  says(
    'THR-7',
    'of its requests one is throttled and one is not',
    [refusal, bystander(201), bystander(429, { id: 'bystander-2' })],
    'inconclusive bystander burst',
    'inconclusive bystander-2 burst',
  ),
  says('THR-7', 'reads are throttled, and a command', [...burst([429], reads), bystander(429)]),
  says(
    'THR-7',
    'two operations',
    [...burst([429, 429], { took: 30 }), ...burst([429], notes), bystander(201)],
    'holds bystander burst',
    'holds bystander notes',
  ),
  says('THR-7', 'the same integration', [refusal, bystander(429, { as: 'full' })]),
  says('THR-7', 'a control', [refusal, bystander(429, { role: 'control' })]),
  says('THR-7', 'nobody is throttled', [...burst([201]), bystander(201)]),
  says('THR-7', 'throttled at ease', [{ ...refusal, deviations: [] }, bystander(429)]),
];

/** Pages of one list: before a burst, in it, and after a rest. */
const pages = (shown: readonly (readonly string[])[], more: Partial<Line> = {}): readonly Line[] =>
  shown.map((ids, index) => ({
    id: ['early', 'meanwhile', 'rested'][index] ?? `more-${index}`,
    operation: 'listCases',
    role: index === 1 ? 'test' : 'readback',
    status: 200,
    body: page(ids),
    ...(index === 1 ? { deviations: pace, ...more } : {}),
  }));
const emptied = (
  when: string,
  shown: readonly (readonly string[])[],
  more: Partial<Line> = {},
  ...rulings: readonly string[]
): Case => says('THR-6', `a list ${when}`, pages(shown, more), ...rulings);
const lists: readonly Case[] = [
  emptied(
    'is empty in the burst alone',
    [['case_1'], [], ['case_2', 'case_1']],
    {},
    'violated meanwhile early rested',
  ),
  emptied('shows the record in the burst as well', [['case_1'], ['case_1'], ['case_1']]),
  emptied('shows another record afterwards', [['case_1'], [], ['case_2']]),
  emptied('was empty before', [[], [], ['case_1']]),
  emptied('is empty from then on', [['case_1'], [], []]),
  emptied('is empty at another pace', [['case_1'], [], ['case_1']], { deviations: [] }),
  emptied('is empty for another query', [['case_1'], [], ['case_1']], { query: 'status=closed' }),
  emptied('is empty for another caller', [['case_1'], [], ['case_1']], { as: 'peer' }),
  emptied('is throttled', [['case_1'], [], ['case_1']], { status: 429 }, 'inconclusive meanwhile'),
];

export const throttlingCases: readonly Case[] = [
  ...lists,
  ...onRecords,
  ...pressedRecords,
  ...limits,
  ...usedUp('THR-1'),
  ...usedUp('THR-6'),
  ...waits,
  ...effects,
  ...classes,
  ...others,
];

import { idsWithinCases, togetherWithinCases } from './made-within.ts';
import { says } from './says.ts';
import { change, made, shownRecordCases } from './shown-records.ts';
import { type Case, type Line, lacking, record, reuse } from './trace.ts';

const body = (value: Line['body'], more: Partial<Line> = {}): readonly Line[] => [
  made({ ...(value === undefined ? {} : { body: value }), ...more }),
];
/** Responses that are for other clauses, or for none. */
const others: readonly Line[] = [
  { id: 'a', status: 422, body: [] },
  { id: 'read', operation: 'listCases', status: 200, body: [], type: 'x' },
  made({ id: 'again', role: 'test', body: [], type: 'x', deviations: [reuse('a')] }),
  { id: 'lost', status: undefined },
];
const commands = (first: Partial<Line>, second: Partial<Line>): readonly Line[] => [
  made({ result: 'case_1', ...first }),
  made({ id: 'b', result: 'case_1', ...second }),
];

/** The first record within the one that a body names, and another one that has its number. */
const mentions = (other: string): readonly Line[] => {
  const line = { operation: 'mention', body: { id: 1 } } as const;
  return commands({ ...line, sent: '{"case":"case_7"}' }, { ...line, sent: `{"case":"${other}"}` });
};

/** A body that was refused, and a plain one after it. */
const inVain = (status: number, plain: Partial<Line> = {}, sent = '{"subject":"Ж"}'): readonly Line[] => [
  { id: 'a', role: 'test', status, sent },
  made({ id: 'plain', controls: 'a', ...plain }),
];

const claimed = { kind: 'unknown-member', at: '/status', free: true } as const;

const noted = (value: Line['body']): readonly Line[] => body(value, { operation: 'createNote' });

const undo: Partial<Line> = { operation: 'echo', status: 202 };

export const resultCases: readonly Case[] = [
  ...shownRecordCases,
  ...idsWithinCases,
  ...togetherWithinCases,
  says('CMD-1', 'the declared status', [made()], 'holds a'),
  says('CMD-1', 'another success', [made({ status: 200 })], 'violated a'),
  says(
    'CMD-1',
    'the status of another operation',
    [made(), change({ status: 201 })],
    'holds a',
    'violated change',
  ),
  says('CMD-1', 'noise is no fault', [made({ status: 202, deviations: [{ kind: 'pace' }] })], 'violated a'),
  says('CMD-1', 'answers of another kind', others),
  says('CMD-1', 'a replay with 200 to the one of two at once that came second', [
    [made({ status: 200 }), made({ id: 'b', key: 'a', deviations: [reuse('a')] })],
  ]),
  says(
    'CMD-1',
    'no one of two at once has the declared status',
    [[made({ status: 200 }), made({ id: 'b', key: 'a', status: 200, deviations: [reuse('a')] })]],
    'violated a',
  ),
  says(
    'CMD-1',
    'another status, and a replay later that has the declared one',
    [made({ status: 200 }), made({ id: 'b', key: 'a', deviations: [reuse('a')] })],
    'violated a',
  ),
  says(
    'CMD-1',
    'another status under a key that was refused before',
    [{ id: 'b', key: 'a', status: 401, role: 'test' }, made({ status: 200 })],
    'violated a',
  ),
  says('CMD-1', 'a replay with 200 where the first answer was lost', [
    made({ status: 200, earlier: [undefined] }),
  ]),
  says(
    'CMD-1',
    'a valid body is refused with 422, and another one is accepted',
    inVain(422),
    'inconclusive a (advisory)',
    'holds plain',
  ),
  says(
    'CMD-1',
    'the service fails on a valid body, and accepts another one',
    inVain(500),
    'inconclusive a (advisory)',
    'holds plain',
  ),
  says('CMD-1', 'a gateway may have failed for a moment', inVain(503), 'holds plain'),
  says('CMD-1', 'the same in another class, which may be its state', inVain(409), 'holds plain'),
  says('CMD-1', 'another one is refused with 422 as well', inVain(422, { status: 422 })),
  says('CMD-1', 'a body that does not match is refused', inVain(422, {}, '{"subject":1}'), 'holds plain'),
  says(
    'CMD-1',
    'the same body is accepted a moment later',
    inVain(422, { sent: '{"subject":"Ж"}' }),
    'holds plain',
  ),
  says('CMD-1', '200 after a throttled try', [made({ status: 200, earlier: [429] })], 'violated a'),

  says(
    'CMD-4',
    'a required header is missing',
    [made({ operation: 'echo', status: 202, body: {} })],
    'violated a',
  ),
  says('CMD-2', 'the declared form', body({ id: 'case_/Ä', status: 'open', more: 1 }), 'holds a'),
  says('CMD-2', 'no ID', body({ status: 'open' }), 'violated a'),
  says('CMD-2', 'an ID that is a number', body({ id: 1, status: 'open' }), 'violated a'),
  says('CMD-2', 'another prefix', body({ id: 'Case_1', status: 'open' }), 'violated a'),
  says('CMD-2', 'the prefix alone', body({ id: 'case_', status: 'open' }), 'violated a'),
  says('CMD-2', 'no object', body([{ id: 'case_1', status: 'open' }]), 'violated a'),
  says('CMD-2', 'another member is wrong, which is for CMD-3', body({ id: 'case_1', status: 7 }), 'holds a'),
  says('CMD-2', 'no JSON, which is for CMD-4', body('created')),
  says('CMD-2', 'no declared result', body({ id: 1 }, { operation: 'ping', status: 202 })),
  says('CMD-2', 'answers of another kind', others),
  says('CMD-2', 'where the contract does not say where the ID stands', noted({ id: 1 }), 'violated a'),

  says('CMD-3', 'the declared value', body({ id: 'case_1', status: 'open' }), 'holds a'),
  says('CMD-3', 'the value in upper case', body({ id: 'case_1', status: 'OPEN' }), 'violated a'),
  says('CMD-3', 'no value', body({ id: 'case_1' }), 'violated a'),
  says('CMD-3', 'the ID alone is wrong, which is for CMD-2', body({ id: 1, status: 'open' }), 'holds a'),
  says(
    'CMD-3',
    'a value out of several',
    [change({ body: record('case_1', { status: 'shut' }) })],
    'violated change',
  ),
  says(
    'CMD-3',
    'one of several is missing',
    [change({ body: { id: 'case_1', subject: '', version: '1' } })],
    'violated change',
  ),
  says(
    'CMD-3',
    'another member is wrong, which is for CMD-4',
    [change({ body: record('case_1', { version: 1 }) })],
    'holds change',
  ),
  says('CMD-3', 'no object, or no JSON', [...body([]), made({ id: 'b', body: 'created' })]),
  says(
    'CMD-3',
    'a declared list',
    body([{ kind: 'tag' }], { operation: 'tagCases', status: 200 }),
    'holds a',
  ),
  says(
    'CMD-3',
    'another value in a list',
    body([{ kind: 'x' }], { operation: 'tagCases', status: 200 }),
    'violated a',
  ),
  says(
    'CMD-3',
    'the value that a member asked for which the service alone sets',
    [made({ body: { id: 'case_1', status: 'closed' }, deviations: [claimed] })],
    'violated a',
  ),
  says('CMD-3', 'such a member is ignored', [made({ deviations: [claimed] })], 'holds a'),
  says('CMD-3', 'such a member is refused', [made({ status: 422, deviations: [claimed] })]),
  says('CMD-3', 'no declared result', body({ status: 1 }, { operation: 'ping', status: 202 })),
  says('CMD-3', 'answers of another kind', others),
  says('CMD-3', 'a value below the first level', noted({ id: '', of: { kind: 'x' } }), 'violated a'),
  says('CMD-3', 'one of several below the first level', noted({ id: '', of: { tone: 'x' } }), 'violated a'),
  says('CMD-3', 'a member that may be anything', noted({ id: '', of: 1 }), 'holds a'),

  says('CMD-4', 'one object as JSON', body(undefined), 'holds a'),
  ...['Application/JSON; charset=utf-8', 'application/vnd.case+json', 'application/json ; q=1'].map((type) =>
    says('CMD-4', `as ${type}`, body(undefined, { type }), 'holds a'),
  ),
  ...[
    'text/plain',
    'text/case+json',
    'application/jsonx',
    'application/json+xml',
    'application/problem+json',
    '',
  ].map((type) => says('CMD-4', `as '${type}'`, body(undefined, { type }), 'violated a')),
  ...(
    [
      [['note_1'], 'application/list+json', 'holds'],
      [{ id: 'note_1' }, 'application/list+json', 'violated'],
      [['note_1'], 'application/json', 'violated'],
    ] as const
  ).map(([value, type, ruling]) =>
    says(
      'CMD-4',
      `${JSON.stringify(value)} as ${type}, of which lists alone are declared`,
      body(value, { operation: 'createNote', type }),
      `${ruling} a`,
    ),
  ),
  says('CMD-4', 'an empty body', body(''), 'violated a'),
  says('CMD-4', 'no JSON', body('created'), 'violated a'),
  {
    ...says(
      'CMD-4',
      'JSON behind a byte order mark',
      body('\ufeff{"id":"case_1","status":"open"}'),
      'holds a (advisory)',
    ),
    advisory: true,
  },
  says('CMD-4', 'text behind a byte order mark', body('\ufeffcreated'), 'violated a'),
  says(
    'CMD-4',
    'not what Content-Encoding says',
    body({ id: 'case_1', status: 'open' }, { miscoded: true }),
    'violated a',
  ),
  says('CMD-4', 'longer than the harness keeps', body('{"id":', { truncated: true }), 'holds a'),
  says('CMD-4', 'an array', body([]), 'violated a'),
  says('CMD-4', 'null', body('null'), 'violated a'),
  says(
    'CMD-4',
    'id and status are wrong, which is for CMD-2 and CMD-3',
    body({ id: 1, status: 'OPEN' }),
    'holds a',
  ),
  says(
    'CMD-4',
    'a member of another type',
    [change({ body: record('case_1', { version: 1 }) })],
    'violated change',
  ),
  says(
    'CMD-4',
    'a member is missing',
    [change({ body: { id: 'case_1', status: 'open', subject: '' } })],
    'violated change',
  ),
  says('CMD-4', 'no declared result', body('', { operation: 'wipeCase', status: 204 })),
  says('CMD-4', 'answers of another kind', others),
  ...(
    [
      { operation: 'echo', body: { at: 1 }, headers: [['ETag', '"1"']] },
      { operation: 'submit', body: '', headers: [['Location', '/cases/case_1']] },
    ] as const
  ).flatMap(({ headers, ...line }) => [
    says(
      'CMD-4',
      `a required header of ${line.operation}`,
      [made({ ...line, status: 202, headers })],
      'holds a',
    ),
    says('CMD-4', 'without it', [made({ ...line, status: 202 })], 'violated a'),
  ]),
  says('CMD-4', 'another status, whose headers are open', [
    made({ operation: 'submit', status: 200, body: '' }),
  ]),
  says('CMD-4', 'no media type', body(undefined, { type: null }), 'violated a'),
  says(
    'CMD-4',
    'any object where no shape is declared',
    [made({ operation: 'ping', status: 202, body: { at: 1 } })],
    'holds a',
  ),
  says('CMD-4', 'values that are for CMD-3', noted({ id: 1, of: { kind: 'x', tone: 'x' } }), 'holds a'),

  says('CMD-5', 'ids of their own', commands({}, { result: 'case_2' }), 'holds a', 'holds b'),
  says('CMD-5', 'one id', commands({}, {}), 'holds a', 'violated a b (conclusive)'),
  // What is not said to make records may return one that is there.
  says('CMD-5', 'one id of a command without an effect', commands(undo, undo), 'holds a', 'inconclusive b'),
  {
    ...says(
      'CMD-5',
      'one ID in two traces',
      [made({ id: 'b', result: 'case_1' })],
      'holds a',
      'violated a b (conclusive)',
    ),
    after: [[made({ result: 'case_1' })]],
  },
  says(
    'CMD-5',
    'one key, so that the second is a replay',
    commands({ key: 'k' }, { key: 'k' }),
    'holds a',
    'holds b',
  ),
  says(
    'CMD-5',
    'each scope counts its own records',
    commands({ body: { id: 17 } }, { as: 'abroad', body: { id: 17 } }),
    'holds a',
    'holds b',
  ),
  says(
    'CMD-5',
    'each scope chooses the same ID',
    commands(
      { sent: '{"code":"SUMMER"}', body: { id: 'SUMMER' } },
      { as: 'abroad', sent: '{"code":"SUMMER"}', body: { id: 'SUMMER' } },
    ),
    'holds a',
    'holds b',
  ),
  says('CMD-5', 'records that the bodies name count their own', mentions('case_8'), 'holds a', 'holds b'),
  says(
    'CMD-5',
    'one that both name has one twice',
    mentions('case_7'),
    'holds a',
    'violated a b (conclusive)',
  ),
  says(
    'CMD-5',
    'both commands name the record',
    commands(
      { sent: '{"id":"case_1","note":"a"}', body: { id: 'case_1' } },
      { sent: '{"id":"case_1","note":"b"}', body: { id: 'case_1' } },
    ),
    'holds a',
  ),
  says(
    'CMD-5',
    'one number in one scope',
    commands({ body: { id: 17 } }, { body: { id: 17 } }),
    'holds a',
    'violated a b (conclusive)',
  ),
  says(
    'CMD-5',
    'a refusal refers to the record',
    commands({}, { status: 409, body: { id: 'case_1' } }),
    'holds a',
  ),
  says('CMD-5', 'a duplicate, for IDM-5', commands({}, { deviations: [reuse('a')] }), 'holds a'),
  says('CMD-5', 'a fault that was accepted', commands({}, { deviations: [lacking] }), 'holds a'),
  says(
    'CMD-5',
    'a key that is no plain one',
    commands({}, { key: { use: 'literal', value: 'x' } }),
    'holds a',
  ),
  says('CMD-5', 'no ID', commands({ body: {} }, { body: {} }), 'not-tested a', 'not-tested b'),
  says('CMD-5', 'commands on one target', [
    change(),
    change({ id: 'b' }),
    { id: 'read', operation: 'getCase', on: 'a', status: 200 },
  ]),
  says(
    'CMD-5',
    'ids of two operations are compared apart',
    commands({}, { operation: 'ping', status: 202, body: { id: 'case_1' } }),
    'holds a',
    'holds b',
  ),
];

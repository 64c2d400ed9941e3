import type { Json } from '../../model/json.ts';
import { says } from './says.ts';
import { absent, type Case, type Line, lacking, missing, negative, page, type Shown } from './trace.ts';

const idsOnly = 'holds probe (ids only)';
const spent = 'holds control probe (ids only)';
const kept = 'holds probe read-1 read-2 read-3';
const doubtful = 'inconclusive probe';
const broken = 'violated probe read-1 read-2 read-3 (conclusive)';
/** What an independent read may show: the record of the control, one more, or one that nobody made. */
const own = ['case_1'];
const oneMore = ['case_1', 'case_9'];
const stray = ['case_9'];

const fresh = (status: number | undefined): Line => ({ id: 'fresh', controls: 'probe', status });
const refused = negative(absent, 401);
const controlled = (control: Partial<Line>): Case['trace'] => negative(absent, 401, {}, control);

/** A refusal that is to leave no effect, by the records that an independent read shows. */
const shows = (
  when: string,
  trace: Case['trace'],
  records: readonly string[] | Shown,
  ...rulings: readonly string[]
): Case => ({
  ...says('AUT-10', when, trace, ...rulings),
  shows: isList(records) ? { body: records } : records,
});

function isList(records: readonly string[] | Shown): records is readonly string[] {
  return Array.isArray(records);
}

const partly = (one: Case): Case => ({ ...one, partly: true });

/** A deletion without a key, and the list that has its target before and after. */
const removal = (before: Json, after: Json, between: Case['trace'] = []): Case['trace'] => {
  const look = (observes: 'list-before' | 'list-after', body: Json): Line => ({
    ...{ id: observes, observes, role: 'readback', status: 200, body },
    operation: Array.isArray(after) ? 'listParts' : 'listCases',
  });
  const wipe = { operation: 'wipeCase', on: 'made' } as const;
  const [test, control] = negative({ kind: 'key', how: 'absent' }, 422, { ...wipe, key: 'none' });
  if (test === undefined || control === undefined) throw new Error('there is a test request and a control');
  return [
    { id: 'made', role: 'setup', status: 201, result: 'case_7' },
    look('list-before', Array.isArray(after) ? [{ id: 'case_1' }, { id: 'case_7' }] : before),
    ...between,
    test,
    look('list-after', after),
    control,
  ];
};

export const effectCases: readonly Case[] = [
  shows('the one record is that of the control', refused, own, spent, kept),
  shows('there is no record, nor that of the control', refused, [], spent, `${kept} (ids only)`),
  shows('there is one more', refused, oneMore, spent, broken),
  shows('there is one, and no accepted request', refused.slice(0, 1), stray, broken),
  shows(
    'the control is refused as well',
    controlled({ status: 429 }),
    stray,
    'inconclusive control probe',
    broken,
  ),
  shows('the control names another ID', refused, stray, spent, kept),
  shows('the control names no ID', controlled({ body: {} }), ['case_8', 'case_9'], spent, broken),
  partly(shows('the read did not reach its end', refused, own, spent, doubtful)),
  partly(shows('the read saw enough', refused, oneMore, spent, broken)),
  shows('the record may be that of a lost answer', [...refused, fresh(undefined)], oneMore, spent, doubtful),
  shows(
    'the record may be that of an earlier try',
    controlled({ earlier: [429, undefined] }),
    oneMore,
    spent,
    doubtful,
  ),
  shows(
    'the record may be that of a control that failed',
    [...refused, fresh(502)],
    oneMore,
    spent,
    doubtful,
  ),
  shows(
    'the record may be that of an earlier request that failed',
    controlled({ earlier: [503] }),
    oneMore,
    spent,
    doubtful,
  ),
  shows('the earlier try was throttled', controlled({ earlier: [429] }), oneMore, spent, broken),
  shows(
    'the lost one had another body',
    [...refused, { ...fresh(undefined), name: 'other' }],
    oneMore,
    spent,
    broken,
  ),
  shows('the accepted one had another body', controlled({ name: 'other' }), own, spent, broken),
  shows('refused in another class', negative(absent, 400), own, spent),
  shows('the service fails after a record was made', negative(absent, 500), oneMore, broken),
  shows(
    'it fails on valid commands as well',
    [...negative(absent, 500).slice(0, 1), { ...fresh(500), name: 'other' }],
    own,
    doubtful,
  ),
  shows('throttled', negative(absent, 429), own, 'inconclusive probe'),
  shows('no marker was sent', negative(absent, 401, { sent: '{}' }), own, spent, idsOnly),
  shows('the read did not look for it', refused, {}, spent),
  shows(
    'each sending of a repeated step has a record of its own',
    [...refused, ...negative(absent, 401, { ordinal: 1 }).slice(0, 1)],
    { body: own, 'body#1': stray },
    spent,
    kept,
    broken.replace('probe', 'probe#1'),
  ),
  ...(['holds', 'violated'] as const).map((ruling): Case => {
    const task = { operation: 'addTask', on: 'made', name: 'task' } as const;
    const seenIn = `read-1 read-2 read-3${ruling === 'violated' ? ' (conclusive)' : ''}`;
    return {
      ...says(
        'VAL-7',
        `what is made within a case, which a list of all shows: it ${ruling}`,
        [
          { id: 'made', role: 'setup', status: 201, result: 'case_7' },
          ...negative({ kind: 'body', at: '/due', keyword: 'type' }, 422, task, { name: 'valid' }),
        ],
        `${ruling} probe ${seenIn}`,
      ),
      shows: { task: ruling === 'holds' ? [] : ['1'], valid: ['2'] },
    };
  }),
  ...(
    [
      ['still there', page(['case_1', 'case_7']), 'holds'],
      ['gone', page(['case_1']), 'violated'],
      ['gone, and so is another record, from the whole list', page([]), 'violated'],
      ['gone, and so is another record, from a first page', page(['case_9'], 'next'), 'inconclusive'],
      ['gone from a first page that has all else', page(['case_1', 'case_9'], 'next'), 'violated'],
      ['gone from a list without pages', [{ id: 'case_1' }], 'violated'],
      ['gone from a list without pages, as is another', [{ id: 'case_9' }], 'inconclusive'],
    ] as const
  ).map(([state, after, ruling]) =>
    says(
      'IDM-1',
      `a deletion whose target only a list shows: it is ${state}`,
      removal(page(['case_1', 'case_7']), after),
      'holds probe',
      `${ruling} probe list-before list-after`,
    ),
  ),
  ...(
    [
      ['another deletion of it was accepted', 'made', { status: 204 }, 'inconclusive probe other'],
      ['another deletion of it was lost', 'made', { status: undefined }, 'inconclusive probe other'],
      ['another deletion of it failed', 'made', { status: 500 }, 'inconclusive probe other'],
      [
        'another deletion of it was refused',
        'made',
        { status: 422 },
        'violated probe list-before list-after',
      ],
      [
        'another record was deleted before',
        'second',
        { status: 204 },
        'violated probe list-before list-after',
      ],
    ] as const
  ).map(([when, on, parts, ruling]) =>
    says(
      'IDM-1',
      `a deletion whose target is gone from its list: ${when}`,
      [
        { id: 'second', role: 'setup', status: 201, result: 'case_6' },
        ...removal(page(['case_1', 'case_7']), page(['case_1']), [
          { id: 'other', operation: 'wipeCase', on, role: 'setup', ...parts },
        ]),
      ],
      'holds probe',
      ruling,
    ),
  ),
  says(
    'IDM-1',
    'a deletion whose target the list did not show before',
    removal(page(['case_1']), page(['case_1'])),
    'holds probe',
    idsOnly,
  ),
  says(
    'AUT-10',
    'a command on a target that nobody read',
    negative(absent, 401, { operation: 'closeCase' }),
    spent,
    idsOnly,
  ),
  shows(
    'the request was tried before, and that answer was lost',
    negative(absent, 401, { earlier: [undefined] }),
    oneMore,
    spent,
    broken,
  ),
  shows('the answer was lost, with a record', negative(absent, undefined), oneMore),
  says('PRE-4', 'the answer was lost', negative([missing, lacking], undefined)),
];

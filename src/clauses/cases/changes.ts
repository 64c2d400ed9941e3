import type { Json, JsonObject } from '../../model/json.ts';
import { says } from './says.ts';
import type { Case, Line } from './trace.ts';

/** A change of a record: the reads around it, and its result. */
const change = (
  when: string,
  [before, after]: readonly [Line['body'], Line['body']],
  more: Partial<Line>,
  ...rulings: readonly string[]
): Case => {
  const look = (id: 'before' | 'after', value: Line['body']): Line => ({
    id,
    observes: id,
    operation: 'getCase',
    role: 'readback',
    on: 'a',
    status: value === undefined ? 404 : 200,
    headers: [['Date', 'Thu, 01 Jan 2026 10:00:01 GMT']],
    ...(value === undefined ? {} : { body: value }),
  });
  return says(
    'CMD-6',
    `a change: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      look('before', before),
      { id: 'put', operation: 'closeCase', on: 'a', role: 'test', status: 200, ...more },
      look('after', after),
    ],
    ...rulings,
  );
};
/** A text with the marker of the command, and what the record shows in its place. */
const text = (
  when: string,
  shown: Line['body'],
  ruling: string,
  more: Partial<Line> = {},
  before: Line['body'] = { id: 'case_7', subject: 'of before' },
): Case =>
  change(
    `a text is sent, and the record shows ${when}`,
    [before, typeof shown === 'string' ? { id: 'case_7', subject: shown } : shown],
    {
      operation: 'keepCase',
      status: 204,
      body: '',
      sent: '{"subject":"A probe asy-t-body"}',
      ...more,
    },
    `${ruling} put before after`,
  );
const earlier = { id: 'case_7', subject: 'A probe asy-0123456789abcdef', note: 'a' };
const texts: readonly Case[] = [
  text('it', 'A probe asy-t-body', 'holds'),
  text('another one', 'of somebody', 'violated'),
  text('another one, where there was no record', 'of somebody', 'violated', {}, undefined),
  text(
    'another one in an envelope',
    { data: { id: 'case_7', subject: 'of somebody' } },
    'violated',
    {},
    {
      data: { id: 'case_7', subject: 'of before' },
    },
  ),
  text('another one in an object', { id: 'case_7', of: { subject: 'of somebody' } }, 'violated', {
    sent: '{"of":{"subject":"A probe asy-t-body"}}',
  }),
  text('it in other letters', '  a  PROBE  ASY-T-BODY ', 'holds'),
  text('it as a slug', 'a_probe_asytbody', 'holds'),
  text('its beginning', 'A probe…', 'holds'),
  text('asterisks', 'A p******', 'holds'),
  text('that it was taken out', '[removed by the moderator]', 'holds'),
  text('a code', 'QSBwcm9iZSBhc3ktdC1ib2R5', 'holds'),
  text('a number', { id: 'case_7', subject: 5 }, 'holds'),
  text('nothing of it', { id: 'case_7', status: 'closed' }, 'holds'),
  text('something else, as for a secret', { id: 'case_7', apiKey: 'of somebody' }, 'holds', {
    sent: '{"apiKey":"A probe asy-t-body"}',
  }),
  text('the one of before', 'of before', 'inconclusive'),
  ...(
    [
      ['an earlier command had sent', {}, {}, 'violated'],
      ['an earlier command had sent, next to a new version', { version: 2 }, {}, 'violated'],
      ['an earlier command had sent, next to something new', { note: 'b' }, {}, 'holds'],
      ['an earlier command had sent, and it was only queued', {}, { status: 202 }, 'inconclusive'],
      ['an earlier command had sent, and the result is the record', {}, { body: earlier }, 'violated'],
      [
        'an earlier command had sent, and a change is pending',
        {},
        { body: { changeId: 'c1' } },
        'inconclusive',
      ],
      ['an earlier command had sent, after an action', {}, { operation: 'closeCase' }, 'inconclusive'],
    ] as const
  ).map(([when, also, more, ruling]) =>
    text(`the one that ${when}`, { ...earlier, ...also }, ruling, more, earlier),
  ),
  text('another one, and it was only queued', 'of somebody', 'holds', { status: 202 }),
  text('another one, by an action', 'of somebody', 'holds', { operation: 'closeCase' }),
  text('another one, and the record is a given one', 'of somebody', 'holds', { given: 'case_7' }),
];
/** A record that was put twice, and two reads of its list. */
const twice = (
  when: string,
  items: readonly Json[],
  ruling: readonly string[],
  more: Partial<Line> = {},
): Case => {
  const put: Line = { id: 'put', operation: 'keepCase', given: 'case_7', status: 204, body: '' };
  const list: Line = { id: 'list', operation: 'listCases', status: 200, body: { items, nextCursor: null } };
  return {
    ...says(
      'CMD-6',
      `a list after a record was put twice: ${when}`,
      [{ ...list, at: 5000, ...more }],
      ...ruling,
    ),
    after: [[put, { ...put, id: 'again' }], [{ ...list, at: 100 }]],
  };
};
const of = (id: string, more: JsonObject = {}): Json => ({
  id,
  title: 'a asy-0123456789abcdef',
  changedAt: '2026-01-01T10:00:00Z',
  ...more,
});
const other = of('case_7', { title: 'b asy-fedcba9876543210', changedAt: '2026-01-01T10:00:01Z' });
const lists: readonly Case[] = [
  twice('it has one', [of('case_7'), of('case_8')], []),
  twice('it has two', [of('case_7'), other], ['violated again list list (conclusive)']),
  twice('it has two versions', [of('case_7', { version: 1 }), of('case_7', { version: 2 })], []),
  twice('it has two of another ID', [of('case_8'), of('case_8')], []),
  twice('it has two for a moment', [of('case_7'), other], [], { at: 200 }),
  twice('another scope sees two', [of('case_7'), other], [], { as: 'abroad' }),
];
const open = { id: 'case_7', status: 'open', version: 1 };
const momentary = (second: number) => ({ ...open, doneAt: `2026-01-01T10:00:0${second}Z` });
const served = (tenths: number) => ({ ...open, servedAt: `2026-01-01T10:00:01.${tenths}00Z` });
const shut = { id: 'case_7', status: 'closed', version: 2 };
export const changeCases: readonly Case[] = [
  ...texts,
  ...lists,
  change('the record shows it', [open, shut], { body: shut }, 'holds put before after'),
  change(
    'the record shows something else',
    [open, { ...open, status: 'held' }],
    { body: shut },
    'holds put before after',
  ),
  change('the record reads as before', [open, open], { body: shut }, 'violated put before after'),
  ...(
    [
      [1, 'violated'],
      [2, 'violated'],
      [3, 'inconclusive'],
    ] as const
  ).map(([version, ruling]) =>
    change(
      `its state is as before in version ${version}, and the result was the second`,
      [
        { ...open, version: 1 },
        { ...open, version },
      ],
      { body: { ...shut, version: 2 } },
      `${ruling} put before after`,
    ),
  ),
  change(
    'nothing but the moment of each response is new',
    [served(1), served(3)],
    { body: served(2) },
    'inconclusive put before after',
  ),
  change(
    'the record reads as before, except for its version',
    [open, { ...open, version: 2 }],
    { body: shut },
    'violated put before after',
  ),
  ...['data', 'Data', 'RESULT', 'case'].map((name) =>
    change(
      `the result is wrapped in ${name}`,
      [{ [name]: open }, { [name]: open }],
      { body: { [name]: shut } },
      'violated put before after',
    ),
  ),
  ...(
    [
      ['case', 'violated'],
      ['change', 'inconclusive'],
    ] as const
  ).map(([name, ruling]) =>
    change(
      `the result has no ID, and ${name} around it`,
      [{ case: { note: 'a', kind: 'c' } }, { case: { note: 'a', kind: 'c' } }],
      { body: { [name]: { note: 'b', kind: 'c' } } },
      `${ruling} put before after`,
    ),
  ),
  ...(
    [
      ['of the record', { id: 'case_7', note: 'b' }, 'violated'],
      ['of another record', { id: 'case_8', note: 'b' }, 'inconclusive'],
      ['which does not say of what', { note: 'b' }, 'inconclusive'],
      ['of a request for the change', { changeId: 'chg_1', note: 'b', state: 'pending' }, 'inconclusive'],
    ] as const
  ).map(([of, body, ruling]) =>
    change(
      `what was asked for is in the result ${of}`,
      [
        { id: 'case_7', note: 'a', kind: 'c' },
        { id: 'case_7', note: 'a', kind: 'c' },
      ],
      { sent: '{"note":"b"}', body },
      `${ruling} put before after`,
    ),
  ),
  ...(
    [
      ['the record', { id: 'case_7', slotId: 'slot_2', status: 'open' }, 'violated'],
      ['the record, of which it says little', { id: 'case_7', slotId: 'slot_2' }, 'violated'],
      ['the record, with a reference that nobody sent', { id: 'case_7', slotId: 'slot_3' }, 'inconclusive'],
      ['a copy of it', { id: 'case_8', slotId: 'slot_2', status: 'open' }, 'inconclusive'],
      ['another document', { slotId: 'slot_2', jobId: 'job_1' }, 'inconclusive'],
    ] as const
  ).map(([of, body, ruling]) =>
    change(
      `a reference was sent, the record keeps the earlier one, and the result is ${of}`,
      [
        { id: 'case_7', slotId: 'slot_1', status: 'open' },
        { id: 'case_7', slotId: 'slot_1', status: 'open' },
      ],
      { sent: '{"slotId":"slot_2"}', body },
      `${ruling} put before after`,
    ),
  ),
  change(
    'the result is that of the record that its body names',
    [
      { caseId: 'case_7', ownerId: 'owner_1', status: 'open' },
      { caseId: 'case_7', ownerId: 'owner_1', status: 'open' },
    ],
    { sent: '{"caseId":"case_8"}', body: { caseId: 'case_8', ownerId: 'owner_1', status: 'closed' } },
    'inconclusive put before after',
  ),
  change(
    'the result is another document',
    [open, open],
    { body: { id: 'job_1', status: 'done' } },
    'inconclusive put before after',
  ),
  change('the result says nothing', [open, open], { status: 204, body: '' }, 'inconclusive put before after'),
  change('it was only queued', [open, open], { status: 202, body: shut }, 'inconclusive put before after'),
  ...['updateTime', 'modification_time', 'resourceVersion', 'generation'].map((name) =>
    change(
      `the record and the result differ from before at ${name} alone`,
      [
        { ...open, [name]: 'a' },
        { ...open, [name]: 'b' },
      ],
      { body: { ...open, [name]: 'b' } },
      'inconclusive put before after',
    ),
  ),
  change(
    'the record and the result have its moment, which any read might show',
    [momentary(1), momentary(2)],
    { body: momentary(2) },
    'inconclusive put before after',
  ),
  change(
    'the result alone has another moment',
    [momentary(1), momentary(1)],
    { body: momentary(2) },
    'violated put before after',
  ),
  change('the result is as the record was', [open, open], { body: open }, 'inconclusive put before after'),
  change(
    'there is a record where there was none',
    [undefined, open],
    { body: open },
    'holds put before after',
  ),
  change(
    'there is no record where one was put',
    [undefined, undefined],
    { body: open },
    'violated put before after',
  ),
  change(
    'another caller, which may see its own records alone, finds no record where one was put',
    [undefined, undefined],
    { body: open, as: 'peer' },
    'inconclusive put before after',
  ),
  change('it was refused', [open, open], { status: 409, body: {} }),
  change(
    'the record is gone, and the result says so',
    [open, undefined],
    { body: { removed: true } },
    'holds put before after',
  ),
  change(
    'the record is gone, and the result says nothing',
    [open, undefined],
    { status: 204, body: '' },
    'holds put before after',
  ),
  change(
    'the record is gone after a PATCH, which removes nothing',
    [open, undefined],
    { operation: 'updateCase', status: 204, body: '' },
    'inconclusive put before after',
  ),
  change(
    'the record is gone, and the result shows it',
    [open, undefined],
    { body: shut },
    'inconclusive put before after',
  ),
];

import { says } from './says.ts';
import type { Case, Line } from './trace.ts';

const sent = {
  subject: 'a',
  due: '2026-09-01',
  count: 3,
  tags: ['x', 'y'],
  contact: { name: 'Ada', phone: '+49' },
};
/** When any read shows what was done at first. */
const settled = 6000;
type Members = Readonly<Record<string, unknown>>;
const text = (value: Members): string => JSON.stringify(value);

/** A record as its maker's result shows it, and as the declared read does. */
const made = (
  result: Members,
  read: Members,
  more: Partial<Line> = {},
  at: number = settled,
): Case['trace'] => [
  {
    id: 'a',
    status: 201,
    sent: text(sent),
    body: text({ id: 'case_7', status: 'open', ...sent, ...result }),
    result: 'case_7',
    ...more,
  },
  {
    id: 'read',
    operation: 'getCase',
    on: 'a',
    role: 'readback',
    status: 200,
    at,
    body: text({ id: 'case_7', status: 'open', ...sent, ...result, ...read }),
  },
];

const step = (id: string, operation: string, shown: Members): Line => ({
  id,
  operation,
  on: 'a',
  status: 200,
  sent: text(sent),
  body: text({ id: 'step_1', ...sent, ...shown }),
});

const settings = { banner: 'Closed on Monday', alerts: { email: 'ada@example.org', level: 3 } };
/** What a PUT to the settings of all returns, and what a read shows of them afterwards. */
const kept = (when: string, result: Members, read: Members, ...rulings: readonly string[]): Case =>
  says(
    'CMD-6',
    `of the settings of all, ${when}`,
    [
      {
        id: 'save',
        operation: 'saveSettings',
        role: 'test',
        status: 200,
        sent: text(settings),
        body: text({ ...settings, version: 3, ...result }),
      },
      {
        id: 'look',
        observes: 'after',
        operation: 'readSettings',
        role: 'readback',
        status: 200,
        at: settled,
        body: text({ ...settings, version: 3, ...read }),
      },
    ],
    ...rulings,
  );

const lost = (read: Members): Case =>
  says('CMD-6', `the read has lost ${text(read)}`, made({}, read), 'violated a read');
const fine = (when: string, result: Members, read: Members, more: Partial<Line> = {}): Case =>
  says('CMD-6', when, made(result, read, more));

/** A record that is made with two members, and what the read shows of them. */
const pair = (when: string, given: Members, shown: Members, verdict?: string): Case =>
  says(
    'CMD-6',
    when,
    made(shown, shown, { sent: text({ ...sent, ...given }) }),
    ...(verdict ? [verdict] : []),
  );

/** CMD-6: what the declared read shows of a record before another command is run on it. */
export const madeRecordCases: readonly Case[] = [
  kept('the read shows all', {}, {}),
  kept('the read has lost a text', {}, { banner: undefined }, 'violated save look'),
  kept('the read has lost an object', {}, { alerts: undefined }, 'violated save look'),
  kept('the read has lost a part', {}, { alerts: { level: 3 } }, 'violated save look'),
  kept('the result lacks it as well', { banner: undefined }, { banner: undefined }),
  kept('somebody else has changed them', {}, { banner: undefined, version: 4 }),
  kept('no version shows whether somebody did', { version: undefined }, { banner: undefined }),
  pair(
    'the two sides are exchanged',
    { fromAccountId: 'x-1', toAccountId: 'y-2' },
    { fromAccountId: 'y-2', toAccountId: 'x-1' },
    'violated a read',
  ),
  pair(
    'the two sides are as they were sent',
    { fromAccountId: 'x-1', toAccountId: 'y-2' },
    { fromAccountId: 'x-1', toAccountId: 'y-2' },
  ),
  pair(
    'the two sides are one account',
    { payerId: 'x-1', payeeId: 'x-1' },
    { payerId: 'x-1', payeeId: 'x-1' },
  ),
  pair(
    'a service puts two of a kind into its own order',
    { firstUserId: 'y-2', secondUserId: 'x-1' },
    { firstUserId: 'x-1', secondUserId: 'y-2' },
  ),
  pair(
    'a service puts the ends of a range in order',
    { from: '2027-03-09', to: '2027-03-01' },
    { from: '2027-03-01', to: '2027-03-09' },
  ),
  pair(
    'a negative amount goes the other way',
    { from: 'x-1', to: 'y-2', amount: '-5.00' },
    { from: 'y-2', to: 'x-1', amount: '5.00' },
  ),
  pair('one side alone is another', { from: 'x-1', to: 'y-2' }, { from: 'y-2', to: 'z-3' }),
  lost({ due: null }),
  lost({ due: '' }),
  lost({ count: null }),
  lost({ tags: [] }),
  lost({ tags: ['x'] }),
  lost({ contact: null }),
  lost({ contact: { name: 'Ada', phone: null } }),
  ...(
    [
      ['in UTC', '2026-01-01T08:00:00Z', []],
      ['in another zone', '2026-01-01T03:00:00.000-05:00', []],
      ['without its fraction', '2026-01-01T10:00:00+02:00', []],
      ['without a zone', '2026-01-01T10:00:00', []],
      ['as the same time of day in UTC', '2026-01-01T10:00:00.5Z', ['violated a read']],
      ['as the same time of day in another zone', '2026-01-01T10:00:00+01:00', ['violated a read']],
    ] as const
  ).map(([when, read, rulings]) => {
    const sentAt = { due: '2026-01-01T10:00:00.500+02:00', plan: [{ at: '2026-01-01T10:00:00.500+02:00' }] };
    const shown = { due: sentAt.due, plan: [{ at: read }] };
    return says(
      'CMD-6',
      `the read shows an instant ${when}`,
      made(shown, {}, { sent: text({ ...sent, ...sentAt }) }),
      ...rulings,
    );
  }),
  ...(
    [
      ['Caf\u00e9 1', 'Caf? 1', ['violated a read']],
      ['na\u00efve \u6771', 'na\ufffdve ?', ['violated a read']],
      ['Caf\u00e9 1', 'CAF\u00c9 1', []],
      ['Caf\u00e9 1', 'Cafe\u0301 1', []],
      ['Caf\u00e9 1', 'Cafe 1', []],
      ['1 \u2192 2', '1 ? 2', []],
      ['why 1', 'why?1', []],
      ['\u6771\u4eac 1', '???1', []],
      ['\u6771\u4eac', '??', []],
    ] as const
  ).map(([subject, read, rulings]) =>
    says(
      'CMD-6',
      `the read shows ${JSON.stringify(read)} of the text ${JSON.stringify(subject)}`,
      made({ subject }, { subject: read }, { sent: text({ ...sent, subject }) }),
      ...rulings,
    ),
  ),
  says(
    'CMD-6',
    'the result already shows a question mark',
    made({ subject: 'Caf? 1' }, {}, { sent: text({ ...sent, subject: 'Caf\u00e9 1' }) }),
  ),
  fine('the read shows all of it', {}, { more: 1, tags: ['y', 'x'] }),
  fine('the read shows it in another form', {}, { due: '2026-09-01T00:00:00Z', subject: 'A', count: 3.0 }),
  fine('the read does not show a member', {}, { due: undefined }),
  fine('the result does not show it either', { due: null, tags: [] }, {}),
  fine('the record has gone on by itself', {}, { status: 'closed', due: null }),
  fine('what was queued may be done later', {}, { due: null }, { status: 202 }),
  fine('another caller reads, who may be shown less', {}, { due: null }, { as: 'peer' }),
  says(
    'CMD-6',
    'items that the service takes for one',
    made(
      {},
      { tags: ['x'] },
      {
        sent: text({ ...sent, tags: ['x', ' X'] }),
        body: text({ id: 'case_7', status: 'open', ...sent, tags: ['x', ' X'] }),
      },
    ),
  ),
  ...(
    [
      ['less than the result', { due: null }, 'violated add read'],
      ['all of it', {}, undefined],
      ['another record', { id: 'step_2' }, 'violated add read'],
    ] as const
  ).map(([what, read, ruling]) =>
    says(
      'CMD-6',
      `the read of a record within another one shows ${what}`,
      [
        { id: 'a', role: 'setup', status: 201, result: 'case_7' },
        step('add', 'addStep', {}),
        { ...step('read', 'getStep', read), at: settled },
      ],
      ...(ruling === undefined ? [] : [ruling]),
    ),
  ),
  says('CMD-6', 'the read shows another record', made({}, { id: 'case_6' }), 'violated a read'),
  says(
    'CMD-6',
    'the read shows another ID next to that of the record',
    made({}, { id: 'sum_1', of: 'case_7' }),
  ),
  says('CMD-6', 'the read may come before it shows what was made', made({}, { due: null }, {}, 4000)),
  says(
    'CMD-6',
    'another command was run on it before',
    made({}, { due: null }).flatMap((line, index) =>
      index === 1 ? [{ id: 'change', operation: 'closeCase', on: 'a', status: 409 }, line] : [line],
    ),
  ),
];

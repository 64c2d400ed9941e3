import { says } from './says.ts';
import type { Case, Line } from './trace.ts';

type Members = Readonly<Record<string, unknown>>;
const text = (value: Members): string => JSON.stringify(value);
const sent = {
  subject: 'a',
  count: 300,
  rate: 12.34,
  gift: true,
  kind: 'high',
  due: '2026-09-01',
  tags: ['x', 'y'],
  contact: { name: 'Ada', zip: '12345' },
  apiKey: 'abc',
};

/** A record that is made, or replaced, and read; its result shows what was sent. */
const made = (read: Members, result: Members = {}, more: Partial<Line> = {}): Case['trace'] => [
  {
    id: 'a',
    status: 201,
    sent: text(sent),
    result: 'case_7',
    body: text({ id: 'case_7', status: 'open', ...sent, ...result }),
    ...more,
  },
  {
    id: 'read',
    operation: 'getCase',
    observes: 'after',
    on: 'a',
    role: 'readback',
    status: 200,
    body: text({ id: 'case_7', status: 'open', ...sent, ...result, ...read }),
  },
];
const none = { gift: false, count: 0 };
const replaced = (read: Members): Case['trace'] => [
  { id: 'a', role: 'setup', status: 201, result: 'case_7' },
  { ...(made({}, {}, { id: 'put', operation: 'keepCase', on: 'a', status: 200 })[0] as Line) },
  made(read)[1] as Line,
];

const says6 = (when: string, trace: Case['trace'], ...rulings: readonly string[]): Case => ({
  ...says('CMD-6', `another record shows all that was sent: ${when}`, trace, ...rulings),
  after: [made({})],
});
const other = (read: Members): Case => says6(`this one shows ${text(read)}`, made(read), 'violated a read');
const fine = (read: Members): Case => says6(`this one may show ${text(read)}`, made(read));
/** No other record shows what this one lacks. */
const alone = (when: string, earlier: Case['trace'], trace: Case['trace']): Case => ({
  ...says('CMD-6', `no other record shows it: ${when}`, trace),
  after: [earlier],
});

/** CMD-6 over a run: a member that the result shows as it was sent, and that a read shows of other records alone. */
export const contradictionCases: readonly Case[] = [
  other({ due: undefined }),
  other({ contact: { name: 'Ada' } }),
  other({ tags: undefined }),
  other({ count: 44 }),
  other({ rate: 12 }),
  other({ gift: false }),
  other({ kind: 'normal' }),
  fine({ rate: 12.3 }),
  fine({ rate: '12' }),
  fine({ kind: 'HIGH' }),
  fine({ kind: 'Priority: high' }),
  fine({ kind: '****' }),
  fine({ due: '2026-09-02' }),
  fine({ tags: ['y', 'x'] }),
  fine({ subject: undefined, status: 'closed' }),
  fine({ apiKey: undefined }),
  says6('this one is replaced, and shows something else', replaced({ kind: 'normal' }), 'violated put read'),
  says6('this one is replaced, and shows it', replaced({})),
  says6('an action may show what it took', [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    { ...(made({}, {}, { id: 'take', operation: 'closeCase', on: 'a', status: 200 })[0] as Line) },
    made({ count: 700 })[1] as Line,
  ]),
  says6(
    'what the body names may be counted down',
    made({ count: 700 }, {}, { sent: text({ ...sent, of: 'case_7' }) }),
  ),
  says6('the result does not show it either', made({}, { kind: 'normal' })),
  says6('what was queued may be done later', made({ kind: 'normal' }, {}, { status: 202 })),
  says6('another caller reads', made({ kind: 'normal' }, {}, { as: 'peer' })),
  says(
    'CMD-6',
    'the read declares the schema of the result, and leaves out what was sent',
    replaced({ due: undefined }),
    'violated put read',
  ),
  says('CMD-6', 'the read declares the schema of the result, and leaves out what is false or zero', [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    made({}, none, {
      id: 'put',
      operation: 'keepCase',
      on: 'a',
      sent: text({ ...sent, ...none }),
      status: 200,
    })[0] as Line,
    made({ gift: undefined, count: undefined }, none)[1] as Line,
  ]),
  alone('it is left out of all', made({ due: undefined }), made({ due: undefined })),
  alone(
    'the read shows more to another caller',
    made({}).map((line) => ({ ...line, as: 'peer' })),
    made({ due: undefined }),
  ),
  alone('a flag falls by itself', made({ gift: false }), made({ gift: false })),
  alone('a value is shown that another record was given', made({}, { kind: 'low' }), made({ kind: 'low' })),
  {
    ...says(
      'CMD-6',
      'a later record shows what an earlier one lacks',
      made({}),
      'violated a read (conclusive)',
    ),
    after: [made({ due: undefined })],
  },
];

import type { Json } from '../../model/json.ts';
import { closed, declaring, made } from './repeats.ts';
import { says } from './says.ts';
import { type Case, type Line, type Part, reuse } from './trace.ts';

const other: Line = { id: 'other', role: 'setup', status: 201, result: 'case_8' };
const first: Line = { ...closed, id: 'first', status: 200, key: 'key', result: 'case_7' };
const elsewhere = (status: number | undefined, more: Partial<Line> = {}): Line => ({
  ...closed,
  on: 'other',
  id: 'elsewhere',
  role: 'test',
  status,
  key: 'key',
  result: 'case_8',
  deviations: [reuse('first', 'target')],
  ...more,
});
const control = (status: number): Line => ({
  ...closed,
  on: 'other',
  id: 'control',
  controls: 'elsewhere',
  status,
  result: 'case_8',
});
const look = (id: 'before' | 'after' | 'later', body: Json, status = 200): Line => ({
  id,
  observes: id,
  operation: 'getCase',
  role: 'readback',
  on: 'other',
  status,
  body,
});
const original: Line = {
  ...first,
  id: 'original',
  role: 'test',
  deviations: [reuse('first')],
};
const open = { id: 'case_8', status: 'open' };
const shut = { id: 'case_8', status: 'closed' };
const of = (...parts: readonly Part[]): readonly Part[] => [made, first, other, ...parts];
const idsOnly = 'holds elsewhere (ids only)';

export const otherTargetCases: readonly Case[] = [
  says('IDM-6', 'another target, which the vendor gave, is the first one', [
    made,
    first,
    elsewhere(200, { on: 'made', result: 'case_7' }),
  ]),
  says('IDM-6', 'another target: 409', of(elsewhere(409), control(200)), 'holds elsewhere first', idsOnly),
  says(
    'IDM-6',
    'another target: 409, and it reads as before',
    of(look('before', open), elsewhere(409), look('after', open), control(200)),
    'holds elsewhere first',
    'holds elsewhere before after',
  ),
  says(
    'IDM-6',
    'another target: 409, and it was changed',
    of(look('before', open), elsewhere(409), look('after', shut), control(200)),
    'holds elsewhere first',
    'violated elsewhere before after',
  ),
  says(
    'IDM-6',
    'another target: the result of the first',
    of(elsewhere(200, { result: 'case_7' })),
    'violated elsewhere first (conclusive)',
  ),
  says(
    'IDM-6',
    'another target: the first is named where the result of the first names it, and the target moves by itself',
    [
      made,
      { ...first, body: { caseId: 'case_7' } },
      other,
      look('before', open),
      elsewhere(200, { body: { caseId: 'case_7' } }),
      look('after', shut),
      control(200),
    ],
    'violated elsewhere first (conclusive)',
  ),
  says(
    'IDM-6',
    'another target: the first is named elsewhere in the result',
    [
      made,
      { ...first, body: { caseId: 'case_7' } },
      other,
      look('before', open),
      elsewhere(200, { body: { caseId: 'case_8', closedAfter: 'case_7' } }),
      look('after', shut),
      control(200),
    ],
    'holds elsewhere first (advisory)',
  ),
  ...(
    [
      ['nothing else shows it', [], 'inconclusive elsewhere first'],
      [
        'the same under a new key gets the next',
        [{ ...control(200), body: { id: 2 } }],
        'inconclusive elsewhere first',
      ],
      [
        'the same under a new key gets it again',
        [{ ...control(200), body: { id: 1 } }],
        'violated elsewhere first (conclusive)',
      ],
    ] as const
  ).map(([when, more, ruling]) =>
    says(
      'IDM-6',
      `another target: a number that each target may give, ${when}`,
      [made, { ...first, body: { id: 1 } }, other, elsewhere(200, { body: { id: 1 } }), ...more],
      ruling,
    ),
  ),
  ...(
    [
      ['the moment of the first', '10:00:00.123Z', '10:00:05.456Z', {}, 'violated'],
      ['the same moment as all', '10:00:00.123Z', '10:00:00.123Z', {}, 'inconclusive'],
      ['the same second', '10:00:00Z', '10:00:05Z', {}, 'inconclusive'],
      ['the same second, as a fraction', '10:00:00.000Z', '10:00:05.000Z', {}, 'inconclusive'],
      ['the request ID of the first', '10:00:00Z', '10:00:05Z', { requestId: 'req_1' }, 'violated'],
    ] as const
  ).map(([what, time, later, more, verdict]) =>
    says(
      'IDM-6',
      `another target: a number that each target may give, and ${what}`,
      [
        made,
        { ...first, body: { id: 1, at: `2027-03-02T${time}` }, ...more },
        other,
        elsewhere(200, { body: { id: 1, at: `2027-03-02T${time}` }, ...more }),
        { ...control(200), body: { id: 2, at: `2027-03-02T${later}` } },
      ],
      verdict === 'violated' ? 'violated elsewhere first (conclusive)' : 'inconclusive elsewhere first',
    ),
  ),
  says(
    'IDM-6',
    'another target: a result of its own',
    of(look('before', open), elsewhere(200), look('after', shut), control(409)),
    'holds elsewhere first (advisory)',
  ),
  ...[
    ...['caller', 'tenant', 'global'].map(
      (space) => [space, 'violated elsewhere first (conclusive)'] as const,
    ),
    // Its own result is legal where a key may be unique within an operation alone.
    ...['caller-operation', 'tenant-operation'].map(
      (space) => [space, 'holds elsewhere first (advisory)'] as const,
    ),
  ].map(([space, expected]) =>
    declaring(
      'G18',
      space,
      says(
        'IDM-6',
        `another target: a result of its own, where the key space is ${space}`,
        of(elsewhere(200)),
        expected,
      ),
    ),
  ),
  says(
    'IDM-6',
    'another target: success without an ID, and nothing was done',
    of(
      look('before', open),
      elsewhere(204, { body: '' }),
      look('after', open),
      control(200),
      look('later', shut),
    ),
    'violated elsewhere first',
  ),
  ...(
    [
      [200, 'violated elsewhere first'],
      [202, 'inconclusive elsewhere first'],
    ] as const
  ).map(([status, ruling]) =>
    says(
      'IDM-6',
      `another target: ${status} with the number of the first, and no record until the control`,
      [
        made,
        { ...first, body: { id: 1 } },
        other,
        look('before', {}, 404),
        elsewhere(status, { body: { id: 1 } }),
        look('after', {}, 404),
        { ...control(200), body: { id: 2 } },
        look('later', shut),
      ],
      ruling,
    ),
  ),
  says(
    'IDM-6',
    'another target: a result of its own, which the target does not show before the control',
    of(look('before', open), elsewhere(200), look('after', open), control(200), look('later', shut)),
    'holds elsewhere first (advisory)',
  ),
  says(
    'IDM-6',
    'another target: success without an ID, and what the command does is never seen',
    of(
      look('before', open),
      elsewhere(204, { body: '' }),
      look('after', open),
      control(200),
      look('later', open),
    ),
    'inconclusive elsewhere first',
  ),
  says(
    'IDM-6',
    'another target: success without an ID, and it was done',
    of(look('before', open), elsewhere(204, { body: '' }), look('after', shut), control(409)),
    'holds elsewhere first (advisory)',
  ),
  says(
    'IDM-6',
    'another target: another class',
    of(elsewhere(422), control(200)),
    'violated elsewhere first',
  ),
  says(
    'IDM-6',
    'another target: another class, under a fresh key as well',
    of(elsewhere(422), control(422)),
    'inconclusive elsewhere first',
  ),
  ...[429, undefined].map((status) =>
    says(
      'IDM-6',
      `another target: ${status}`,
      of(elsewhere(status)),
      'inconclusive elsewhere first',
      ...(status === 429 ? ['inconclusive elsewhere'] : []),
    ),
  ),
  says('IDM-6', 'another target: the first one was refused', [
    made,
    { ...first, status: 409 },
    other,
    elsewhere(200, { result: 'case_7' }),
  ]),
  says(
    'IDM-7',
    'after another target: the first result',
    of(elsewhere(409), original),
    'holds original first',
  ),
  says(
    'IDM-7',
    'after another target: another result',
    of(elsewhere(409), { ...original, result: 'case_8' }),
    'violated original first (conclusive)',
  ),
  says(
    'IDM-20',
    'what another target came to is not that of the first',
    of(look('before', open), elsewhere(200), look('after', shut), original),
  ),
];

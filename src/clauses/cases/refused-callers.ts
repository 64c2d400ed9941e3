import { made, permission } from './permissions.ts';
import { apart, says } from './says.ts';
import { absent, type Case, type Line, lacking, missing, negative, reuse } from './trace.ts';

const idsOnly = 'holds probe (ids only)';

/** The target as it was read. */
const read = (id: `${'before' | 'after'}${string}`, version: string, more: Partial<Line> = {}): Line => ({
  id,
  observes: id.startsWith('before') ? 'before' : 'after',
  role: 'readback',
  operation: 'getCase',
  on: 'made',
  status: 200,
  body: { version },
  ...more,
});
const closing = { operation: 'closeCase', on: 'made' } as const;
const targets = (before: readonly Line[], after: readonly Line[], status = 403): Case['trace'] => [
  made,
  ...before,
  ...negative(lacking, status, closing).slice(0, 1),
  ...after,
  ...negative(lacking, status, closing).slice(1),
];
const occupied: readonly Case[] = [
  says(
    'PRM-6',
    'key and target are as before',
    negative(lacking, 403),
    'holds control probe (ids only)',
    idsOnly,
  ),
  says(
    'PRM-6',
    'the key is spent',
    [...negative(lacking, 403, {}, { status: 409 }), { id: 'fresh', controls: 'probe', status: 201 }],
    'violated control probe fresh',
    'inconclusive probe',
  ),
  ...(
    [
      [201, 'holds later probe (ids only)'],
      [403, 'violated later probe fresh'],
    ] as const
  ).map(([status, expected]) =>
    says(
      'PRM-6',
      `the key is refused, another one is accepted, and then the first one returns ${status}`,
      [
        ...negative(permission('withdrawn'), 403, {}, { status: 403 }),
        { id: 'fresh', controls: 'probe', status: 201 },
        { id: 'later', controls: 'probe', status, key: 'key' },
      ],
      expected,
      ...(status === 201 ? [idsOnly] : ['inconclusive probe' as const]),
    ),
  ),
  says(
    'PRM-6',
    'another fault as well, or another',
    apart(negative([lacking, missing], 403), negative(absent, 401)),
  ),
  says(
    'PRM-6',
    'the target is as before',
    targets([read('before', '1')], [read('after', '1')]),
    'holds control probe (ids only)',
    'holds probe before after',
  ),
  says(
    'PRM-6',
    'the target was changed',
    targets([read('before', '1')], [read('after', '2')]),
    'holds control probe (ids only)',
    'violated probe before after',
  ),
  says(
    'PRM-6',
    'the last read before and the first behind count',
    targets([read('before-1', '0'), read('before-2', '1')], [read('after-1', '1'), read('after-2', '2')]),
    'holds control probe (ids only)',
    'holds probe before-2 after-1',
  ),
  says(
    'PRM-6',
    'refused in another class, and the target is as before',
    targets([read('before', '1')], [read('after', '1')], 409),
    'holds control probe (ids only)',
  ),
  says(
    'PRM-6',
    'refused in another class, and the target was changed',
    targets([read('before', '1')], [read('after', '2')], 409),
    'holds control probe (ids only)',
    'violated probe before after',
  ),
  says(
    'PRM-6',
    'the target could not be read before',
    targets([read('before', '1', { status: 404 })], [read('after', '1')]),
    'holds control probe (ids only)',
    'inconclusive probe before after',
  ),
  says(
    'PRM-6',
    'the target could not be read afterwards',
    targets([read('before', '1')], [read('after', '2', { status: 503 })]),
    'holds control probe (ids only)',
    'inconclusive probe before after',
  ),
  says(
    'PRM-6',
    'a read was lost before',
    targets([read('before', '1', { status: undefined })], [read('after', '1')]),
    'holds control probe (ids only)',
    'inconclusive probe before after',
  ),
  says(
    'PRM-6',
    'a read was lost afterwards',
    targets([read('before', '1')], [read('after', '1', { status: undefined })]),
    'holds control probe (ids only)',
    'inconclusive probe before after',
  ),
  says(
    'PRM-6',
    'the target was read before alone',
    targets([read('before', '1')], []),
    'holds control probe (ids only)',
    idsOnly,
  ),
  says(
    'PRM-6',
    'the target was read afterwards alone',
    targets([], [read('after', '1')]),
    'holds control probe (ids only)',
    idsOnly,
  ),
  says(
    'PRM-6',
    'both reads came before',
    targets([read('before', '1'), read('after', '2')], []),
    'holds control probe (ids only)',
    idsOnly,
  ),
  says(
    'PRM-6',
    'both reads came afterwards',
    targets([], [read('before', '1'), read('after', '2')]),
    'holds control probe (ids only)',
    idsOnly,
  ),
  says(
    'PRM-6',
    'no read before',
    targets([read('before', '1', { observes: undefined })], [read('after', '2')]),
    'holds control probe (ids only)',
    idsOnly,
  ),
  says(
    'PRM-6',
    'no read afterwards',
    targets([read('before', '1')], [read('after', '2', { observes: undefined })]),
    'holds control probe (ids only)',
    idsOnly,
  ),
];

const borrowed = (
  status: number,
  more: Partial<Line> = {},
  deviations: Line['deviations'] = [lacking, reuse('first')],
): readonly Line[] => [
  { id: 'first', key: 'k', status: 201, result: 'case_7', controls: 'again' },
  { id: 'again', role: 'test', as: 'nobody', key: 'k', status, deviations, ...more },
];
const replays: readonly Case[] = [
  says('PRM-8', 'it is refused', borrowed(403), 'holds again', 'holds again'),
  says('PRM-8', 'the result is replayed', borrowed(201, { result: 'case_7' }), 'violated again (conclusive)'),
  says('PRM-8', 'a conflict is reported', borrowed(409), 'violated again', 'holds again'),
  says(
    'PRM-8',
    'the refusal names the record',
    borrowed(403, { body: { of: 'case_7' } }),
    'holds again',
    'violated again',
  ),
  says(
    'PRM-8',
    'the refusal names another record',
    borrowed(403, { body: { of: 'case_8' } }),
    'holds again',
    'holds again',
  ),
  says(
    'PRM-8',
    'the refusal names a record of its own caller',
    borrowed(403, { as: 'full', body: { of: 'case_7' } }),
    'holds again',
    'holds again',
  ),
  says(
    'PRM-8',
    'the first one was refused, and names a record',
    [
      { id: 'first', key: 'k', status: 409, body: { id: 'case_7' } },
      ...borrowed(403, { body: { of: 'case_7' } }).slice(1),
    ],
    'inconclusive again',
    'inconclusive again',
  ),
  says(
    'PRM-8',
    'the first one names no record',
    [{ id: 'first', key: 'k', status: 201, body: {} }, ...borrowed(403).slice(1)],
    'holds again',
    'holds again',
  ),
  says(
    'PRM-8',
    'the refusal names a record whose ID begins like it',
    borrowed(403, { body: { of: 'case_71' } }),
    'holds again',
    'holds again',
  ),
  says(
    'PRM-8',
    'the refusal names the path that was asked for',
    [
      { id: 'made', role: 'setup', status: 201, result: 'case_7' },
      ...borrowed(403, { body: { instance: '/cases/case_7/closure' } }).map((line) => ({
        ...line,
        operation: 'closeCase',
        on: 'made',
      })),
    ],
    'holds again',
    'holds again',
  ),
  says('PRM-8', 'another fault than a used key', borrowed(201, {}, [lacking, missing])),
  says('PRM-8', 'a third fault', borrowed(201, {}, [lacking, reuse('first'), missing])),
  says('PRM-8', 'a permission alone, or a key alone', [
    ...borrowed(403, {}, [lacking]),
    { id: 'other', role: 'test', status: 409, deviations: [reuse('first')] },
    { id: 'another', role: 'test', status: 409, deviations: [reuse('first'), missing] },
  ]),
];

const secondRead = (status: number): readonly Line[] => [
  { id: 'first', operation: 'listCases', status: 200, body: { items: [] }, controls: 'again' },
  {
    id: 'again',
    role: 'test',
    operation: 'listCases',
    status,
    ...(status === 200 ? { body: { items: [] } } : {}),
    deviations: [permission('withdrawn')],
  },
];

const withdrawn: readonly Case[] = [
  says('PRM-10', 'a second read is refused', secondRead(403), 'holds again'),
  {
    ...says('PRM-10', 'a second read succeeds', secondRead(200), 'violated again (conclusive)'),
    declares: { G10: 'replay' },
  },
  says(
    'PRM-10',
    'a permission that was not withdrawn, or none at fault',
    apart(negative(lacking, 201), negative(missing, 201)),
  ),
  says(
    'PRM-10',
    'the result is replayed',
    borrowed(201, {}, [permission('withdrawn'), reuse('first')]),
    'violated again (conclusive)',
  ),
  {
    ...says(
      'PRM-10',
      'as declared',
      borrowed(201, {}, [permission('withdrawn'), reuse('first')]),
      'holds again',
    ),
    declares: { G10: 'replay' },
  },
  {
    ...says('ERR-1', 'as declared', borrowed(201, {}, [permission('withdrawn'), reuse('first')])),
    declares: { G10: 'replay' },
  },
];

/** What a caller who may not leaves behind, and what it learns of results that are stored. */
export const refusedCallerCases: readonly Case[] = [...occupied, ...replays, ...withdrawn];

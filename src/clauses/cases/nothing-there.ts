import type { Deviation } from '../../model/scenario.ts';
import { says } from './says.ts';
import { type Case, type Line, negative, record } from './trace.ts';

const absent: Deviation = { kind: 'target', how: 'absent' };
const patch = { operation: 'updateCase', given: 'case_none' } as const;
const post = { operation: 'closeCase', given: 'case_none' } as const;
const within = { operation: 'addPart', given: 'case_none', body: { id: 'part_1' } } as const;
const listed = { operation: 'listParts', body: [] } as const;

/** A command on a record that does not exist; then a read of that record, and one of a record that does exist. */
const onNothing = (
  probe: Partial<Line> & { readonly status: number },
  reads: { readonly absent?: Partial<Line>; readonly there?: Partial<Line> } = {},
): Case['trace'] => {
  const [test, control] = negative(absent, probe.status, probe, {
    key: 'other',
    given: 'case_7',
    status: 200,
  });
  const read = { role: 'readback', operation: 'getCase' } as const;
  return [
    ...(test === undefined ? [] : [test]),
    {
      ...{ id: 'none', ...read, given: 'case_none', status: 404, deviations: [absent], body: {} },
      ...reads.absent,
    },
    { id: 'there', ...read, given: 'case_7', status: 200, body: record('case_7'), ...reads.there },
    ...(control === undefined ? [] : [control]),
  ];
};
const found = 'violated probe none there';

/** Commands that are accepted for records that do not exist. */
export const nothingThereCases: readonly Case[] = [
  says('ERR-1', 'a PATCH of no record is accepted', onNothing({ ...patch, status: 200, body: {} }), found),
  says('ERR-1', 'it has no result', onNothing({ ...patch, status: 204 }), found),
  says(
    'ERR-1',
    'the read says that the record is gone',
    onNothing({ ...patch, status: 200, body: {} }, { absent: { status: 410 } }),
    found,
  ),
  says(
    'ERR-1',
    'the result of a POST is the record that does not exist',
    onNothing({ ...post, status: 200, body: record('case_none') }),
    found,
  ),
  says('ERR-1', 'a POST may have nothing to do', onNothing({ ...post, status: 200, body: {} })),
  says('ERR-1', 'its result is another record', onNothing({ ...post, status: 200, body: record('case_8') })),
  says('ERR-1', 'the PATCH is queued', onNothing({ ...patch, status: 202, body: {} })),
  says(
    'ERR-1',
    'the PATCH made the record',
    onNothing({ ...patch, status: 200, body: {} }, { absent: { status: 200, body: record('case_none') } }),
  ),
  says(
    'ERR-1',
    'no record can be read',
    onNothing({ ...patch, status: 200, body: {} }, { there: { status: 404, body: {} } }),
  ),
  says(
    'ERR-1',
    'the read was throttled',
    onNothing({ ...patch, status: 200, body: {} }, { absent: { status: 429 } }),
  ),
  says('ERR-1', 'the PATCH is refused', onNothing({ ...patch, status: 404, body: {} }), 'holds probe'),
  says(
    'ERR-1',
    'something is made within no record, and its declared list is not found',
    onNothing(
      { ...within, status: 201 },
      { absent: { ...listed, status: 404, body: {} }, there: { ...listed } },
    ),
    found,
  ),
  says(
    'ERR-1',
    'the record comes to be with what is made within it',
    onNothing({ ...within, status: 201 }, { absent: { ...listed, status: 200 }, there: { ...listed } }),
  ),
  says(
    'ERR-1',
    'what is made within no record is shown elsewhere',
    onNothing({ ...within, operation: 'addTask', status: 201 }),
  ),
  says(
    'ERR-1',
    'what is to be made within no record is queued',
    onNothing(
      { ...within, status: 202 },
      { absent: { ...listed, status: 404, body: {} }, there: { ...listed } },
    ),
  ),
  says(
    'ERR-1',
    'what is removed need not be there',
    onNothing({ operation: 'wipeCase', given: 'case_none', status: 204 }),
  ),
];

import type { Deviation } from '../../model/scenario.ts';
import { apart, says } from './says.ts';
import { absent, type Case, lacking, missing, negative, reuse } from './trace.ts';

const idsOnly = 'holds probe (ids only)';
const query: Deviation = { kind: 'query', field: 'limit', keyword: 'type' };
const others: readonly Deviation[] = [
  missing,
  { kind: 'body-syntax' },
  { kind: 'key', how: 'absent' },
  reuse('first'),
  { kind: 'version', how: 'stale' },
  { kind: 'media-type' },
  { kind: 'conflict' },
];
const precedence: readonly Case[] = [
  ...others.map((fault) =>
    says('PRE-2', `${fault.kind} is not reported`, negative([lacking, fault], 403), 'holds probe'),
  ),
  says(
    'PRE-2',
    'query is not reported',
    negative([lacking, query], 403, { operation: 'listCases' }),
    'holds probe',
  ),
  says(
    'PRE-2',
    'the body is checked first (G11)',
    negative([lacking, missing], 422),
    'holds probe (advisory)',
  ),
  ...(['absent', 'blank'] as const).map((how) =>
    says(
      'PRE-2',
      `the key is missed first, as the body may be (G11): ${how}`,
      negative([lacking, { kind: 'key', how }], 422),
      'holds probe (advisory)',
    ),
  ),
  ...(['absent', 'garbage'] as const).map((how) =>
    says(
      'PRE-2',
      `the header of the version is checked first, as the body may be (G11): ${how}`,
      negative([lacking, { kind: 'version', how }], 422),
      'holds probe (advisory)',
    ),
  ),
  says(
    'PRE-2',
    'a malformed version is a conflict',
    negative([lacking, { kind: 'version', how: 'garbage' }], 409),
    'violated probe',
  ),
  says(
    'PRE-2',
    'the key is missed first, as a conflict (G2)',
    negative([lacking, { kind: 'key', how: 'absent' }], 409),
    'holds probe (advisory)',
  ),
  says(
    'PRE-2',
    'the key is missed first, as a bad request (G2)',
    negative([lacking, { kind: 'key', how: 'absent' }], 400),
    'holds probe (advisory)',
  ),
  says(
    'PRE-2',
    'the key is missed first, as an absent record',
    negative([lacking, { kind: 'key', how: 'absent' }], 404),
    'violated probe',
  ),
  says(
    'PRE-2',
    'the form of the key is reported',
    negative([lacking, { kind: 'key', how: 'odd' }], 422),
    'violated probe',
  ),
  says('PRE-2', 'the used key is reported', negative([lacking, reuse('first')], 422), 'violated probe'),
  {
    ...says(
      'PRE-2',
      'the key is missed first, not as declared',
      negative([lacking, { kind: 'key', how: 'absent' }], 422),
      'violated probe',
    ),
    declares: { G11: 403 },
  },
  says(
    'PRE-2',
    'the body is checked first, whatever else is wrong',
    negative([lacking, missing, { kind: 'version', how: 'stale' }], 422),
    'holds probe (advisory)',
  ),
  {
    ...says('PRE-2', 'not as declared', negative([lacking, missing], 422), 'violated probe'),
    declares: { G11: 403 },
  },
  {
    ...says('PRE-2', 'as declared', negative([lacking, missing], 422), 'holds probe'),
    declares: { G11: 'lenient' },
  },
  says(
    'PRE-2',
    'a read without query fields has none that could be reported',
    negative([lacking, query], 422, { operation: 'getCase' }),
  ),
  says(
    'PRE-2',
    'a credential at fault, one fault, noise, or the permission is there',
    apart(
      negative([lacking, absent, missing], 422),
      negative(lacking, 422),
      negative([lacking, { kind: 'path-noise' }], 422),
      negative([missing, reuse('first')], 201),
    ),
  ),
];

const absentKey: Deviation = { kind: 'key', how: 'absent' };
const bound = reuse('first', 'request');
const both: readonly Case[] = [
  ...[422, 409].map((status) =>
    says('PRE-3', `used key: ${status}`, negative([missing, bound], status), 'holds probe'),
  ),
  says('PRE-3', 'no key: 422', negative([missing, absentKey], 422), 'holds probe'),
  says('PRE-3', 'no key: 409', negative([missing, absentKey], 409), 'holds probe (advisory)'),
  says('PRE-3', 'no key: 404', negative([missing, absentKey], 404), 'violated probe'),
  says('PRE-3', 'it is served', negative([missing, bound], 201), 'violated probe (conclusive)'),
  says(
    'PRE-3',
    'one fault, three, or others',
    apart(
      negative(missing, 201),
      negative([missing, bound, absentKey], 201),
      negative([bound, absentKey], 201),
      negative([missing, reuse('first')], 201),
      negative([missing, { kind: 'key', how: 'blank' }], 201),
      negative([missing, { kind: 'conflict' }], 201),
    ),
  ),
  says('PRE-4', 'it is refused', negative([missing, absentKey], 422), 'holds probe', idsOnly),
  says(
    'PRE-4',
    'it is refused in a third class',
    negative([missing, absentKey], 404),
    'holds probe',
    idsOnly,
  ),
  says(
    'PRE-4',
    'a command without a body',
    negative([lacking, absentKey], 403, { operation: 'ping' }),
    'holds probe',
  ),
  says('PRE-4', 'it is served', negative([missing, absentKey], 201), 'violated probe (conclusive)'),
  ...[500, 503].map((status) =>
    says(
      'PRE-4',
      `the service fails with ${status}`,
      negative([missing, absentKey], status),
      'violated probe',
    ),
  ),
  says('PRE-4', 'it is throttled', negative([missing, absentKey], 429), 'inconclusive probe'),
  says('PRE-4', 'one of the two may succeed', negative([missing, { kind: 'media-type' }], 201)),
  says(
    'PRE-4',
    'no probe, or one fault',
    apart(negative([missing, absentKey], 201, { role: 'control' }), negative(missing, 201)),
  ),
  says('PRE-4', 'one fault that was refused', negative(missing, 422)),
  says(
    'PRE-4',
    'a used key has records of its own',
    negative([missing, reuse('first', 'request')], 409),
    'holds probe',
  ),
  {
    ...says(
      'PRE-4',
      'there is a record',
      negative([missing, absentKey], 422).slice(0, 1),
      'inconclusive probe',
      'violated probe read-1 read-2 read-3 (conclusive)',
    ),
    shows: { body: ['case_9'] },
  },
];

export const precedenceCases: readonly Case[] = [...precedence, ...both];

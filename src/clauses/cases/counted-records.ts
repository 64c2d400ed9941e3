import type { Json } from '../../model/json.ts';
import type { Deviation } from '../../model/scenario.ts';
import { made } from './repeats.ts';
import { says } from './says.ts';
import { type Case, type Line, record } from './trace.ts';

const scope: Deviation = { kind: 'scope' };

/** Each scope counts its own records: number 7 of the other scope may be a record of its own. */
const seventh: Line = { id: 'made', role: 'setup', status: 201, result: '7', name: 'made' };
const onSeventh = { on: 'made' } as const;
const seventhRead = (id: string, more: Partial<Line> = {}): Line => ({
  id,
  role: 'readback',
  operation: 'getCase',
  status: 200,
  ...onSeventh,
  ...more,
});
const theirs = record('7', { subject: 'first' });
const closing = (status: number, more: Partial<Line>): Line => ({
  id: 'probe',
  role: 'test',
  status,
  operation: 'closeCase',
  as: 'abroad',
  deviations: [scope],
  ...more,
});
const closed = (status: number, after: Json, more: Partial<Line> = {}): Case['trace'] => [
  seventh,
  seventhRead('before', { observes: 'before', body: theirs }),
  closing(status, { ...onSeventh, ...more }),
  seventhRead('after', { observes: 'after', body: after }),
  { id: 'control', controls: 'probe', status: 200, operation: 'closeCase', ...onSeventh },
];
const looked = (body: Json, own: Json = theirs): Case['trace'] => [
  seventh,
  seventhRead('probe', { role: 'test', as: 'abroad', deviations: [scope], body }),
  seventhRead('control', { role: 'control', controls: 'probe', body: own }),
];
/** An e-mail address that the maker sent names a record of each scope; what has a marker names one alone. */
const keyed = (key: string, own: Json): Case['trace'] => [
  { id: 'made', role: 'setup', status: 201, result: key, sent: JSON.stringify({ email: key }) },
  seventhRead('probe', { role: 'test', as: 'abroad', deviations: [scope], body: own }),
  seventhRead('control', { controls: 'probe', body: record(key, { subject: 'first' }) }),
];
const address = 'ada@shop.example';
/** A record that the vendor gave under a name that each scope may have. */
const given = (status: number): Case['trace'] => [
  closing(status, { given: 'orders' }),
  { id: 'control', controls: 'probe', status: 200, operation: 'closeCase', given: 'orders' },
];
/** A record that a command of the vendor made: for which scope, its own caller shows. */
const handed = (status: number, own: number): Case['trace'] => [
  { hook: 'target of closeCase', as: 'handed', input: { principal: 'full', operation: 'closeCase' } },
  closing(status, { on: 'handed' }),
  { id: 'control', controls: 'probe', status: own, operation: 'closeCase', on: 'handed' },
];
/** A record that a list showed first, as it shows currencies, of which every scope has the same. */
const firstListed = (status: number, body: Json = theirs): Case['trace'] => [
  {
    id: 'made',
    role: 'setup',
    operation: 'listCases',
    status: 200,
    result: 'case_0123456789abcdef0123456789',
  },
  seventhRead('probe', { role: 'test', as: 'abroad', deviations: [scope], status, body }),
  seventhRead('control', { role: 'control', controls: 'probe', body: theirs }),
];
const counted: readonly Case[] = [
  says('PRM-5', 'a record of a list: both read the same', firstListed(200), 'inconclusive probe'),
  says('ERR-1', 'a record of a list: both read the same', firstListed(200)),
  says('PRM-5', 'a record of a list: it is refused', firstListed(404, {}), 'holds probe'),
  ...['PRM-5', 'RDS-7', 'ERR-1'].map((clause) =>
    says(
      clause,
      'a natural key: it reads a case of its own',
      keyed(address, record(address, { subject: 'second' })),
      ...(clause === 'PRM-5' ? ['holds probe control'] : []),
    ),
  ),
  says(
    'PRM-5',
    'a natural key with a marker names one record',
    keyed(
      'asy-0123456789abcdef@shop.example',
      record('asy-0123456789abcdef@shop.example', { subject: 'second' }),
    ),
    'violated probe (conclusive)',
  ),
  says('PRM-5', 'a given name: its own case is closed already', given(409), 'inconclusive probe'),
  says('PRM-5', 'a given name: it is refused', given(404), 'holds probe'),
  says('PRM-5', 'a given name: the body is wrong', given(422), 'violated probe'),
  ...[403, 404].flatMap((own) => [
    says(
      'PRM-5',
      `a target handed over, for which its scope gets ${own}`,
      handed(200, own),
      'inconclusive probe control',
    ),
    says('ERR-1', `a target handed over, for which its scope gets ${own}`, handed(200, own)),
  ]),
  says(
    'PRM-5',
    'a target handed over, closed by the other scope',
    handed(200, 409),
    'violated probe (conclusive)',
  ),
  says('PRM-5', 'a target handed over: it is refused', handed(404, 200), 'holds probe'),
  says('PRM-5', 'a number: it closes a case of its own', closed(200, theirs), 'holds probe before after'),
  says(
    'PRM-5',
    'a number: it closes the case of the other scope',
    closed(200, record('7', { subject: 'first', status: 'closed' })),
    'violated probe before after',
  ),
  says(
    'PRM-5',
    'a number: the response shows what the other scope wrote',
    closed(200, theirs, { body: record('7', { subject: 'asy-t-made' }) }),
    'violated probe made (conclusive)',
  ),
  says('PRM-5', 'it is refused, and the record stays', closed(404, theirs), 'holds probe'),
  ...[403, 404].map((status) =>
    says(
      'PRM-5',
      `it is refused with ${status}, and the record of the other scope changes`,
      closed(status, record('7', { subject: 'changed' })),
      'holds probe',
      'violated probe before after',
    ),
  ),
  says('PRM-5', 'a number: its own case is closed already', closed(409, theirs), 'inconclusive probe'),
  says(
    'PRM-5',
    'it is refused with what the other scope wrote',
    closed(403, theirs, { body: { detail: 'asy-t-made' } }),
    'holds probe',
    'violated probe (conclusive)',
  ),
  ...[403, 404].map((status) =>
    says('PRM-5', `a number: it returns ${status}`, closed(status, theirs), 'holds probe'),
  ),
  says(
    'PRM-5',
    'a number: it reads a case of its own',
    looked(record('7', { subject: 'second' })),
    'holds probe control',
  ),
  says(
    'PRM-5',
    'a number: it reads what the other scope wrote',
    looked(record('7', { subject: 'asy-t-made' })),
    'violated probe made (conclusive)',
  ),
  says('PRM-5', 'a number: both read the same', looked(theirs), 'inconclusive probe control'),
  says(
    'PRM-5',
    'a number: both read the same, made at one moment',
    looked(record('7', { at: '2026-11-21T10:00:00.123Z' }), record('7', { at: '2026-11-21T10:00:00.123Z' })),
    'violated probe control (conclusive)',
  ),
  says('ERR-1', 'a number: it closes a case of its own', closed(200, theirs)),
  says(
    'RDS-7',
    'a number: it reads a case of its own',
    looked(record('7', { subject: 'second' })),
    'holds probe',
  ),
];

const at = '2026-11-21T10:00:00.123Z';
const plan = '6f1c0e5a-0000-4000-8000-7d1f00c1a2b3';
const afar = (items: readonly Json[]): Line => ({
  id: 'afar',
  role: 'test',
  operation: 'listCases',
  as: 'abroad',
  status: 200,
  body: { items, nextCursor: null },
});
/** The list of another scope, with a number that it has given to a record as well. */
const listed = (item: Json, more: Partial<Line> = {}): Case['trace'] => [
  { ...seventh, sent: '{"amount":571452491}', body: record('7', { at }) },
  { ...afar([item]), ...more },
];
const inLists: readonly Case[] = [
  says(
    'RDS-7',
    'a list has the number and a moment of the record',
    listed(record('7', { at })),
    'violated afar made (conclusive)',
  ),
  says(
    'RDS-7',
    'a list has the number, of another moment',
    listed(record('7', { at: '2026-11-21T09:00:00.456Z' })),
  ),
  says('RDS-7', 'a list has the moment under another number', listed(record('8', { at }))),
  says('RDS-7', 'the list of its own scope has both', listed(record('7', { at }), { as: 'full' })),
  says('RDS-7', 'the list has the number, and the ID of a plan that all records have', [
    { ...seventh, sent: '{"amount":571452491}', body: record('7', { plan }) },
    afar([record('7', { plan })]),
  ]),
  says('RDS-7', 'the list has the number, and a moment that its other records have', [
    { ...seventh, sent: '{"amount":571452491}', body: record('7', { at }) },
    afar([record('6', { at }), record('7', { at })]),
  ]),
];

/** Without reads before and after: what the caller, and then the first scope, read in the end. */
const sought = (afar: number, near: number, status = 200): Case['trace'] => [
  ...closed(status, theirs).filter((part) => !('observes' in part)),
  seventhRead('afar', { as: 'abroad', deviations: [scope], status: afar }),
  seventhRead('near', { status: near }),
];
const headed = (afar: number): Case['trace'] => {
  const head = { operation: 'headCase', body: '' } as const;
  return [
    seventh,
    seventhRead('probe', { ...head, role: 'test', as: 'abroad', deviations: [scope] }),
    seventhRead('control', { ...head, role: 'control', controls: 'probe' }),
    seventhRead('afar', { as: 'abroad', deviations: [scope], status: afar }),
    seventhRead('near'),
  ];
};
const withoutOwn: readonly Case[] = [
  ...(
    [
      [404, 'violated probe afar near'],
      [200, 'inconclusive probe control'],
    ] as const
  ).map(([afar, ruling]) => ({
    ...says('PRM-5', `a number: HEAD returns 200, and GET ${afar}`, headed(afar), ruling),
    proven: ['abroad'],
  })),
  ...[403, 404, 410].map((status) => ({
    ...says(
      'PRM-5',
      `a number: it returns 200 to a caller that reads no such record (${status})`,
      sought(status, 200),
      'violated probe afar near',
    ),
    proven: ['abroad'],
  })),
  ...(
    [
      ['and it reads no such record', 404, 'violated probe afar near'],
      ['and it reads one of its own', 200, 'inconclusive probe'],
      ['and it may read one of its own', 503, 'inconclusive probe afar near'],
    ] as const
  ).map(([when, afar, ruling]) => ({
    ...says('PRM-5', `a number: it returns 409, ${when}`, sought(afar, 200, 409), ruling),
    proven: ['abroad'],
  })),
  ...(
    [
      ['it reads a record of its own', sought(200, 200), 'inconclusive probe'],
      ['it may read one of its own', sought(503, 200), 'inconclusive probe afar near'],
      ['nobody reads the record', sought(404, 404), 'inconclusive probe'],
      [
        'the first scope may not run the command either',
        sought(404, 200).map((part) => ('controls' in part ? { ...part, status: 409 } : part)),
        'inconclusive probe',
      ],
    ] as const
  ).map(([when, trace, ruling]) => ({
    ...says('PRM-5', `a number, accepted: ${when}`, trace, ruling),
    proven: ['abroad'],
  })),
  says(
    'PRM-5',
    'a number, accepted: the token of the caller was accepted nowhere',
    sought(404, 200),
    'inconclusive probe afar near',
  ),
];

/** A caller of another scope with a stronger verification that was issued to somebody. */
const verified = (issuedTo: string, status: number): Case['trace'] => [
  made,
  { hook: 'verify', as: 'issued', input: { principal: issuedTo, operation: 'approveCase' } },
  {
    id: 'probe',
    role: 'test',
    status,
    operation: 'approveCase',
    on: 'made',
    as: 'abroad',
    deviations: [scope],
    verification: { use: 'hook', step: 'issued' },
  },
  { id: 'control', controls: 'probe', status: 200, operation: 'approveCase', on: 'made' },
];
const verifications: readonly Case[] = [
  ...[401, 403, 409, 422].map((status) =>
    says(
      'PRM-5',
      `another's verification is refused with ${status}`,
      verified('full', status),
      'inconclusive probe',
    ),
  ),
  says('PRM-5', 'its own verification is refused with 409', verified('abroad', 409), 'violated probe'),
  {
    ...says(
      'PRM-5',
      "another's verification is refused with 409, though G4 declares 403",
      verified('full', 409),
      'violated probe',
    ),
    declares: { G4: 403 },
  },
  says('PRM-5', "another's verification, and the target is not found", verified('full', 404), 'holds probe'),
  says('PRM-5', "another's verification is accepted", verified('full', 200), 'violated probe (conclusive)'),
  says('PRM-5', 'its own verification is refused with 403', verified('abroad', 403), 'holds probe'),
  {
    ...says(
      'PRM-5',
      "another's verification is refused with 403, which G4 declares of none",
      verified('full', 403),
      'holds probe',
    ),
    declares: { G4: 409 },
  },
];

/** A caller of another scope on a record that may be its own, or with a verification that is not its own. */
export const countedCases: readonly Case[] = [...counted, ...inLists, ...withoutOwn, ...verifications];

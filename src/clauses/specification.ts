import type { Sentence } from '../model/clause.ts';

const client = 'The sentence binds the client, not the implementation. The harness obeys it.';
const notShown = 'The specification shows nothing here; nothing can be demanded.';

const rows = (where: string, lines: readonly (readonly [string, string, string?])[]): readonly Sentence[] =>
  lines.map(([quote, codes, because], index) => ({
    where: where.includes('#') ? where.replace('#', String(index + 1)) : where,
    quote,
    clauses: codes === '' ? [] : codes.split(' '),
    ...(because === undefined ? {} : { because }),
  }));

/** Every sentence and table row of the specification, contract version 1.27.0. */
export const specification: readonly Sentence[] = [
  ...rows('Preamble', [
    [
      'Everything stated below is fixed by the contract; gaps are marked with the words "not shown".',
      '',
      'The sentence says how to read the rest. The gaps are the open points G1 to G19.',
    ],
  ]),
  ...rows('What the service does, #', [
    [
      'The service is an HTTP API made of governed operations. Each operation has a stated method, path, required permission, and failure contract.',
      'CMD-1 RDS-1 PRM-1 ERR-1 PRM-9',
    ],
    [
      'The repository contract validates 293 governed operations. Which of them a customer can use depends on the signed scope and the credentials issued to that customer. A client implements only the operations and permissions published for its approved scope.',
      '',
      'The sentence says what a scope contains. The report says how many of the governed operations were in this scope.',
    ],
    [
      'Read operations (GET) state their permission, query fields, pagination and response shape.',
      'RDS-1 RDS-2 RDS-3 RDS-4 RDS-5 RDS-6 RDS-8 VAL-12 RID-9',
    ],
    [
      'Write operations (commands) use a unique idempotency key. Some also require a current version of the target or stronger verification.',
      'IDM-1 IDM-13 IDM-20 VER-2 VER-3 STV-1 STV-2 STV-3 STV-4 CMD-5',
    ],
    ["A command's result is typed and carries a request ID for tracing.", 'CMD-4 RID-1 RID-3 RID-4 IDM-25'],
    [
      'An accepted result is not business completion. A client establishes what happened from the documented result and the resulting work record.',
      'CMD-6',
    ],
    ['The published example of a command does not grant write permission.', 'PRM-1'],
  ]),
  ...rows('Command lifecycle, step #', [
    ['Operation `POST /cases`, permission `case.create`', 'PRM-1 PRM-2'],
    ['Required approved fields are checked; the duplicate guard uses `Idempotency-Key`', 'VAL-1 IDM-4 IDM-8'],
    ['HTTP `201`, trace in the `X-Request-Id` response header', 'CMD-1 RID-1'],
  ]),
  ...rows('Case', [
    ['subject: string, request, required; free text supplied by the caller', 'VAL-1 VAL-2 VAL-15'],
    ['id: string, always returned; begins with the prefix `case_` followed by an identifier', 'CMD-2 CMD-5'],
    ['status: string, always returned; value `open` on creation', 'CMD-3'],
    ['Other fields of the case: not shown.', '', notShown],
    ['Other resources: not shown.', '', notShown],
  ]),
  ...rows('Request identifier', [
    [
      'X-Request-Id: response header, string. Begins with `req_`. Clients keep it and quote it in support requests.',
      'RID-2 RID-6 RID-7 IDM-25',
    ],
  ]),
  ...rows('States and transitions', [
    [
      '`POST /cases`: request accepted; next state open; case record created; response `201`',
      'CMD-1 CMD-3 CMD-6',
    ],
    ['States other than open: not shown.', '', notShown],
    ['Transitions: not shown.', '', notShown],
  ]),
  ...rows('POST /cases, table', [
    ['Creates a case.', 'CMD-1 CMD-6'],
    ['Method and path: `POST /cases` under {base_url}', 'CMD-1 PRM-9'],
    ['Permission: `case.create`', 'PRM-1 PRM-2 PRM-3 PRM-4'],
    ['Request header `Authorization`: `Bearer <SERVER_TOKEN>`, required', 'AUT-1 AUT-4 AUT-6 AUT-13'],
    [
      'Request header `Idempotency-Key`: unique string per command, `<UNIQUE_COMMAND_KEY>`, required',
      'IDM-1 IDM-3 IDM-11 IDM-22 IDM-23',
    ],
    ['Request header `Content-Type`: `application/json`', 'VAL-13 VAL-14'],
    ['Request body: JSON object with `subject` (string)', 'VAL-1 VAL-2 VAL-6'],
    ['Success status: `201`', 'CMD-1'],
    ['Response header: `X-Request-Id` (string)', 'RID-1 RID-2 RID-6'],
    ['Response body: JSON object with `id` (string) and `status` (string, `open`)', 'CMD-2 CMD-3 CMD-4'],
  ]),
  ...rows('POST /cases, rule #', [
    [
      'When `Idempotency-Key` is missing, the request does not meet the contract (error class: see Errors).',
      'IDM-1 IDM-2 IDM-3',
    ],
    ['When the caller lacks `case.create`, the result is `403`.', 'PRM-1 PRM-3 PRM-4 PRE-2'],
    [
      'When the body does not match the published schema, the result is `422` and names the offending fields.',
      'VAL-1 VAL-2 VAL-3 VAL-4 VAL-5 VAL-6 VAL-7 VAL-9 VAL-11 PRE-3',
    ],
    [
      'When the request conflicts with state, version, idempotency, or approval, the result is `409`.',
      'IDM-6 IDM-7 IDM-9 CNF-1 VER-1 PRE-3',
    ],
  ]),
  ...rows('Other operations', [
    [
      'Operations other than `POST /cases`, with their methods, paths and payloads: not shown.',
      '',
      'What the contract document of the vendor shows of them is tested in the same way.',
    ],
    ['GET (read): states its permission, query fields, pagination and response shape', 'RDS-1 RDS-2 IDM-21'],
    [
      'Command (write): requires a unique `Idempotency-Key`; may require a current version or stronger verification',
      'IDM-1 IDM-20 VER-3 STV-1',
    ],
    ['Query fields and pagination parameters of any read operation: not shown.', '', notShown],
  ]),
  ...rows('Authentication, #', [
    [
      'Every request carries `Authorization: Bearer <SERVER_TOKEN>`. The token is a server-side credential issued for the approved deployment.',
      'AUT-1 AUT-4 AUT-6 AUT-9',
    ],
    [
      'Each operation requires an exact permission (for example `case.create`). The identity must hold the exact permission and scope; otherwise the result is `403`.',
      'PRM-1 PRM-2 PRM-3 PRM-4 PRM-5 PRM-7 PRM-8 PRM-9 PRM-10 RDS-2 RDS-7 IDM-12 PRE-2',
    ],
    [
      'A missing, expired, or invalid credential gives `401`. The client stops and refreshes the credential through the approved server flow.',
      'AUT-1 AUT-2 AUT-3 AUT-5 AUT-7 AUT-8 AUT-10 AUT-11 AUT-12 PRE-1 IDM-18',
    ],
    ['Clients must not send credentials, customer secrets, or raw payment data to support.', 'ERR-3', client],
    ['How tokens are issued and refreshed: not shown.', '', notShown],
    ['Permission names other than `case.create`: not shown.', '', notShown],
    ['The form of the stronger verification that some commands may require: not shown.', '', notShown],
  ]),
  ...rows('Events', [['Events: not shown.', '', notShown]]),
  ...rows('Errors table', [
    [
      '401: Credential missing, expired, or invalid. Stop; refresh through the approved server flow',
      'AUT-1 AUT-2 AUT-3 AUT-10',
    ],
    [
      '403: Identity lacks the exact permission or scope. Do not retry; request an access review',
      'PRM-1 PRM-5 PRM-6 PRM-7',
    ],
    [
      '409: Conflict of state, version, idempotency, or approval. Read the conflict and reconcile before sending another command',
      'IDM-6 CNF-1 CNF-2 VER-1 VER-5 VER-6',
    ],
    [
      '422: Request does not match the published schema. Correct the named fields; do not retry unchanged',
      'VAL-1 VAL-3 VAL-7 VAL-8 VAL-10 IDM-2',
    ],
    [
      '429: Integration sends too quickly. Honor the supplied wait guidance and apply backoff',
      'THR-2 THR-3 THR-4 THR-5 THR-6 THR-7 THR-8 IDM-14',
    ],
    [
      '5xx: Temporary service failure may have occurred. Preserve IDs; retry only when the operation permits',
      'IDM-15 IDM-16 ERR-4 ERR-1',
    ],
  ]),
  ...rows('Errors, rule #', [
    [
      'Clients treat authentication, permission, conflict, validation, throttling, and service failures as separate classes.',
      'ERR-1 ERR-2 THR-6 PRE-1 PRE-2 PRE-3 PRE-4',
    ],
    ['Clients preserve the `X-Request-Id` of every attempt.', 'RID-3 RID-4 RID-5 RID-8'],
    [
      'Support requests include the contract version, environment, operation, timestamp, and a non-sensitive correlation ID.',
      '',
      client,
    ],
    ['Shape of the error body: not shown.', '', notShown],
    ['Name of the header or field carrying wait guidance on `429`: not shown.', '', notShown],
  ]),
  ...rows('Limits, #', [
    ['The service throttles senders that go too fast and answers `429` (see Errors).', 'THR-1 THR-5 THR-6'],
    [
      'Commands are deduplicated by `Idempotency-Key`; each command needs a unique key.',
      'IDM-4 IDM-5 IDM-7 IDM-8 IDM-10 IDM-11 IDM-14 IDM-15 IDM-16 IDM-17 IDM-18 IDM-19 IDM-20 IDM-22 IDM-24 VER-7 AUT-10 PRM-6 VAL-9',
    ],
    ['Numeric rate limits: not shown.', '', notShown],
    ['Timeouts: not shown.', '', notShown],
    ['Size limits for requests and fields: not shown.', '', notShown],
  ]),
  ...rows('Versioning, #', [
    [
      'The API reference carries the contract version `1.27.0`.',
      '',
      'The sentence is about the document. The report names the version of the contract document under test.',
    ],
    ['Clients include the contract version in support requests.', '', client],
    [
      'Some writes require the current version of the target record (a conflict gives `409`).',
      'VER-1 VER-2 VER-3 VER-4 VER-5 VER-6 VER-7',
    ],
    ['How a client selects a contract version on requests: not shown.', '', notShown],
    ['Deprecation and compatibility policy: not shown.', '', notShown],
  ]),
];

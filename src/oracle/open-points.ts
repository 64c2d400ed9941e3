import type { ClauseCode } from '../model/clause.ts';
import type { PointCode } from '../model/declaration.ts';

/** An open point as the register describes it, before anything is declared or seen. */
export type PointEntry = {
  readonly point: PointCode;
  readonly title: string;
  readonly quote: string;
  readonly readings: readonly string[];
  readonly always: string;
  readonly byDefault: string;
  /** Clauses that judge it: a contradiction of what is declared violates the first. */
  readonly clauses: readonly ClauseCode[];
};

const silent = 'The specification does not say.';

/** The points that the specification leaves open. */
export const openPoints: readonly PointEntry[] = [
  {
    point: 'G1',
    title: 'Answer to a finished duplicate',
    quote: 'Commands are deduplicated by `Idempotency-Key`; each command needs a unique key.',
    readings: ['replay: 2xx with the id of the first result', 'conflict: 409'],
    always: 'At most one effect; never another id, never another class.',
    byDefault:
      'Either; answers that are mixed for equal, finished, sequential duplicates of one caller are told as an advisory.',
    clauses: ['IDM-5', 'IDM-4'],
  },
  {
    point: 'G2',
    title: 'Class of a missing key',
    quote:
      'When `Idempotency-Key` is missing, the request does not meet the contract (error class: see Errors).',
    readings: ['422', '400', '409'],
    always: 'Refused without effect.',
    byDefault: '422; 400 is told as an advisory.',
    clauses: ['IDM-2', 'IDM-1'],
  },
  {
    point: 'G3',
    title: 'Request id on a replay',
    quote: silent,
    readings: ['stored: the id of the first answer', 'new: an id of its own'],
    always: 'The replay has a request id of the published form.',
    byDefault: 'Either.',
    clauses: ['RID-4', 'IDM-25'],
  },
  {
    point: 'G4',
    title: 'Class of a missing stronger verification',
    quote: 'The form of the stronger verification that some commands may require: not shown.',
    readings: ['401', '403', '409', '422'],
    always: 'Refused without effect.',
    byDefault: 'Any of them.',
    clauses: ['STV-1', 'STV-2'],
  },
  {
    point: 'G5',
    title: 'Corrected body under the key of a 422',
    quote: silent,
    readings: ['accept: 2xx', 'conflict: 409'],
    always: 'Never the stale 422.',
    byDefault: 'Either.',
    clauses: ['VAL-9'],
  },
  {
    point: 'G6',
    title: 'Carrier of the current version',
    quote: 'Some writes require the current version of the target record (a conflict gives `409`).',
    readings: ['If-Match', 'another header', 'a member of the body'],
    always: 'A stale version is answered 409 without effect; 412 violates that.',
    byDefault: 'As the contract document says.',
    clauses: ['VER-1'],
  },
  {
    point: 'G7',
    title: 'Unknown fields in a body or a query',
    quote: silent,
    readings: ['ignore', 'refuse: 422'],
    always: 'Never a failure of the service.',
    byDefault: 'Either.',
    clauses: ['VAL-12', 'ERR-1'],
  },
  {
    point: 'G8',
    title: 'Limits on sizes and rates',
    quote: 'Numeric rate limits: not shown. Size limits for requests and fields: not shown.',
    readings: ['a declared limit', 'unthrottled'],
    always: 'Too fast is told by 429 and by nothing else.',
    byDefault: 'Values stay small; a limit that is not reached is not tested.',
    clauses: ['THR-1', 'THR-6'],
  },
  {
    point: 'G9',
    title: 'Record of another scope',
    quote: 'The identity must hold the exact permission and scope; otherwise the result is `403`.',
    readings: ['403', '404, as for a record that is not there'],
    always: 'Nothing of the record is shown or changed.',
    byDefault: 'Either.',
    clauses: ['PRM-5', 'RDS-7'],
  },
  {
    point: 'G10',
    title: 'Replay after the permission was withdrawn',
    quote: silent,
    readings: ['403', 'replay: 2xx'],
    always: 'No second effect.',
    byDefault: '403.',
    clauses: ['PRM-10'],
  },
  {
    point: 'G11',
    title: '403 or 422 where both faults are present',
    quote: silent,
    readings: ['403', 'lenient: 403 or 422'],
    always: 'Refused without effect.',
    byDefault: '403.',
    clauses: ['PRE-2'],
  },
  {
    point: 'G12',
    title: 'A 5xx under its key',
    quote: 'Temporary service failure may have occurred. Preserve IDs; retry only when the operation permits',
    readings: ['stored: the retry is answered 5xx', 'released: the retry runs, or finds the result'],
    always: 'At most one effect overall.',
    byDefault: 'Either.',
    clauses: ['IDM-15'],
  },
  {
    point: 'G13',
    title: 'Lifetime of keys',
    quote: silent,
    readings: ['any'],
    always: 'Keys are honoured for as long as is tested.',
    byDefault: 'Tested for 6 to 60 seconds, as the budget has it.',
    clauses: ['IDM-19'],
  },
  {
    point: 'G14',
    title: 'Malformed JSON or another media type',
    quote: silent,
    readings: ['400', '415', '422'],
    always: 'Refused without effect; never a failure of the service.',
    byDefault: 'Any 4xx.',
    clauses: ['VAL-13', 'VAL-14', 'VAL-6'],
  },
  {
    point: 'G15',
    title: 'How soon a read sees a write',
    quote: silent,
    readings: ['at once', 'after some seconds'],
    always: 'An accepted record is visible in the end.',
    byDefault: '5 seconds.',
    clauses: ['CMD-6'],
  },
  {
    point: 'G16',
    title: 'Shape of the error body',
    quote: 'Shape of the error body: not shown.',
    readings: ['any'],
    always: 'A 422 names the fields at fault.',
    byDefault: 'Any shape; a field may be named by the last name of its path.',
    clauses: ['VAL-3', 'VAL-11'],
  },
  {
    point: 'G17',
    title: 'Form of keys',
    quote: 'unique string per command',
    readings: ['any string', 'a declared form'],
    always: 'A UUID is taken.',
    byDefault: 'UUIDv4 is sent where the form is not the subject.',
    clauses: ['IDM-11', 'IDM-23'],
  },
  {
    point: 'G18',
    title: 'Space in which a key is unique',
    quote: silent,
    readings: ['caller', 'tenant', 'tenant-operation', 'global'],
    always: 'The result of another scope or of another operation is never returned.',
    byDefault: 'Any.',
    clauses: ['IDM-12', 'IDM-13'],
  },
  {
    point: 'G19',
    title: 'Deduplication of equal bodies under new keys',
    quote: silent,
    readings: ['none', 'conflict: 409'],
    always: 'Different keys and bodies are different commands.',
    byDefault: 'None.',
    clauses: ['IDM-10'],
  },
];

export function openPointOf(point: string): PointEntry | undefined {
  return openPoints.find((entry) => entry.point === point);
}

import { matcherOf } from '../../generate/index.ts';
import type { Answered } from '../../model/clause.ts';
import { headerOf } from '../../model/exchange.ts';
import type { Json } from '../../model/json.ts';
import { scopeOf } from '../../model/principal.ts';
import { isFailed } from '../../model/response.ts';
import type { KeyReuse } from '../../model/scenario.ts';
import { Undecided } from '../../model/undecided.ts';
import {
  accepted,
  declaredMember,
  idOf,
  only,
  type PointEntry,
  reading,
  type Sight,
  type Sighting,
  sameResult,
  silent,
  statusReading,
} from './point.ts';

/** The first use of a key that a step uses again, where this is all that is odd about it. */
function reused({ one, all }: Sighting): { readonly first: Answered; readonly reuse: KeyReuse } | undefined {
  const reuse = only(one, 'key-reuse');
  if (reuse === undefined) return undefined;
  const first = all.find(({ step }) => step.id === reuse.of);
  return first === undefined ? undefined : { first, reuse };
}

/** A duplicate of a command that was accepted and finished before. */
function finished(sighting: Sighting): Answered | undefined {
  const found = reused(sighting);
  return found?.reuse.difference === 'none' &&
    accepted(found.first) &&
    found.first.exchange.endedAt <= sighting.one.exchange.startedAt
    ? found.first
    : undefined;
}

/** Key spaces that cannot be where a used key opened a result of its own, the stored one, or a conflict. */
const rulesOut: Readonly<
  Record<'caller' | 'scope' | 'operation', Readonly<Record<'own' | 'bound', readonly Json[]>>>
> = {
  caller: { own: ['tenant', 'tenant-operation', 'global'], bound: ['caller', 'caller-operation'] },
  scope: { own: ['global'], bound: ['caller', 'caller-operation', 'tenant', 'tenant-operation'] },
  operation: { own: ['caller', 'tenant', 'global'], bound: ['caller-operation', 'tenant-operation'] },
};

function* keySpace(sighting: Sighting): Iterable<Sight> {
  const { context, one } = sighting;
  const found = reused(sighting);
  if (found === undefined || !accepted(found.first)) return;
  const { first, reuse } = found;
  if (reuse.difference !== 'caller' && reuse.difference !== 'scope' && reuse.difference !== 'operation')
    return;
  const by =
    reuse.difference === 'operation'
      ? 'operation'
      : scopeOf(context.principals, first.step.as) === scopeOf(context.principals, one.step.as)
        ? 'caller'
        : 'scope';
  const name = { caller: 'another caller', scope: 'another scope', operation: 'another operation' }[by];
  const same = accepted(one) ? sameResult(one, first) : undefined;
  const own = same === false;
  const text = `${name}: ${own ? 'a result of its own' : same === true ? 'the stored result' : one.answer.status}`;
  // A value that may exist once (G19) is a conflict under any key.
  const isOpen = one.answer.status !== 409 || (by !== 'operation' && context.declared.G19 === 'conflict');
  if (same === undefined && isOpen) yield { text };
  else
    yield {
      text,
      against: (declared) => rulesOut[by][own ? 'own' : 'bound'].includes(declared),
      ...(own || by === 'operation' ? {} : { departs: by === 'caller' ? 'tenant' : 'global' }),
    };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a key has the form that is declared. @throws Undecided where its pattern takes too long */
export function hasKeyForm(key: string, declared: Json): boolean {
  if (declared === 'uuid') return uuid.test(key);
  const pattern = declaredMember(declared, 'pattern');
  const most = declaredMember(declared, 'maxLength');
  return (
    (typeof pattern !== 'string' || matcherOf(pattern, undecided)(key)) &&
    (typeof most !== 'number' || [...key].length <= most)
  );
}

/** A UUID as parsers read it as well: without hyphens, in braces, or as a URN. */
const spelledUuid =
  /^(?:urn:uuid:)?[{(]?[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}[)}]?$/i;

/** Whether a key must be refused for its form: a UUID in another spelling may be taken for one or not. */
export function breaksKeyForm(key: string, declared: Json): boolean {
  return !hasKeyForm(key, declared) && !(declared === 'uuid' && spelledUuid.test(key));
}

const undecided = (): never => {
  throw new Undecided('The declared pattern of keys took too long on this key, so nothing follows.');
};

function* keyForm({ one, all }: Sighting): Iterable<Sight> {
  if (one.operation.kind !== 'command') return;
  if (only(one, 'key')?.how !== 'odd') {
    if (one.step.deviations.length === 0 && one.step.key.use === 'named' && accepted(one))
      yield { text: 'accepted: UUID', against: () => false };
    return;
  }
  const key = headerOf(one.exchange.request.headers, 'idempotency-key') ?? '';
  const length = key.length === 1 ? '1 character' : `${key.length} characters`;
  // Refused keys say something about their form only where the same kind of command was accepted under another one.
  // A 409 is about a key in use: UUIDs may be compared without case.
  const attributable =
    one.answer.status !== 409 &&
    all.some((other) => other.operation.id === one.operation.id && accepted(other));
  yield {
    text: `${accepted(one) ? 'accepted' : `refused with ${one.answer.status}`}: ${length}`,
    against: (declared) =>
      accepted(one) ? breaksKeyForm(key, declared) : attributable && hasKeyForm(key, declared),
  };
}

export const keyPoints: readonly PointEntry[] = [
  {
    point: 'G1',
    standard: 'replay',
    title: 'Response to a finished duplicate',
    quote: 'Commands are deduplicated by `Idempotency-Key`; each command needs a unique key.',
    readings: ['replay: 2xx with the ID of the first result', 'conflict: 409'],
    always: 'At most one effect; never another ID, never another class.',
    byDefault:
      'Either; mixed responses to equal, finished, sequential duplicates of one caller are an advisory.',
    clauses: ['IDM-5', 'IDM-4'],
    declares: {
      enum: ['replay', 'conflict'],
      description:
        'write replay if a finished duplicate gets 2xx with the same ID, or conflict if it gets 409',
    },
    needs: ['key-reuse'],
    *sights(sighting) {
      const first = finished(sighting);
      const { one } = sighting;
      if (first === undefined) return;
      if (one.answer.status === 409) yield reading('409', 'conflict');
      else if (!accepted(one)) yield { text: String(one.answer.status) };
      else if (idOf(one) !== idOf(first)) yield { text: '2xx with another ID' };
      else if (idOf(one) === undefined) yield { text: '2xx without an ID' };
      else yield reading('2xx with the same ID', 'replay');
    },
  },
  {
    point: 'G2',
    standard: '422',
    title: 'Class of a missing key',
    quote:
      'When `Idempotency-Key` is missing, the request does not meet the contract (error class: see Errors).',
    readings: ['422', '400', '409'],
    always: 'Refused without effect.',
    byDefault: '422; 400 and 409 add a note.',
    clauses: ['IDM-2', 'IDM-1'],
    declares: {
      enum: [422, 400, 409],
      description: 'write the status of the response to a missing Idempotency-Key',
    },
    needs: ['key'],
    *sights({ one }) {
      if (only(one, 'key')?.how !== 'absent' || isFailed(one.answer)) return;
      yield accepted(one) ? { text: 'accepted' } : statusReading(one);
    },
  },
  {
    point: 'G3',
    standard: 'stored',
    title: 'Request ID on a replay',
    quote: silent,
    readings: ['stored: the ID of the first response', 'new: an ID of its own'],
    always: 'The replay has a request ID of the published form.',
    byDefault: 'Either.',
    clauses: ['IDM-25', 'RID-4'],
    declares: {
      enum: ['stored', 'new'],
      description: 'write whether a replay carries the stored request ID or a new one',
    },
    needs: ['key-reuse'],
    *sights(sighting) {
      const first = finished(sighting);
      const { one } = sighting;
      if (first === undefined || !accepted(one) || one.exchange.requestIds.length === 0) return;
      yield first.exchange.requestIds.join() === one.exchange.requestIds.join()
        ? reading('the stored request ID', 'stored')
        : reading('a new request ID', 'new');
    },
  },
  {
    point: 'G5',
    standard: 'accept',
    title: 'Corrected body under the key of a 422',
    quote: silent,
    readings: ['accept: 2xx', 'conflict: 409'],
    always: 'Never the stale 422.',
    byDefault: 'Either.',
    clauses: ['VAL-9'],
    declares: {
      enum: ['accept', 'conflict'],
      description:
        'write accept if a corrected body under the key of a 422 is accepted, or conflict if it gets 409',
    },
    needs: ['key-reuse'],
    *sights({ one }) {
      if (only(one, 'key-reuse')?.difference !== 'correction') return;
      if (accepted(one)) yield reading('2xx', 'accept');
      else if (one.answer.status === 409) yield reading('409', 'conflict');
      else yield { text: String(one.answer.status) };
    },
  },
  {
    point: 'G12',
    standard: 'stored',
    title: 'A 5xx under its key',
    quote: 'Temporary service failure may have occurred. Preserve IDs; retry only when the operation permits',
    readings: ['stored: the retry returns 5xx', 'released: the retry runs, or finds the result'],
    always: 'At most one effect overall.',
    byDefault: 'Either.',
    clauses: ['IDM-15'],
    declares: {
      enum: ['stored', 'released'],
      description: 'write whether a 5xx is stored under its key, or releases it',
    },
    needs: ['key-reuse'],
    *sights(sighting) {
      const found = reused(sighting);
      const { one } = sighting;
      if (found?.reuse.difference !== 'none' || !isFailed(found.first.answer)) return;
      const text = `${one.answer.status} to the retry`;
      if (isFailed(one.answer)) yield reading(text, 'stored');
      else if (accepted(one)) yield reading(text, 'released');
      else yield { text };
    },
  },
  {
    point: 'G13',
    title: 'Lifetime of keys',
    quote: silent,
    readings: ['any'],
    always: 'Keys are honoured for as long as is tested.',
    byDefault: 'Tested for 6 to 60 seconds, depending on the budget.',
    clauses: ['IDM-19'],
    declares: {
      type: 'object',
      description: 'write { seconds: <how long a key is honoured> }',
      properties: {
        seconds: { type: 'number', exclusiveMinimum: 0, description: 'write a number of seconds' },
      },
      required: ['seconds'],
      additionalProperties: false,
    },
    needs: ['key-reuse'],
    *sights(sighting) {
      const found = reused(sighting);
      const { one, context } = sighting;
      const lifetime = context.declared.G13;
      if (found?.reuse.difference !== 'late' || !accepted(found.first)) return;
      if (accepted(one) && idOf(one) === undefined) return;
      const seconds = Math.floor((one.exchange.startedAt - found.first.exchange.endedAt) / 1000);
      if (one.answer.status === 409 || (accepted(one) && idOf(one) === idOf(found.first)))
        yield {
          text: 'honoured for # s, the longest that was tested',
          measure: { value: seconds, keep: 'largest' },
          against: () => false,
        };
      else
        yield {
          text: 'not honoured after # s',
          measure: { value: seconds, keep: 'smallest' },
          against: () => lifetime !== undefined && seconds < lifetime,
        };
    },
  },
  {
    point: 'G17',
    title: 'Form of keys',
    quote: 'unique string per command',
    readings: ['any string', 'a declared form'],
    always: 'A UUID is accepted.',
    byDefault: 'UUIDv4 is sent, except in tests of the form.',
    clauses: ['IDM-11', 'IDM-23'],
    declares: {
      description:
        'write uuid, or { pattern: ..., maxLength: ... }, for the form of accepted keys; UUIDs must match it',
      anyOf: [
        { const: 'uuid' },
        {
          type: 'object',
          properties: {
            pattern: { type: 'string', format: 'regex', description: 'write a regular expression' },
            maxLength: { type: 'integer', minimum: 36, description: 'write the longest key in characters' },
          },
          minProperties: 1,
          additionalProperties: false,
        },
      ],
    },
    sights: keyForm,
  },
  {
    point: 'G18',
    standard: 'caller',
    title: 'Space in which a key is unique',
    quote: silent,
    readings: ['caller', 'caller-operation', 'tenant', 'tenant-operation', 'global'],
    always: 'The result of another scope or of another operation is never returned.',
    byDefault: 'Any.',
    clauses: ['IDM-12', 'IDM-13'],
    declares: {
      enum: ['caller', 'caller-operation', 'tenant', 'tenant-operation', 'global'],
      description: 'write the space within which a key is unique',
    },
    needs: ['key-reuse'],
    sights: keySpace,
  },
  {
    point: 'G19',
    title: 'Deduplication of equal bodies under new keys',
    quote: silent,
    readings: ['none', 'conflict: 409'],
    always: 'Different keys and bodies are different commands.',
    byDefault: 'None.',
    clauses: ['IDM-10'],
    declares: {
      enum: ['none', 'conflict'],
      description: 'write conflict if an equal body under another key gets 409',
    },
    *sights({ one, all }) {
      const { body, key } = one.step;
      if (one.step.role !== 'test' || one.step.deviations.length > 0) return;
      if (body.use !== 'named' || key.use !== 'named' || one.operation.pathFields.length > 0) return;
      const first = all.find(
        (other) =>
          other.step.deviations.length === 0 &&
          other.step.operation === one.step.operation &&
          other.step.body.use === 'named' &&
          other.step.body.name === body.name &&
          other.step.key.use === 'named' &&
          other.step.key.name !== key.name &&
          accepted(other) &&
          other.exchange.endedAt <= one.exchange.startedAt,
      );
      if (first === undefined) return;
      const same = accepted(one) ? sameResult(one, first) : undefined;
      if (same === false) yield { text: 'a result of its own', reading: 'none', against: () => false };
      else if (one.answer.status === 409)
        yield { text: '409', reading: 'conflict', against: (declared) => declared !== 'conflict' };
      else yield { text: same === true ? 'the first result' : String(one.answer.status) };
    },
  },
];

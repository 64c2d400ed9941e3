import type { Answered } from '../../model/clause.ts';
import { bare } from '../../model/path.ts';
import { isFailed, isThrottled } from '../../model/response.ts';
import { accepted, only, type PointEntry, reading, type Sight, silent } from './point.ts';

/**
 * When the record that a read shows was made, in milliseconds since the start of the run. A literal ID says nothing of who
 * made its record, nor does the ID of a record of what is below it (`/people/{id}/photo`), so a later read must show it;
 * and a record with an ID of its maker's choice is the newest one.
 */
function madeAt(one: Answered, all: readonly Answered[]): number | undefined {
  const refs = Object.values(one.step.target ?? {});
  const named = new Set(refs.flatMap((ref) => ('step' in ref ? [ref.step] : [])));
  const last = one.step.target?.[one.operation.pathFields.at(-1)?.name ?? ''];
  const shown = all.some((other) => other.step.id === one.step.id && accepted(other));
  const isOwn = last !== undefined && 'step' in last && bare(one.operation.path).endsWith('}');
  if (!shown && !isOwn) return undefined;
  const makers = all.filter(
    (other) =>
      accepted(other) &&
      (named.has(other.step.id) || other.step.role === 'setup') &&
      other.exchange.endedAt <= one.exchange.startedAt,
  );
  return makers.some(({ step }) => named.has(step.id))
    ? Math.max(...makers.map(({ exchange }) => exchange.endedAt))
    : undefined;
}

/** How many requests a sender had accepted within the seconds before it was throttled. */
function* limitSeen(one: Answered, all: readonly Answered[]): Iterable<Sight> {
  const before = all.filter(
    (other) =>
      accepted(other) &&
      other.step.as === one.step.as &&
      other.exchange.endedAt <= one.exchange.endedAt &&
      other.step.deviations.some(({ kind }) => kind === 'pace'),
  );
  const start = Math.min(...before.map(({ exchange }) => exchange.startedAt), one.exchange.startedAt);
  const seconds = Math.max(1, Math.ceil((one.exchange.endedAt - start) / 1000));
  yield {
    text: `429 after # requests within ${seconds} s`,
    measure: { value: before.length, keep: 'smallest' },
    against: (declared) => declared === 'unthrottled',
  };
}

export const servicePoints: readonly PointEntry[] = [
  {
    point: 'G6',
    title: 'Carrier of the current version',
    quote: 'Some writes require the current version of the target record (a conflict gives `409`).',
    readings: ['If-Match', 'another header', 'a member of the body'],
    always: 'A stale version returns 409 and has no effect; 412 violates that.',
    byDefault: 'As the contract document says.',
    clauses: ['VER-1'],
    declares: {
      const: 'contract',
      description:
        'write contract, or leave it out; x-governed.version in the contract document names the carrier',
    },
    needs: ['version'],
    *sights({ one }) {
      const fault = only(one, 'version');
      if (fault === undefined || one.operation.version === undefined) return;
      const { carrier } = one.operation.version;
      const where = carrier.in === 'header' ? carrier.name : `body ${carrier.at}`;
      yield { text: `${where}, ${fault.how}: ${one.answer.status}` };
    },
  },
  {
    point: 'G7',
    standard: 'ignore',
    title: 'Unknown fields in a body or a query',
    quote: silent,
    readings: ['ignore', 'refuse: 422'],
    always: 'Never a failure of the service.',
    byDefault: 'Either.',
    clauses: ['ERR-1', 'VAL-12'],
    declares: {
      enum: ['ignore', 'refuse'],
      description: 'write whether unknown fields of a body or a query are ignored, or refused with 422',
    },
    needs: ['unknown-member', 'query'],
    *sights({ one }) {
      const member = only(one, 'unknown-member');
      const unknown = only(one, 'query')?.keyword === 'unknown' || (member !== undefined && !member.free);
      if (!unknown || isFailed(one.answer)) return;
      const text = `${one.operation.kind === 'read' ? 'query' : 'body'}: ${accepted(one) ? 'ignored' : `refused with ${one.answer.status}`}`;
      yield reading(text, accepted(one) ? 'ignore' : 'refuse');
    },
  },
  {
    point: 'G8',
    title: 'Limits on sizes and rates',
    quote: 'Numeric rate limits: not shown. Size limits for requests and fields: not shown.',
    readings: ['a declared limit', 'unthrottled'],
    always: 'Throttling is always reported as 429.',
    byDefault: 'Values stay small; a limit that is not reached is not tested.',
    clauses: ['THR-1', 'THR-6'],
    declares: {
      description:
        'write unthrottled, limits such as { maxStringLength: 100 }, or { guidance: { name: X-Pause } }',
      anyOf: [
        { const: 'unthrottled' },
        {
          type: 'object',
          properties: {
            unthrottled: { type: 'boolean', description: 'write true if callers are never throttled' },
            guidance: {
              type: 'object',
              description: 'name the header or the member of the body that says how long a 429 asks to wait',
              properties: {
                name: { type: 'string', minLength: 1, description: 'write its name, such as X-Pause' },
                unit: {
                  enum: ['seconds', 'milliseconds', 'minutes'],
                  description: 'write the unit of a bare number (default: seconds)',
                },
              },
              required: ['name'],
              additionalProperties: false,
            },
            maxBodyBytes: { type: 'integer', minimum: 1, description: 'write the largest body in bytes' },
            maxStringLength: {
              type: 'integer',
              minimum: 1,
              description: 'write the longest text of one field in characters',
            },
          },
          minProperties: 1,
          additionalProperties: false,
        },
      ],
    },
    *sights({ one, all }) {
      const paced = one.step.deviations.some(({ kind }) => kind === 'pace');
      if (paced && one.step.role === 'test' && isThrottled(one.answer)) yield* limitSeen(one, all);
      else if (!paced && [one.answer, ...one.exchange.earlier.map(({ answer }) => answer)].some(isThrottled))
        yield { text: '429 outside a burst', against: (declared) => declared === 'unthrottled' };
    },
  },
  {
    point: 'G15',
    title: 'How soon a read sees a write',
    quote: silent,
    readings: ['at once', 'after some seconds'],
    always: 'An accepted record becomes visible.',
    byDefault: '5 seconds.',
    clauses: ['CMD-6'],
    declares: {
      type: 'object',
      description: 'write { seconds: <how late a read may show a write> }',
      properties: {
        seconds: { type: 'number', minimum: 0, maximum: 300, description: 'write a number of seconds' },
      },
      required: ['seconds'],
      additionalProperties: false,
    },
    *sights({ one, all, context }) {
      if (one.step.observes !== 'arrival') return;
      const made = madeAt(one, all);
      if (made === undefined) return;
      const value = Math.round(one.exchange.startedAt - made);
      if (accepted(one))
        yield { text: 'seen after # ms', measure: { value, keep: 'largest' }, against: () => false };
      else if (one.answer.status === 404 || one.answer.status === 403)
        yield {
          text: 'not yet seen after # ms',
          measure: { value, keep: 'largest' },
          against: () => {
            const seconds = context.declared.G15;
            return seconds !== undefined && value > seconds * 1000;
          },
        };
    },
  },
];

import type { Operation } from '../../model/contract.ts';
import type { Json, JsonSchema } from '../../model/json.ts';
import { type PartsShown, partId, partSchema, partsIn } from '../../model/parts.ts';
import { exactJsonOf } from '../../model/response.ts';
import { isAccepted, type Seen } from './reading.ts';

/** A part of what a read shows, as the response of a read that has the schema of the part, and no path. */
export function showing(read: Seen, part: Json, schema: JsonSchema): Seen {
  const { answer } = read.exchange;
  const body = JSON.stringify(part);
  return {
    step: read.step,
    operation: { ...read.operation, pathFields: [], success: { ...read.operation.success, schema } },
    exchange: {
      ...read.exchange,
      ...(answer === undefined ? {} : { answer: { ...answer, body, bodyBytes: Buffer.byteLength(body) } }),
    },
  };
}

/** One part of the record that a read shows, if it shows that part once. */
export function partShown(parts: PartsShown, read: Seen, operation: Operation, id: string): Seen | undefined {
  const { answer } = read.exchange;
  if (answer === undefined || !isAccepted(answer) || answer.truncated) return undefined;
  const [part, ...more] = (partsIn(parts, exactJsonOf(answer)) ?? []).filter(
    (each) => partId(operation, each) === id,
  );
  return part === undefined || more.length > 0 ? undefined : showing(read, part, partSchema(parts));
}

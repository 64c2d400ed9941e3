import type { Answered, Context } from '../../model/clause.ts';
import { creates, isCount } from '../../model/contract.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { OpenPoint } from '../../model/open-point.ts';
import { isAccepted } from '../../model/response.ts';
import { resultId } from '../../model/result-id.ts';
import type { Deviation, DeviationKind } from '../../model/scenario.ts';

/** A point that the specification leaves open: what may be, what must be, and how to see which it is. */
export type PointEntry = Pick<
  OpenPoint,
  'point' | 'title' | 'quote' | 'readings' | 'always' | 'byDefault' | 'clauses'
> & {
  /** The reading that is the default, where a note says that another one was seen. */
  readonly standard?: string;
  /** What can be declared, as a JSON Schema; its description says what each value means. */
  readonly declares: JsonObject;
  /** Kinds of deviations without one of which a step shows nothing at this point; left out where any step may. */
  readonly needs?: readonly DeviationKind[];
  /** What an exchange shows at this point; most show nothing. */
  readonly sights: (seen: Sighting) => Iterable<Sight>;
};

/** An answered exchange among all of its trace. */
export type Sighting = {
  readonly one: Answered;
  readonly all: readonly Answered[];
  readonly context: Context;
};

export type Sight = {
  /** In a few words; `#` marks where the measure goes. */
  readonly text: string;
  /** Which reading it shows, as it would be declared: two readings of one target are mixed responses. */
  readonly reading?: string;
  /** A reading that it shows which is not the default, where `reading` cannot say so. */
  readonly departs?: string;
  /** Whether it contradicts what is declared. Left out where it says nothing about declarations. */
  readonly against?: (declared: Json) => boolean;
  /** A number of which the run keeps the largest or the smallest. */
  readonly measure?: { readonly value: number; readonly keep: 'largest' | 'smallest' };
};

export const silent = 'The specification does not say.';

/** A sight that shows one reading, which the vendor declares by its name. */
export function reading(text: string, declares: Json): Sight {
  return { text, reading: String(declares), against: (declared) => declared !== declares };
}

export function statusReading({ answer }: Answered): Sight {
  return reading(String(answer.status), answer.status);
}

export const accepted = ({ answer }: Answered): boolean => isAccepted(answer);

/** The only deviation of a step, where it is of this kind. */
export function only<Kind extends DeviationKind>(
  { step }: Answered,
  kind: Kind,
): Extract<Deviation, { kind: Kind }> | undefined {
  return step.deviations.length === 1
    ? step.deviations.find((each): each is Extract<Deviation, { kind: Kind }> => each.kind === kind)
    : undefined;
}

export function idOf({ answer, operation }: Answered): string | undefined {
  return resultId(operation, answer);
}

/** Whether two accepted commands have one result. Undefined where it has no ID, or that of the target. */
export function sameResult(one: Answered, other: Answered): boolean | undefined {
  const [id, otherId] = [idOf(one), idOf(other)];
  if (id === undefined || otherId === undefined) return undefined;
  // Each kind of record may be counted on its own.
  if (isCount(id) && one.operation.id !== other.operation.id) return undefined;
  if (id !== otherId) return false;
  return creates(one.operation) ? true : undefined;
}

export function declaredMember(declared: Json | undefined, name: string): Json | undefined {
  return isObject(declared) && Object.hasOwn(declared, name) ? declared[name] : undefined;
}

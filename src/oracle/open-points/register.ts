import type { Answered, Context } from '../../model/clause.ts';
import type { PointCode } from '../../model/declaration.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, type JsonObject } from '../../model/json.ts';
import { isAccepted, isThrottled } from '../../model/response.ts';
import { Undecided } from '../../model/undecided.ts';

import { keyPoints } from './keys.ts';
import type { PointEntry, Sight } from './point.ts';
import { refusalPoints } from './refusals.ts';
import { servicePoints } from './service.ts';

export const openPoints: readonly PointEntry[] = [...keyPoints, ...refusalPoints, ...servicePoints].sort(
  (one, other) => Number(one.point.slice(1)) - Number(other.point.slice(1)),
);

export function openPointOf(point: string): PointEntry | undefined {
  return openPoints.find((entry) => entry.point === point);
}

/** What one exchange shows at one open point, and whether that contradicts what is declared. */
export type Sighted = {
  readonly point: PointCode;
  readonly one: Answered;
  readonly sight: Sight;
  /** Undefined where nothing is declared, or where the sight says nothing about it. */
  readonly contradicts: boolean | undefined;
  /** Why it could not be found out whether it contradicts. */
  readonly doubt?: string;
  /** The reading that it shows, where that is not the default. */
  readonly departs: string | undefined;
  /** The readings that it shows the target not to follow. */
  readonly rulesOut: readonly string[];
};

/** What a trace shows at the given open points. */
export function* sightsOf(
  context: Context,
  trace: Trace,
  points: readonly PointEntry[] = openPoints,
): Iterable<Sighted> {
  const { answered: all } = context.reading(trace);
  // Most requests are as they should be, and most points need one that is not.
  const always = points.filter(({ needs }) => needs === undefined);
  for (const one of all) {
    const looked = { one, all, context };
    const fair = attributable(one, all);
    for (const entry of one.step.deviations.length === 0 ? always : points) {
      const { needs, point, sights } = entry;
      if (needs !== undefined && !one.step.deviations.some(({ kind }) => needs.includes(kind))) continue;
      // What was throttled says nothing about anything else.
      if (point !== 'G8' && isThrottled(one.answer)) continue;
      for (const sight of sights(looked)) {
        const declared = context.declared.written[point];
        const { reading: _none, ...bare } = sight;
        yield {
          point,
          one,
          sight: fair ? sight : bare,
          ...(declared !== undefined && fair ? contradiction(sight, declared) : { contradicts: undefined }),
          departs: fair ? departure(entry, sight) : undefined,
          rulesOut: fair && declared === undefined ? ruledOut(entry, sight) : [],
        };
      }
    }
  }
}

function contradiction(sight: Sight, declared: Json): Pick<Sighted, 'contradicts' | 'doubt'> {
  try {
    return { contradicts: sight.against?.(declared) };
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return { contradicts: undefined, doubt: error.message };
  }
}

/** The reading that a sight shows, where it is one of those listed and not the default. */
function departure({ standard, declares }: PointEntry, { reading, departs }: Sight): string | undefined {
  if (standard === undefined || departs !== undefined) return departs;
  const listed = valuesOf(declares).map(String);
  return reading !== standard && reading !== undefined && listed.includes(reading) ? reading : undefined;
}

function ruledOut({ standard, declares }: PointEntry, { against }: Sight): readonly string[] {
  if (standard === undefined || against === undefined) return [];
  return valuesOf(declares).filter(against).map(String);
}

/** The values that can be declared, where the schema lists them. */
function valuesOf({ enum: values, anyOf }: JsonObject): readonly Json[] {
  return [values, ...(isArray(anyOf) ? anyOf.map((one) => (isObject(one) ? one['enum'] : undefined)) : [])]
    .filter((listed) => listed !== undefined)
    .flatMap((listed) => (isArray(listed) ? listed : []));
}

/** A refusal says nothing where the valid control was refused as well. */
function attributable(one: Answered, all: readonly Answered[]): boolean {
  if (one.answer.status < 400) return true;
  const controls = all.filter(({ step }) => step.controls === one.step.id || step.controls === '*');
  return controls.length === 0 || controls.some(({ answer }) => isAccepted(answer));
}

import type { PointCode } from '../../model/declaration.ts';
import type { Json } from '../../model/json.ts';
import { openPoints, sightsOf } from '../../oracle/open-points/register.ts';
import { contextOf } from './judged.ts';
import { type Part, trace } from './trace.ts';

/** What one literal trace shows at one open point. */
export type SightCase = {
  readonly point: PointCode;
  readonly when: string;
  readonly trace: readonly Part[];
  /** In the words of the register, with the measure in brackets; left out where it shows nothing. */
  readonly shows?: string | readonly string[];
  /** Which reading it shows, where two of them are mixed responses. */
  readonly reading?: string;
  /** Declarations that it keeps to, and some that it contradicts. */
  readonly agrees?: readonly Json[];
  readonly contradicts?: readonly Json[];
};

const entryOf = (point: PointCode) => openPoints.filter((entry) => entry.point === point);

/** What each sight of a trace says of a declaration; undefined where it says nothing of it. */
export function contradicted(
  point: PointCode,
  declared: Json,
  parts: readonly Part[],
): readonly (boolean | undefined)[] {
  const sights = sightsOf(contextOf({ [point]: declared }), trace(parts), entryOf(point));
  return [...sights].map(({ contradicts }) => contradicts);
}

type Shown = {
  readonly shows: readonly string[];
  readonly readings: readonly string[];
  /** Nothing is contradicted where nothing is declared. */
  readonly undeclared: readonly unknown[];
  readonly contradictions: readonly (readonly [Json, readonly (boolean | undefined)[]])[];
};

/** What a case must show: actual and expected. */
export function sighted({
  point,
  trace: parts,
  shows = [],
  reading,
  agrees = [],
  contradicts = [],
}: SightCase): { readonly actual: Shown; readonly expected: Shown } {
  const all = [...sightsOf(contextOf(), trace(parts), entryOf(point))];
  const sights = all.map(({ sight }) => sight);
  return {
    actual: {
      shows: sights.map(({ text, measure }) =>
        measure === undefined ? text : `${text} (${measure.value}, ${measure.keep})`,
      ),
      readings: sights.flatMap((sight) => sight.reading ?? []),
      undeclared: all.flatMap((each) => (each.contradicts === undefined ? [] : [each.contradicts])),
      contradictions: [...agrees, ...contradicts].map((declared) => [
        declared,
        contradicted(point, declared, parts),
      ]),
    },
    expected: {
      shows: typeof shows === 'string' ? [shows] : shows,
      readings: reading === undefined ? [] : [reading],
      undeclared: [],
      contradictions: [
        ...agrees.map((declared) => [declared, [false]] as const),
        ...contradicts.map((declared) => [declared, [true]] as const),
      ],
    },
  };
}

import { validator } from '../../src/generate/index.ts';
import { isCarried } from '../../src/model/contract.ts';
import { membersAt } from '../../src/model/described-places.ts';
import { type Json, type JsonPointer, pointerOf, withValueAt } from '../../src/model/json.ts';
import type { Scenario, Step, Wave } from '../../src/model/scenario.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import { reading, versionNow } from '../../src/suite-kit/readback.ts';
import { bodyOf, key, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { isIdName } from '../../src/suite-kit/texts.ts';

/** The second is the lower one: what only ever goes up does not show it. Services take 1, 5 or 10 for the least of a number. */
const pairs: readonly (readonly [number, number])[] = [
  [13, 11],
  [9, 7],
  [73, 71],
  [4, 3],
  [0.9, 0.7],
];
const texts = ['A passing remark', 'A lasting remark', ''] as const;
const most = 4;

/** A place, two values that it is set to, and the one that code may take for none. */
type Set = { readonly at: JsonPointer; readonly values: readonly [Json, Json, Json] };

/**
 * Numbers that are set, set lower and set to zero, texts and lists that are set, set otherwise and emptied, and flags that are set
 * and set to false, with a read after each: code that asks whether there is a value takes these for none. Flags are true while
 * others change, as they may rule them. The three are apart, so that their waits overlap.
 */
export function zeros(planning: Planning, scene: Scene): readonly Scenario[] {
  const { body, method, verification, version } = scene.operation;
  const { marker, plain } = planning.values(scene.operation);
  if ((method !== 'PATCH' && method !== 'PUT') || verification !== undefined || body === undefined) return [];
  // The text with the marker shows that the rest of a command took effect.
  if (marker === undefined || plain === undefined || planning.budget === 'quick') return [];
  if (version !== undefined && !version.neutral && versionNow(planning, scene, 'now') === undefined)
    return [];
  const check = validator(body.schema, { formats: 'assert' });
  const fits = (value: Json): boolean => check(value).length === 0;
  const places = membersAt(body.schema, '')
    .map((name) => pointerOf([name]))
    .filter((at) => at !== marker && !isIdName(at) && !isCarried(scene.operation, at))
    .filter((at) => schemasAt(body.schema, at).length > 0 && !fits(withValueAt(plain, at, {})));
  const allFit = (at: JsonPointer, values: readonly Json[]): boolean =>
    values.every((value) => fits(withValueAt(plain, at, value)));
  const setTo = (...some: readonly Set['values'][]): readonly Set[] =>
    places.flatMap((at): readonly Set[] => {
      const values = some.find((each) => allFit(at, each));
      return values === undefined ? [] : [{ at, values }];
    });
  const numbers = setTo(...pairs.map(([high, low]): Set['values'] => [high, low, 0])).slice(0, most);
  const emptied = setTo(texts, [[texts[0]], [texts[1]], []]).slice(0, most);
  const flags = setTo([true, true, false]).slice(0, most);
  const bodyWith = (chosen: readonly Set[], nth: 0 | 1 | 2): Json =>
    chosen.reduce((rest, { at, values }) => withValueAt(rest, at, values[nth]), plain);
  const looks = reading(planning, scene, 'after');
  if (looks.length === 0) return [];
  const look = (id: string, observes: 'before' | 'after'): readonly Wave[] =>
    looks.map((wave) =>
      'steps' in wave ? { steps: wave.steps.map((step) => ({ ...step, id, observes })) } : wave,
    );
  const set = (id: string, name: string, parts: Partial<Step> = {}): readonly Wave[] => {
    const now = versionNow(planning, scene, `version-${id}`);
    return [
      ...(now?.waves ?? []),
      send(scene, id, {
        key: key(id),
        body: bodyOf(scene, name),
        ...(now === undefined ? {} : { version: now.version }),
        ...parts,
      }),
    ];
  };
  const last = [
    ...look('before', 'before'),
    ...set('command', 'body', { role: 'test' }),
    ...look('after', 'after'),
  ];
  const settings = [
    ...set('first', 'first'),
    when('first', 'accepted', [
      ...look('set', 'after'),
      ...set('second', 'second'),
      when('second', 'accepted', last),
    ]),
  ];
  const toNone = (sets: readonly Set[], steps: string): readonly Scenario[] => {
    const [first, second, none] = ([0, 1, 2] as const).map((nth) => {
      const value = bodyWith(sets, nth);
      return flags.reduce((rest, { at }) => withValueAt(rest, at, true), value);
    });
    if (sets.length === 0 || first === undefined || second === undefined || none === undefined) return [];
    if (![first, second, none].every(fits)) return [];
    const bodies = { first: scene.body(first), second: scene.body(second), body: scene.body(none) };
    return [scenario(scene, `${listed(sets)}: ${steps}`, settings, bodies)];
  };
  const [on, off] = [bodyWith(flags, 0), bodyWith(flags, 2)];
  const toFalse = scenario(
    scene,
    `${listed(flags)}: set to true, and then to false`,
    [...look('start', 'before'), ...set('first', 'first'), when('first', 'accepted', last)],
    { first: scene.body(on), body: scene.body(off) },
  );
  return [
    ...toNone(numbers, 'set, set lower, and then zero'),
    ...toNone(emptied, 'set, set otherwise, and then emptied'),
    ...(flags.length > 0 && [on, off].every(fits) ? [toFalse] : []),
  ];
}

const listed = (sets: readonly Set[]): string => sets.map(({ at }) => at).join(', ');

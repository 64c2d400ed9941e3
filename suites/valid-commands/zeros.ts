import { validator } from '../../src/generate/index.ts';
import { isCarried } from '../../src/model/contract.ts';
import { isObject, type Json, type JsonPointer, pointerOf, withValueAt } from '../../src/model/json.ts';
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
const most = 4;

type Set = { readonly at: JsonPointer; readonly values: readonly [Json, Json] };

/**
 * Numbers that are set, set lower and set to zero, and flags that are set and set to false, with a read after each: code that
 * asks whether there is a value takes these two for none. Flags are true while numbers change, as they may rule them.
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
  const names = schemasAt(body.schema, '').flatMap(({ properties }) =>
    isObject(properties) ? Object.keys(properties) : [],
  );
  const places = [...new Set(names)]
    .map((name) => pointerOf([name]))
    .filter((at) => at !== marker && !isIdName(at) && !isCarried(scene.operation, at))
    .filter((at) => schemasAt(body.schema, at).length > 0 && !fits(withValueAt(plain, at, {})));
  const allFit = (at: JsonPointer, values: readonly Json[]): boolean =>
    values.every((value) => fits(withValueAt(plain, at, value)));
  const numbers = places.flatMap((at): readonly Set[] => {
    const values = pairs.find((pair) => allFit(at, [...pair, 0]));
    return values === undefined ? [] : [{ at, values }];
  });
  const flags = places.flatMap((at): readonly Set[] =>
    allFit(at, [true, false]) ? [{ at, values: [true, true] }] : [],
  );
  const chosen = [...numbers.slice(0, most), ...flags.slice(0, most)];
  const bodyWith = (sentAt: (each: Set) => Json): Json =>
    chosen.reduce((rest, each) => withValueAt(rest, each.at, sentAt(each)), plain);
  const bodies = {
    first: bodyWith(({ values }) => values[0]),
    second: bodyWith(({ values }) => values[1]),
    body: bodyWith((each) => (numbers.includes(each) ? 0 : each.values[1])),
    off: bodyWith((each) => (flags.includes(each) ? false : each.values[1])),
  };
  const looks = reading(planning, scene, 'after');
  if (chosen.length === 0 || looks.length === 0 || !Object.values(bodies).every(fits)) return [];
  const look = (id: string, observes: 'before' | 'after' | 'later'): readonly Wave[] =>
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
  const toZero = [
    ...set('second', 'second'),
    when('second', 'accepted', [
      ...look('before', 'before'),
      ...set('command', 'body', { role: 'test' }),
      ...look('after', 'after'),
    ]),
  ];
  return [
    scenario(
      scene,
      `${chosen.map(({ at }) => at).join(', ')}: set, and then zero or false`,
      [
        ...(flags.length === 0 ? [] : look('start', 'before')),
        ...set('first', 'first'),
        when('first', 'accepted', [
          ...look('set', 'after'),
          ...(numbers.length === 0 ? [] : toZero),
          ...(flags.length === 0 ? [] : [...set('off', 'off', { role: 'test' }), ...look('later', 'later')]),
        ]),
      ],
      Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, scene.body(value)])),
    ),
  ];
}

import fc from 'fast-check';
import { bounded, validator } from '../../src/generate/index.ts';
import type { Operation } from '../../src/model/contract.ts';
import { type Json, type JsonPointer, withValueAt } from '../../src/model/json.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { bodySchema } from '../../src/suite-kit/body-schema.ts';
import { fitting, mainText } from '../../src/suite-kit/drawn-texts.ts';
import { appended } from '../../src/suite-kit/marker-room.ts';
import { named, type Scene, scenario, send, skip } from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning, type Proposal, probesOf } from '../../src/suite-kit/suite.ts';
import { filled, longText, textPlaces, textsAt } from '../../src/suite-kit/text-places.ts';
import { inTurn, paired } from './controlled.ts';

/** Legal texts that careless services stumble over, the likeliest first, short enough for 40 characters. */
const texts = [
  `"double" 'single' \`back\` \\slash\\ /slash/`,
  '👩‍👩‍👧‍👦 🏳️‍🌈 💥',
  'Größé 客户 שלום عميل',
  'line one\nline two\r\nline three\ttab',
  '<script>alert(1)</script> &amp; <b>',
  "Robert'); DROP TABLE cases;--",
  '$' + '{7*7} {{7*7}} %s %d %00 %20',
  'العميل لا يستطيع',
  'null',
  '0',
  'x',
  'zalgo z̴͖a̷̢l̵̫g̶̱o̸̠',
];

/** JSON has it, and many columns of databases do not: it may be refused, and must not make the service fail. */
const withNul = 'a \u0000 b';

/** Free texts in the member that carries the marker, and in others. */
export function* freeTexts(planning: Planning, scene: Scene): Iterable<Proposal> {
  const { operation } = scene;
  const probe = probesOf(operation);
  const values = planning.values(operation);
  const base = values.plain;
  const at = mainText(operation, values);
  if (at !== undefined && base !== undefined) {
    const fits = fitting(operation, base, at, values.marker);
    // The text of a plain body may be one of a few, but for the marker in it.
    const control = at === values.marker ? base : withValueAt(base, at, 'x');
    const long = longest(operation, base, at, values.marker);
    const some = [...texts.filter(fits), ...(long === undefined ? [] : [long])];
    yield probe(
      'free-text',
      'VAL-15',
      // What is accepted moves a target on: there each text has its own, and its own control.
      scene.prelude.length === 0
        ? [
            textsInTurn(
              scene,
              at,
              some.map((text) => withValueAt(base, at, text)),
              fits(withNul) ? [withValueAt(base, at, withNul)] : [],
              control,
            ),
          ]
        : byBudget(planning, [...some.slice(0, 4), ...some.slice(-1)], some, some).map((text) =>
            freeText(planning, scene, at, withValueAt(base, at, text), control),
          ),
      {
        random: {
          runs: byBudget(planning, 5, 30, 150),
          arbitrary: bounded(
            // To make it takes longer than the rest of most plans, and not every run draws from it.
            () => fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60, size: 'max' }),
            (text) =>
              text.trim() !== '' &&
              text.length <= 150 &&
              !text.includes('\u0000') &&
              !/\p{Surrogate}/u.test(text),
            'x',
          ).map((text) =>
            freeText(planning, scene, at, withValueAt(base, at, shortened(text, fits)), control),
          ),
        },
      },
    );
  }
  const places = textPlaces(operation, values).filter((place) => place.at !== at);
  const others = places.slice(
    0,
    scene.prelude.length === 0 ? byBudget(planning, 3, 6, 12) : byBudget(planning, 1, 2, 4),
  );
  const bare =
    base !== undefined && at !== undefined && at === values.marker && scene.prelude.length === 0
      ? bareWords(scene, base, at)
      : [];
  const isRoomy =
    base !== undefined &&
    at !== undefined &&
    fitting(operation, base, at, values.marker)('x'.repeat(longText));
  const main = isRoomy && scene.prelude.length === 0 ? [{ at, base }] : [];
  if (others.length + main.length + bare.length > 0)
    yield probe('other-texts', 'VAL-15', [
      ...bare,
      ...main.flatMap((place) => textsAt(planning, scene, { ...place, most: undefined })),
      ...others.flatMap((place) => textsAt(planning, scene, place)),
    ]);
  if (base !== undefined && values.valid !== undefined && at === undefined && places.length === 0)
    yield skip(operation, 'VAL-15', {
      kind: 'inapplicable',
      remedy: 'Its body has no member that may hold any text.',
    });
}

/** Words that careless services take for no text, each with another one of its length. */
const words = [
  ['null', 'nill'],
  ['0', '7'],
] as const;

/**
 * With a marker behind it, a word is another one, so these bodies have none. A service may refuse two records of one name, so
 * the control comes first: where an earlier run left the word, it left its control too.
 */
function bareWords(scene: Scene, base: Json, at: JsonPointer): readonly Scenario[] {
  const check = validator(bodySchema(scene.operation, base) ?? true, { formats: 'assert' });
  const bodies = words.map((pair) =>
    pair.map((word) => ({ value: withValueAt(base, at, word), marker: undefined })),
  );
  return bodies.flatMap(([test, control], index) =>
    test === undefined || control === undefined || check(test.value).length + check(control.value).length > 0
      ? []
      : scenario(
          scene,
          `the text ${words[index]?.[0]} alone at ${at}`,
          [
            send(scene, 'control', { controls: '*', body: named('control') }),
            send(scene, 'test', {
              role: 'test',
              body: named('test'),
              deviations: [{ kind: 'text-noise', at }],
            }),
          ],
          { test, control },
        ),
  );
}

/** The longest text that the schema declares it takes, up to some thousand characters. */
function longest(
  operation: Operation,
  base: Json,
  at: JsonPointer,
  marker: JsonPointer | undefined,
): string | undefined {
  const check = validator(bodySchema(operation, base) ?? true);
  const valid = (length: number): boolean => check(withValueAt(base, at, 'x'.repeat(length))).length === 0;
  const bound = 20_000;
  if (valid(bound + 1)) return undefined;
  let [low, high] = [1, bound];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (valid(middle)) low = middle;
    else high = middle - 1;
  }
  // The engine appends a blank and the marker.
  const length = at === marker ? low - appended.length : low;
  return length > 0 && valid(low) ? filled(length) : undefined;
}

/** The beginning of a text that fits, which may be all of it. */
function shortened(text: string, fits: (text: string) => boolean): string {
  let characters = [...text];
  while (characters.length > 1 && !fits(characters.join('')))
    characters = characters.slice(0, Math.floor(characters.length / 2));
  const short = characters.join('');
  return fits(short) && short.trim() !== '' ? short : 'x';
}

function freeText(planning: Planning, scene: Scene, at: string, value: Json, control: Json): Scenario {
  return paired(
    planning,
    scene,
    `free text at ${at}`,
    { deviations: [{ kind: 'text-noise', at }] },
    scene.body(value),
    control,
  );
}

/** Several texts one after the other, and one plain control for all. */
function textsInTurn(
  scene: Scene,
  at: string,
  values: readonly Json[],
  refusable: readonly Json[],
  control: Json,
): Scenario {
  const deviations = [{ kind: 'text-noise', at } as const];
  const all = [
    ...values.map((value) => ({ parts: { deviations }, value })),
    ...refusable.map((value) => ({
      parts: { deviations: [{ kind: 'text-noise', at, refusable: true } as const] },
      value,
    })),
  ];
  return inTurn(scene, `free texts at ${at}`, all, control);
}

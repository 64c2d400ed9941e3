import { affordable } from '../generate/index.ts';
import { type Operation, operationNamed } from '../model/contract.ts';
import {
  isArray,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { isPutIn } from '../model/named-records.ts';
import type { Scenario, Step, Wave } from '../model/scenario.ts';
import { foundOnce } from './alike.ts';
import { bodyCheck } from './body-schema.ts';
import { standIn } from './cast.ts';
import { refOf } from './issued.ts';
import { basesOf, scalarsOf } from './likely-faults.ts';
import type { BodyValues } from './other-values.ts';
import { reading } from './readback.ts';
import { key, named, readStep, reuse, type Scene, scenario, send, twinOf, when } from './scene.ts';
import type { Planning } from './suite.ts';
import { markedText } from './texts.ts';

/** A member that may hold any text, and a valid body that has it. */
export type TextPlace = {
  readonly at: JsonPointer;
  readonly base: Json;
  /** How many characters the schema allows; undefined where it sets no bound, or a very high one. */
  readonly most: number | undefined;
};

const highest = 20_000;
/** Characters beyond those that a column of a database often has. */
export const longText = 300;
/** Up to here the text of a declared length is no large body, whatever its characters. */
const shortText = 1000;
const emoji = 'Größe "客户" 💥';
const lines = 'one\n"two"\r\n\tthree \\';
/** Members whose names say that they hold whole sentences, line by line; others may be labels of one line. */
const ofLines = /^(?:body|comments?|content|descriptions?|memo|messages?|notes?|remarks?|text)$/i;

/** Members of valid bodies that may hold any text, those with a bound first: in objects, in items of lists, and elsewhere. */
export const textPlaces = foundOnce(textPlacesOf);

function textPlacesOf(operation: Operation, { marker, plain, valid }: BodyValues): readonly TextPlace[] {
  const schema = operation.body?.schema;
  const check = plain === undefined ? undefined : bodyCheck(operation, plain);
  if (check === undefined || plain === undefined || schema === undefined) return [];
  const text = marker === undefined ? undefined : valueAt(plain, marker);
  const found: TextPlace[] = [];
  for (const drawn of basesOf(plain, valid, { schema })) {
    const base =
      marker === undefined || text === undefined || drawn === plain
        ? drawn
        : withValueAt(drawn, marker, text);
    if (marker !== undefined && check(withValueAt(base, marker, markedText)).length > 0) continue;
    for (const { at, value } of affordable(scalarsOf(base, []))) {
      const takes = (other: string): boolean => check(withValueAt(base, at, other)).length === 0;
      const known = found.some((place) => place.at === at) || isPutIn(operation, at) || at === marker;
      if (known || typeof value !== 'string' || !takes(emoji) || !takes('x')) continue;
      // The plain body is known to be accepted: a drawn one may name a record that is not there.
      const added = withValueAt(plain, at, 'x');
      const fits = valueAt(added, at) === 'x' && isAlikeTo(base, added, at) && check(added).length === 0;
      found.push({
        at,
        base: fits ? plain : base,
        most: longest((length) => takes('x'.repeat(length))),
      });
    }
  }
  const bounded = (place: TextPlace): number => (place.most === undefined ? 1 : 0);
  return found.sort((one, other) => bounded(one) - bounded(other));
}

/** Whether what holds a place is of one kind in both: without a list there, its first item would be the member `0` of an object. */
function isAlikeTo(one: Json, other: Json, at: JsonPointer): boolean {
  const tokens = pointerTokens(at);
  return tokens.every((_, depth) => {
    const [first, second] = [one, other].map((body) => valueAt(body, pointerOf(tokens.slice(0, depth))));
    return isArray(first) === isArray(second);
  });
}

function longest(takes: (length: number) => boolean): number | undefined {
  if (takes(highest + 1)) return undefined;
  let [low, high] = [1, highest];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (takes(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A text of a declared length: a schema counts characters, and a careless service bytes. */
export function filled(length: number): string {
  return (length <= shortText ? '\u0436' : 'x').repeat(length);
}

/**
 * Texts at one place: the longest that the schema declares, the word null, which is a text, and, for sentences, one with line
 * breaks must be taken. Emoji, and a text longer than most database columns, may be refused without a declared bound,
 * but never cause 5xx.
 */
export function textsAt(planning: Planning, scene: Scene, place: TextPlace): readonly Scenario[] {
  const { at, base, most } = place;
  const check = bodyCheck(scene.operation, base);
  const long = most === undefined ? longText : Math.min(most, longText);
  const texts: readonly { readonly text: string; readonly refusable: boolean }[] = [
    { text: emoji, refusable: true },
    {
      text: lines,
      refusable: !ofLines.test(pointerTokens(at).findLast((token) => !/^\d+$/.test(token)) ?? ''),
    },
    // With the marker behind it, it would be another word.
    ...(at === scene.body().marker ? [] : [{ text: 'null', refusable: false }]),
    ...(most !== undefined && most > longText ? [{ text: filled(most), refusable: false }] : []),
    { text: long === most ? filled(long) : 'x'.repeat(long), refusable: long !== most },
  ].filter(({ text }) => check?.(withValueAt(base, at, text)).length === 0);
  const title = `texts at ${at}`;
  const plain = { value: withValueAt(base, at, 'x'), marker: scene.body().marker };
  const body = (text: string): Scenario['bodies'][string] => ({
    ...plain,
    value: withValueAt(base, at, text),
  });
  const sent = (by: Scene, id: string, refusable: boolean): Wave =>
    send(by, id, {
      role: 'test',
      key: key(id),
      body: named(id),
      deviations: [{ kind: 'text-noise', at, ...(refusable ? { refusable } : {}) }],
    });
  const control = (by: Scene): Wave =>
    send(by, 'control', { controls: '*', key: key('fresh'), body: named('plain') });
  if (scene.prelude.length === 0)
    return [
      scenario(
        scene,
        title,
        [
          ...texts.flatMap(({ refusable, text }, index) => {
            const id = `text-${index + 1}`;
            return [
              sent(scene, id, refusable),
              // Many services return what they were sent: what they keep of emoji, and of a long text, only a read shows.
              ...(index === 0 || index + 1 === texts.length ? kept(planning, scene, id, index > 0) : []),
              ...(isOdd(text, index) ? [again(scene, id)] : []),
            ];
          }),
          control(scene),
        ],
        { plain, ...Object.fromEntries(texts.map(({ text }, index) => [`text-${index + 1}`, body(text)])) },
      ),
    ];
  // What is accepted moves a target on: each text has its own, and its own control.
  return texts.map(({ refusable, text }, index): Scenario => {
    const other = twinOf(planning, scene);
    const read = index === 0 || index + 1 === texts.length ? reading(planning, scene, 'after') : [];
    return scenario(
      scene,
      title,
      [
        sent(scene, 'text-1', refusable),
        ...(read.length === 0 ? [] : [when('text-1', 'accepted', read)]),
        ...(isOdd(text, index) ? [again(scene, 'text-1')] : []),
        ...(other === scene ? [] : other.prelude),
        control(other),
      ],
      { ...other.bodies, plain, 'text-1': body(text) },
    );
  });
}

/** What keeps keys may fail where a request is long, or has letters outside ASCII, as the first text does. */
function isOdd(text: string, index: number): boolean {
  return index === 0 || text.length > longText;
}

function again(scene: Scene, step: string): Wave {
  return when(step, 'accepted', [
    send(scene, `${step}-again`, { ...reuse(step, 'none'), key: key(step), body: named(step) }),
  ]);
}

/** A read of what a step made. Where the path of a PUT is that of an earlier one, the record is there before: its read waits. */
export function kept(planning: Planning, scene: Scene, step: string, isNext = false): readonly Wave[] {
  const { effect, id } = scene.operation;
  const read = operationNamed(planning.contract, effect?.read);
  const [field, ...others] = read?.pathFields ?? [];
  const source = field?.source;
  if (read === undefined || field === undefined || others.length > 0) return [];
  const ref = source?.operation === id ? refOf(source, step, scene.request(step).target) : undefined;
  const by = standIn(planning, read, scene.lead);
  if (ref === undefined || by === undefined) return [];
  const target: Step['target'] = { [field.name]: ref };
  const look: Step = {
    ...readStep(planning, `after-${step}`, read, by, target, 'readback'),
    observes: 'after',
  };
  const isThere = isNext && source !== undefined && 'path' in source;
  return [
    when(
      step,
      'accepted',
      isThere ? [{ wait: 'settle' }, send(look)] : [{ poll: look, until: 'found', max: 5 }],
    ),
  ];
}

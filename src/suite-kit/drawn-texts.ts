import { validator } from '../generate/index.ts';
import type { Operation } from '../model/contract.ts';
import { type Json, type JsonPointer, valueAt, withValueAt } from '../model/json.ts';
import type { Scenario, Step, Wave } from '../model/scenario.ts';
import { bodySchema } from './body-schema.ts';
import { appended } from './marker-room.ts';
import { key, named, type Scene, send, when } from './scene.ts';
import type { OperationValues } from './values.ts';

/** Whether a text with its marker is as long as the schema allows, be it counted in characters or in UTF-16 units. */
export function fitting(
  operation: Operation,
  base: Json,
  at: JsonPointer,
  marker: JsonPointer | undefined,
): (text: string) => boolean {
  const check = validator(bodySchema(operation, base) ?? true);
  const valid = (text: string): boolean => check(withValueAt(base, at, text)).length === 0;
  return (text) => {
    const sent = at === marker ? text + appended : text;
    return valid(sent) && valid('x'.repeat(sent.length));
  };
}

/** The free text that stands for all of an operation: that of the marker, or the first one of the plain body. */
export function mainText(
  operation: Operation,
  { marker, plain, texts }: OperationValues,
): JsonPointer | undefined {
  if (plain === undefined) return undefined;
  // A text that may be left out may be a code: what else it may be is tried with a control of its own.
  const sent = texts.filter((at) => at === marker || valueAt(plain, at) !== undefined);
  return sent
    .toSorted((one, other) => Number(other === marker) - Number(one === marker))
    .find((text) => fitting(operation, plain, text, marker)('x'));
}

/** A drawn body, and the steps that show why it is refused, if it is. */
type Drawn = {
  readonly bodies: Scenario['bodies'];
  readonly deviations: Step['deviations'];
  readonly after: (step: Step['id']) => readonly Wave[];
};

/**
 * After a drawn body was refused, it is sent again with plain text of the same length. If that is accepted, the characters
 * alone were refused. If not, the plain body shows whether anything is accepted.
 */
export function drawn(scene: Scene, values: OperationValues, value: Json): Drawn {
  const { operation } = scene;
  const at = mainText(operation, values);
  const text = at === undefined ? undefined : valueAt(value, at);
  const unusual =
    at !== undefined &&
    typeof text === 'string' &&
    /[^\w ]/.test(text) &&
    // Blanks at an end, and signs that nobody sees, are no text that a caller means.
    text.trim() === text &&
    !/\p{C}/u.test(text.replaceAll(/[\n\t]/g, '')) &&
    fitting(operation, value, at, values.marker)(text);
  const plainText = unusual ? scene.body(withValueAt(value, at, 'x'.repeat(text.length))) : undefined;
  const control = (of: Step['id'], name: string, ...next: readonly Wave[]): Wave =>
    when(of, 'refused', [send(scene, name, { controls: of, key: key(name), body: named(name) }), ...next]);
  return {
    bodies: {
      ...(plainText === undefined ? {} : { 'plain-text': plainText }),
      plain: scene.body(),
    },
    deviations: unusual ? [{ kind: 'text-noise', at }] : [],
    after: (step) =>
      plainText === undefined
        ? [control(step, 'plain')]
        : [control(step, 'plain-text', control('plain-text', 'plain'))],
  };
}

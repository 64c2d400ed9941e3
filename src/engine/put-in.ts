import { idText, type Operation } from '../model/contract.ts';
import { type Json, type JsonSchema, valueAt, withValueAt } from '../model/json.ts';
import type { Ref, Step } from '../model/scenario.ts';
import { schemasAt } from '../model/schema-places.ts';

/** The body with the IDs of the records that were made for it, except where its edit is about one. */
export function withRecords(
  body: Json,
  step: Step,
  {
    operation,
    plain = null,
    resolve,
  }: {
    readonly operation: Operation;
    readonly plain: Json | undefined;
    readonly resolve: (ref: Ref) => string | undefined;
  },
): Json {
  const { body: spec, deviations, target } = step;
  if (operation.named === undefined || target === undefined || spec.use !== 'named') return body;
  // Only a fault elsewhere in the body says that another value here means nothing.
  const isWhole =
    spec.edit !== undefined &&
    'at' in spec.edit &&
    spec.edit.at === '' &&
    deviations.some((one) => 'at' in one);
  return operation.named.reduce((value, { at, field }) => {
    const ref = target[field.name];
    const before = valueAt(value, at);
    const isMeant = deviations.some(
      (one) => 'at' in one && (`${at}/`.startsWith(`${one.at}/`) || one.at.startsWith(`${at}/`)),
    );
    const isOther = before !== valueAt(plain, at) && (!isWhole || isMeant);
    if (ref === undefined || 'literal' in ref || idText(before) === undefined || isOther) return value;
    const id = resolve(ref);
    return id === undefined
      ? value
      : withValueAt(value, at, likeBefore(value, at, id, operation.body?.schema));
  }, body);
}

/** A number if the plain body has one: versions may be numbers or texts. */
export function likeBefore(body: Json, at: string, given: string, schema: JsonSchema | undefined): Json {
  const isCount = /^\d+$/.test(given) && Number.isSafeInteger(Number(given));
  return isCount && takesNumber(body, at, schema) ? Number(given) : given;
}

/** Whether a number is there; where nothing is, whether the schema allows a number and no text. */
export function takesNumber(body: Json, at: string, schema: JsonSchema | undefined): boolean {
  const before = valueAt(body, at) ?? undefined;
  if (before !== undefined) return typeof before === 'number';
  const types = schemasAt(schema, at).flatMap<Json>(({ type = [] }) => type);
  return types.some((type) => type === 'integer' || type === 'number') && !types.includes('string');
}

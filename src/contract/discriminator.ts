import { isArray, isObject, type Json, type JsonObject, type JsonSchema, pointerOf } from '../model/json.ts';
import { schemasAt } from '../model/schema-places.ts';

/**
 * The branches that a discriminator chooses among, each with the values that choose it: the schema of the member itself
 * often takes any text. A branch that leaves the member out, or takes none of the values, is as it was; undefined where all are.
 */
export function chosenBranches(
  { discriminator = null, ...schema }: JsonObject,
  keyword: string,
  branches: readonly JsonSchema[],
  $defs: JsonObject,
): readonly JsonSchema[] | undefined {
  const of = schema[keyword] ?? null;
  const member = isObject(discriminator) ? discriminator['propertyName'] : undefined;
  if (keyword === 'allOf' || typeof member !== 'string' || !isObject(discriminator) || !isArray(of))
    return undefined;
  const mapping = Object.entries(isObject(discriminator['mapping']) ? discriminator['mapping'] : {});
  const chosen = branches.map((branch, index) => {
    const given = of[index] ?? null;
    const ref = isObject(given) ? given['$ref'] : undefined;
    if (typeof ref !== 'string' || !isObject(branch)) return branch;
    const mapped = mapping.flatMap(([value, to]) =>
      to === ref || ref.endsWith(`/${String(to)}`) ? [value] : [],
    );
    const names = mapped.length > 0 ? mapped : [ref.slice(ref.lastIndexOf('/') + 1)];
    const known = schemasAt({ ...branch, $defs }, pointerOf([member]));
    const takes = (name: string): boolean => known.every((one) => mayBe(one, name));
    const values = names.filter(takes);
    return known.length === 0 || values.length === 0
      ? branch
      : { allOf: [branch, { properties: { [member]: { enum: values } } }] };
  });
  return chosen.some((branch, index) => branch !== branches[index]) ? chosen : undefined;
}

function mayBe({ const: only, enum: all, type }: JsonObject, name: string): boolean {
  const isText: Json = type === undefined || [type].flat().includes('string');
  return isText && (only === undefined || only === name) && (!isArray(all) || all.includes(name));
}

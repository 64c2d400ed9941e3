import { isCarried, type Operation } from '../model/contract.ts';
import { isArray, isObject, type Json, type JsonObject, pointerOf, valueAt } from '../model/json.ts';

/** Whether the schema leaves a body no choice, what the engine puts in apart. False where that does not show. */
export function hasFixedBody(operation: Operation): boolean {
  const root = operation.body?.schema;
  if (root === undefined) return false;
  const nodesOf = (schema: Json, trail: readonly Json[] = []): readonly Json[] => {
    if (!isObject(schema) || trail.includes(schema)) return [schema];
    const { allOf, $ref: ref } = schema;
    const target = typeof ref === 'string' && ref.startsWith('#') ? valueAt(root, ref.slice(1)) : undefined;
    const parts = [...(isArray(allOf) ? allOf : []), ...(target === undefined ? [] : [target])];
    return [schema, ...parts.flatMap((part) => nodesOf(part, [...trail, schema]))];
  };
  const isFixed = (schemas: readonly Json[], path: readonly string[]): boolean => {
    const nodes = schemas.flatMap((schema) => nodesOf(schema)).filter(isObject);
    if (nodes.some((node) => 'const' in node || (isArray(node['enum']) && node['enum'].length === 1)))
      return true;
    if (path.length > 5 || !nodes.some(({ type }) => type === 'object') || nodes.some(hasBranches))
      return false;
    const named = nodes.flatMap(({ properties }) => (isObject(properties) ? Object.entries(properties) : []));
    const required = new Set(nodes.flatMap((node) => (isArray(node['required']) ? node['required'] : [])));
    const others = nodes.flatMap((node) => [node['additionalProperties'], node['unevaluatedProperties']]);
    if (others.some((one) => one !== undefined && one !== false)) return false;
    if (named.length === 0 && !others.includes(false)) return false;
    return named.every(([name, schema]) => {
      const at = [...path, name];
      if (schema === false || isCarried(operation, pointerOf(at))) return true;
      const all = named.filter(([other]) => other === name).map(([, each]) => each);
      return required.has(name) && isFixed(all, at);
    });
  };
  return isFixed([root], []);
}

const branches = ['anyOf', 'oneOf', 'if', '$dynamicRef', 'patternProperties', 'dependentSchemas'];

function hasBranches(node: JsonObject): boolean {
  return branches.some((keyword) => keyword in node);
}

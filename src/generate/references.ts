import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  pointerTokens,
} from './json.ts';

/** A subschema where it stands, with what reading its references needs (JSON Schema core, 8.2 and 9). */
export type SchemaNode = {
  readonly schema: JsonSchema;
  /** URI of the schema resource that it belongs to. */
  readonly base: string;
  /** URI under which its document was given. */
  readonly document: string;
  /** Its place in the document. */
  readonly at: JsonPointer;
  /** Resources entered so far, outermost first (the dynamic scope, section 7.1). Empty where no schema has a `$dynamicAnchor`. */
  readonly scope: readonly string[];
  /** Equal for equal nodes in equal dynamic scope. */
  readonly key: string;
  /** Of a schema with keywords left out: the whole one, which its subschemas belong to. */
  readonly whole?: SchemaNode;
};

/** The documents of one study, indexed by URI, `$id`, `$anchor` and `$dynamicAnchor`. */
export type SchemaIndex = {
  readonly root: SchemaNode;
  /** The subschema of `node` at these tokens; undefined where there is no schema. */
  child(node: SchemaNode, ...tokens: readonly (string | number)[]): SchemaNode | undefined;
  /** The target of the node's `$ref` or `$dynamicRef`; undefined where it leads nowhere. */
  target(node: SchemaNode, keyword: '$ref' | '$dynamicRef'): SchemaNode | undefined;
  /** Another schema in the place of `node`, reading references as `node` does. `label` distinguishes it from others. */
  standIn(node: SchemaNode, label: string, schema: JsonSchema): SchemaNode;
  /** The node with only the keywords that `keeps`. `label` distinguishes it from others. */
  reduced(node: SchemaNode, label: string, keeps: (keyword: string) => boolean): SchemaNode;
};

type Resource = {
  readonly schema: JsonSchema;
  readonly document: string;
  readonly at: JsonPointer;
  readonly base: string;
};

const ROOT = 'assay://schema/';
const SINGLE =
  'additionalProperties unevaluatedProperties propertyNames items unevaluatedItems contains not if then else contentSchema'.split(
    ' ',
  );
const LISTS = ['prefixItems', 'allOf', 'anyOf', 'oneOf'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];

/** Indexes schemas by absolute URI; `lookup` is the last resort for URIs found nowhere (the meta-schemas). */
export function schemaIndex(
  schema: JsonSchema,
  remotes: Readonly<Record<string, JsonSchema>> = {},
  lookup: (uri: string) => JsonSchema | undefined = () => undefined,
): SchemaIndex {
  const resources = new Map<string, Resource>();
  const anchors = new Map<string, Resource>();
  const dynamicAnchors = new Set<string>();

  const register = (uri: string, document: JsonSchema): void => {
    walk(document, uri, '', uri, (found) => {
      const keywords = isObject(found.schema) ? found.schema : {};
      if (!resources.has(found.base) && (found.at === '' || typeof keywords['$id'] === 'string'))
        resources.set(found.base, found);
      for (const keyword of ['$anchor', '$dynamicAnchor']) {
        const name = keywords[keyword];
        if (typeof name !== 'string') continue;
        anchors.set(`${found.base}#${name}`, found);
        if (keyword === '$dynamicAnchor') dynamicAnchors.add(`${found.base}#${name}`);
      }
    });
    const whole = resources.get(documentBase(document, uri));
    if (whole !== undefined && !resources.has(uri)) resources.set(uri, whole);
  };

  for (const [uri, remote] of Object.entries(remotes)) register(uri.replace(/#$/, ''), remote);
  register(ROOT, schema);

  // Nodes are made once: the evaluator asks for the same ones for every value.
  const interns = new Map<string, SchemaNode>();
  const interned = (node: SchemaNode): SchemaNode => {
    const known = interns.get(node.key);
    if (known !== undefined) return known;
    interns.set(node.key, node);
    return node;
  };

  const nodeOf = ({ schema: own, document, at, base }: Resource, scope: readonly string[]): SchemaNode => {
    const entered = dynamicAnchors.size === 0 || scope.includes(base) ? scope : [...scope, base];
    return interned({ schema: own, document, at, base, scope: entered, key: keyOf(document, at, entered) });
  };

  const resourceAt = (uri: string): Resource | undefined => {
    const known = resources.get(uri);
    if (known !== undefined) return known;
    const found = lookup(uri);
    if (found === undefined) return undefined;
    register(uri, found);
    return resources.get(uri);
  };

  const locate = (uri: string): Resource | undefined => {
    const [absolute = '', fragment = ''] = splitFragment(uri);
    const resource = resourceAt(absolute);
    if (fragment === '' || resource === undefined) return resource;
    if (!fragment.startsWith('/')) return anchors.get(`${resource.base}#${fragment}`);
    return descend(resource, pointerTokens(fragment));
  };

  const remembered = new WeakMap<SchemaNode, Map<string, SchemaNode | undefined>>();
  const once = (
    node: SchemaNode,
    name: string,
    find: () => SchemaNode | undefined,
  ): SchemaNode | undefined => {
    const known = remembered.get(node) ?? new Map<string, SchemaNode | undefined>();
    remembered.set(node, known);
    if (!known.has(name)) known.set(name, find());
    return known.get(name);
  };

  const child: SchemaIndex['child'] = (node, ...tokens) =>
    once(node, tokens.join('\n'), () => {
      if (node.whole !== undefined) {
        const [keyword = ''] = tokens;
        const kept = isObject(node.schema) && Object.hasOwn(node.schema, keyword);
        return kept ? child(node.whole, ...tokens) : undefined;
      }
      const found = descend(node, tokens.map(String));
      return found === undefined ? undefined : nodeOf(found, node.scope);
    });

  const inPlaceOf = (
    { document, base, at: place, scope }: SchemaNode,
    label: string,
    other: JsonSchema,
  ): SchemaNode => {
    const at = `${place}/~${label}`;
    return { schema: other, document, base, at, scope, key: keyOf(document, at, scope) };
  };

  const resolved = (node: SchemaNode, keyword: '$ref' | '$dynamicRef'): SchemaNode | undefined => {
    const reference = isObject(node.schema) ? node.schema[keyword] : undefined;
    const uri = typeof reference === 'string' ? absoluteUri(reference, node.base) : undefined;
    if (uri === undefined) return undefined;
    const first = locate(uri);
    if (first === undefined) return undefined;
    const [, name = ''] = splitFragment(uri);
    if (keyword === '$dynamicRef' && dynamicAnchors.has(`${first.base}#${name}`)) {
      const outermost = node.scope.find((base) => dynamicAnchors.has(`${base}#${name}`));
      const dynamic = outermost === undefined ? undefined : anchors.get(`${outermost}#${name}`);
      if (dynamic !== undefined) return nodeOf(dynamic, node.scope);
    }
    return nodeOf(first, node.scope);
  };

  return {
    root: nodeOf(
      resources.get(documentBase(schema, ROOT)) ?? { schema, document: ROOT, at: '', base: ROOT },
      [],
    ),
    child,
    target: (node, keyword) =>
      isObject(node.schema) && typeof node.schema[keyword] === 'string'
        ? once(node, keyword, () => resolved(node, keyword))
        : undefined,
    standIn: (node, label, other) => interned(inPlaceOf(node, label, other)),
    reduced(node, label, keeps) {
      if (!isObject(node.schema)) return node;
      const kept = Object.entries(node.schema).filter(([keyword]) => keeps(keyword));
      return interned({ ...inPlaceOf(node, label, Object.fromEntries(kept)), whole: node });
    },
  };
}

function keyOf(document: string, at: JsonPointer, scope: readonly string[]): string {
  return `${document}#${at}|${scope.join(' ')}`;
}

/** The part of a node's place that is in the document itself, stand-ins left out. */
export function placeOf(node: SchemaNode): JsonPointer {
  return node.at.split('/~', 1)[0] ?? '';
}

function documentBase(schema: JsonSchema, uri: string): string {
  return isObject(schema) ? baseOf(schema, uri) : uri;
}

function baseOf(schema: JsonObject, base: string): string {
  const id = schema['$id'];
  return typeof id === 'string' ? (splitFragment(absoluteUri(id, base) ?? base)[0] ?? base) : base;
}

function walk(
  schema: JsonSchema,
  base: string,
  at: JsonPointer,
  document: string,
  see: (found: Resource) => void,
): void {
  if (!isObject(schema)) {
    see({ schema, base, at, document });
    return;
  }
  const own = baseOf(schema, base);
  see({ schema, base: own, at, document });
  const step = (value: Json | undefined, pointer: JsonPointer): void => {
    if (typeof value === 'boolean' || isObject(value)) walk(value, own, pointer, document, see);
  };
  for (const keyword of SINGLE) step(schema[keyword], `${at}/${keyword}`);
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (isArray(list))
      list.forEach((item, index) => {
        step(item, `${at}/${keyword}/${index}`);
      });
  }
  for (const keyword of MAPS) {
    const map = schema[keyword];
    if (isObject(map))
      for (const [name, value] of Object.entries(map)) step(value, `${at}/${keyword}/${escaped(name)}`);
  }
}

function descend(from: Resource, tokens: readonly string[]): Resource | undefined {
  let value: Json | undefined = from.schema;
  let { base, at } = from;
  for (const token of tokens) {
    if (isArray(value)) value = value[Number(token)];
    else if (isObject(value)) value = Object.hasOwn(value, token) ? value[token] : undefined;
    else return undefined;
    at = `${at}/${escaped(token)}`;
    if (isObject(value)) base = baseOf(value, base);
  }
  return typeof value === 'boolean' || isObject(value)
    ? { schema: value, base, at, document: from.document }
    : undefined;
}

function escaped(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

function absoluteUri(reference: string, base: string): string | undefined {
  if (reference.startsWith('#')) return `${base}${reference}`;
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

/** The absolute part and the decoded fragment of a URI. */
function splitFragment(uri: string): readonly [string, string] {
  const hash = uri.indexOf('#');
  if (hash < 0) return [uri, ''];
  const fragment = uri.slice(hash + 1);
  try {
    return [uri.slice(0, hash), decodeURIComponent(fragment)];
  } catch {
    return [uri.slice(0, hash), fragment];
  }
}

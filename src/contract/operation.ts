import { suggestion } from '../document/nearest.ts';
import { schemaProblems } from '../document/schema-problems.ts';
import type { Operation, PathField, QueryField, RequestBody, Success } from '../model/contract.ts';
import { refuse } from '../model/input-error.ts';
import type { JsonSchema } from '../model/json.ts';
import { isArray, isObject } from '../model/json.ts';
import type { GovernedOperation } from './governed.ts';
import { child, errorAt, follow, items, type Library, members, type Place, textAt } from './place.ts';
import { schemaAt } from './schema.ts';
import type { Check, Validators } from './validators.ts';

/** What reading one document needs. */
export type Reading = { readonly root: Place; readonly library: Library; readonly validators: Validators };

/** An operation as its own part of the document describes it; what it says of others is not yet looked up. */
export type Draft = {
  readonly place: Place;
  readonly operation: Operation;
  readonly governed: GovernedOperation;
  /** Names of the headers that its success declares. */
  readonly successHeaders: readonly string[];
  /** The links of its success responses. */
  readonly links: readonly Place[];
  readonly conflictBody: JsonSchema | undefined;
};

type Parameter = {
  readonly place: Place;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
};

/**
 * Reads one operation.
 * @throws InputError where it is not what a governed operation must be
 */
export function draftOf(
  path: string,
  method: string,
  pathItem: Place,
  place: Place,
  reading: Reading,
): Draft {
  const kind = method === 'get' || method === 'head' ? 'read' : 'command';
  const id = textAt(place, 'operationId') ?? `${method.toUpperCase()} ${path}`;
  const governed = governedOf(place, 'x-governed', reading.validators.governedOperation) ?? {};
  const parameters = parametersOf(pathItem, place, reading);
  if (kind === 'command') requireKey(id, place, parameters);
  const { success, headers, links } = successOf(id, place, reading);
  return {
    place,
    governed,
    successHeaders: headers,
    links,
    conflictBody:
      governed.conflict?.body === undefined
        ? undefined
        : schemaAt(child(place, 'x-governed', 'conflict', 'body'), reading.library, reading.validators.ajv),
    operation: {
      id,
      method: method.toUpperCase(),
      path,
      kind,
      permissions: permissionsOf(id, place, reading),
      summary: textAt(place, 'summary'),
      pathFields: pathFieldsOf(path, place, parameters, reading),
      queryFields: parameters.filter((one) => one.in === 'query').map((one) => queryFieldOf(one, reading)),
      body: bodyOf(id, place, reading),
      success,
      failures: failuresOf(place, reading),
      version: undefined,
      verification: undefined,
      conflict: undefined,
      pagination: undefined,
      effect: undefined,
    },
  };
}

/** The value of an extension, checked; undefined where it is absent. */
export function governedOf<T>(place: Place, key: string, check: Check<T>): T | undefined {
  const { value, document, pointer } = child(place, key);
  if (value === undefined) return undefined;
  if (check(value)) return value;
  refuse(schemaProblems(document, check.errors, pointer));
  return undefined;
}

function parametersOf(pathItem: Place, place: Place, { library }: Reading): readonly Parameter[] {
  const all = [pathItem, place].flatMap((holder) =>
    items(child(holder, 'parameters')).map((item): Parameter => {
      const at = follow(item, library);
      const name = textAt(at, 'name') ?? '';
      return { place: at, name, in: textAt(at, 'in') ?? '', required: child(at, 'required').value === true };
    }),
  );
  const same = (a: Parameter, b: Parameter): boolean =>
    a.in === b.in && (a.in === 'header' ? a.name.toLowerCase() === b.name.toLowerCase() : a.name === b.name);
  // The operation's own parameters come later, and replace those of its path.
  return all.filter((one, index) => !all.slice(index + 1).some((later) => same(one, later)));
}

function requireKey(id: string, place: Place, parameters: readonly Parameter[]): void {
  const key = parameters.find((one) => one.in === 'header' && one.name.toLowerCase() === 'idempotency-key');
  if (key?.required === true) return;
  const problem = `the command '${id}' ${key === undefined ? 'has no Idempotency-Key' : 'does not require its Idempotency-Key'}`;
  throw errorAt(
    key?.place ?? place,
    problem,
    key === undefined
      ? 'add the header parameter { name: Idempotency-Key, in: header, required: true, schema: { type: string } }'
      : "write 'required: true' on this parameter",
  );
}

function schemaOf(parameter: Parameter, reading: Reading): JsonSchema {
  const schema = child(parameter.place, 'schema');
  if (schema.value !== undefined) return schemaAt(schema, reading.library, reading.validators.ajv);
  throw errorAt(
    parameter.place,
    `the parameter '${parameter.name}' has no schema`,
    "describe it by 'schema' (not 'content')",
  );
}

function pathFieldsOf(
  path: string,
  place: Place,
  parameters: readonly Parameter[],
  reading: Reading,
): readonly PathField[] {
  const declared = parameters.filter((one) => one.in === 'path');
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  for (const one of declared) {
    if (names.includes(one.name)) continue;
    throw errorAt(one.place, `the path '${path}' has no field '${one.name}'`, suggestion(one.name, names));
  }
  return names.map((name) => {
    const found = declared.find((one) => one.name === name);
    if (found !== undefined) return { name, schema: schemaOf(found, reading), source: undefined };
    throw errorAt(
      place,
      `the path field '${name}' is not declared`,
      `add the parameter { name: ${name}, in: path, required: true, schema: { type: string } }`,
    );
  });
}

function queryFieldOf(parameter: Parameter, reading: Reading): QueryField {
  const governed = governedOf(parameter.place, 'x-governed', reading.validators.governedQueryField);
  return {
    name: parameter.name,
    required: parameter.required,
    schema: schemaOf(parameter, reading),
    filters: governed?.filters,
  };
}

function isJson(mediaType: string): boolean {
  return /^application\/([^;\s]+\+)?json\s*(;|$)/i.test(mediaType);
}

function bodyOf(id: string, place: Place, reading: Reading): RequestBody | undefined {
  const holder = child(place, 'requestBody');
  if (holder.value === undefined) return undefined;
  const at = follow(holder, reading.library);
  const content = jsonContent(at, `the request body of '${id}'`, reading);
  if (content === undefined) {
    throw errorAt(
      at,
      `the request body of '${id}' has no content`,
      "describe it under 'content: application/json'",
    );
  }
  return { ...content, schema: content.schema ?? true, required: child(at, 'required').value === true };
}

function jsonContent(
  at: Place,
  what: string,
  reading: Reading,
): { readonly mediaType: string; readonly schema: JsonSchema | undefined } | undefined {
  const content = members(child(at, 'content'));
  if (content.length === 0) return undefined;
  const json = content.find(([mediaType]) => isJson(mediaType));
  if (json === undefined) {
    throw errorAt(child(at, 'content'), `${what} is not JSON`, "describe it under 'application/json'", 'key');
  }
  const [mediaType, place] = json;
  const schema = child(place, 'schema');
  return {
    mediaType,
    schema:
      schema.value === undefined ? undefined : schemaAt(schema, reading.library, reading.validators.ajv),
  };
}

function successOf(
  id: string,
  place: Place,
  reading: Reading,
): { readonly success: Success; readonly headers: readonly string[]; readonly links: readonly Place[] } {
  const responses = child(place, 'responses');
  const [first] = members(responses)
    .filter(([status]) => /^2\d\d$/.test(status))
    .sort(([a], [b]) => Number(a) - Number(b));
  if (first === undefined) {
    throw errorAt(
      responses.value === undefined ? place : responses,
      `the operation '${id}' declares no success`,
      "add a response under its exact status, such as '201'",
      'key',
    );
  }
  const [status, holder] = first;
  const at = follow(holder, reading.library);
  const content = jsonContent(at, `the success body of '${id}'`, reading);
  const headers = child(at, 'headers');
  const links = child(at, 'links');
  return {
    success: { status: Number(status), mediaType: content?.mediaType, schema: content?.schema },
    headers: members(headers).map(([name]) => name),
    links: members(links).map(([, link]) => follow(link, reading.library)),
  };
}

function failuresOf(place: Place, reading: Reading): Readonly<Record<string, JsonSchema | undefined>> {
  const failures = members(child(place, 'responses')).filter(([status]) =>
    /^([45](\d\d|XX)|default)$/.test(status),
  );
  return Object.fromEntries(
    failures.map(([status, holder]) => {
      const content = members(child(follow(holder, reading.library), 'content'));
      const json = content.find(([mediaType]) => isJson(mediaType));
      const schema = json === undefined ? undefined : child(json[1], 'schema');
      if (schema?.value === undefined) return [status, undefined];
      return [status, schemaAt(schema, reading.library, reading.validators.ajv)];
    }),
  );
}

const exactly = 'write one exact requirement, such as security: [{ serverToken: [case.create] }]';

/** The roles of the one security requirement; undefined where the operation is public. */
function permissionsOf(id: string, place: Place, { root, library }: Reading): readonly string[] | undefined {
  const own = child(place, 'security');
  const security = own.value === undefined ? child(root, 'security') : own;
  if (!isArray(security.value)) {
    throw errorAt(
      place,
      `the operation '${id}' states no security`,
      `${exactly}, or security: [] for a public operation`,
    );
  }
  const [requirement, ...others] = items(security);
  if (requirement === undefined) return undefined;
  if (others.length > 0) {
    throw errorAt(security, `the operation '${id}' states alternatives of security`, exactly, 'key');
  }
  const schemes = members(requirement);
  const [scheme] = schemes;
  if (scheme === undefined) return undefined;
  if (schemes.length > 1) {
    throw errorAt(requirement, `the operation '${id}' requires several credentials at once`, exactly);
  }
  const [name, roles] = scheme;
  requireBearer(name, roles, root, library);
  return items(roles).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}

function requireBearer(name: string, roles: Place, root: Place, library: Library): void {
  const all = child(root, 'components', 'securitySchemes');
  const holder = child(all, name);
  if (holder.value === undefined) {
    const known = isObject(all.value) ? Object.keys(all.value) : [];
    throw errorAt(roles, `there is no security scheme '${name}'`, suggestion(name, known), 'key');
  }
  const at = follow(holder, library);
  const type = textAt(at, 'type');
  const bearer = type === 'http' && textAt(at, 'scheme')?.toLowerCase() === 'bearer';
  if (bearer || type === 'oauth2' || type === 'openIdConnect') return;
  throw errorAt(
    at,
    `the security scheme '${name}' is no bearer token`,
    'every request carries Authorization: Bearer: write { type: http, scheme: bearer }',
  );
}

import type { Check } from '../document/checks.ts';
import { problemAt } from '../document/document.ts';
import { suggestion } from '../document/nearest.ts';
import { schemaProblems } from '../document/schema-problems.ts';
import type { HeaderField, Operation, Success } from '../model/contract.ts';
import { type InputProblem, refuse } from '../model/input-error.ts';
import { canonicalJson, isArray, isObject, type Json, type JsonSchema } from '../model/json.ts';
import { boundingMembers } from './bounding-members.ts';
import { bodyOf, isJson, jsonContent, otherForms } from './content.ts';
import type { GovernedOperation } from './governed.ts';
import { warnOfKeyForm } from './key-form.ts';
import type { Library, Place } from './library.ts';
import { headerFieldsOf, type Parameter, parametersOf, pathFieldsOf, queryFieldsOf } from './parameters.ts';
import { child, errorAt, follow, items, members, textAt, Untestable, untestableAt } from './place.ts';
import { headersOf, requestIdOf } from './response-headers.ts';
import { type SchemaReading, schemaAt } from './schema.ts';
import { readable } from './snake-links.ts';
import type { Validators } from './validators.ts';

export type DocumentContext = SchemaReading & { readonly root: Place; readonly validators: Validators };

/** An operation as its own part of the document describes it; what it says of others is not yet looked up. */
export type Draft = {
  readonly place: Place;
  /** The path in the document, where fields of it have other names now. */
  readonly writtenPath?: string;
  readonly operation: Operation;
  readonly governed: GovernedOperation;
  readonly successHeaders: readonly string[];
  /** Names, in lower case, of request headers that may be left out. */
  readonly optionalHeaders: readonly string[];
  readonly links: readonly Place[];
  readonly conflictBody: JsonSchema | undefined;
};

/** @throws InputError where it is not what a governed operation must be */
export function draftOf(
  id: string,
  path: string,
  method: string,
  pathItem: Place,
  place: Place,
  reading: DocumentContext,
): Draft {
  const governed = governedOf(place, reading.validators.governedOperation) ?? {};
  const kind = method === 'get' || method === 'head' || governed.read === true ? 'read' : 'command';
  const parameters = parametersOf(pathItem, place, reading);
  if (kind === 'command') requireKey(id, place, method, parameters, reading);
  if (governed.shared === true && kind === 'command')
    throw errorAt(
      child(place, 'x-governed', 'shared'),
      `'${id}' is a command`,
      'write shared: true on a read that shows the same records to every scope',
    );
  if (governed.read === true) checkRead(id, place, method, parameters);
  const { successes, success, headers, links } = successesOf(id, kind, method, place, reading);
  return {
    place,
    governed,
    successHeaders: headers,
    optionalHeaders: parameters
      .filter((one) => one.in === 'header' && !one.required)
      .map(({ name }) => name.toLowerCase()),
    links,
    conflictBody:
      governed.conflict?.body === undefined
        ? undefined
        : schemaAt(child(place, 'x-governed', 'conflict', 'body'), reading, 'request'),
    operation: {
      id,
      method: method.toUpperCase(),
      path,
      kind,
      ...(governed.shared === true ? { shared: true } : {}),
      ...securityOf(id, place, reading),
      summary: textAt(place, 'summary'),
      pathFields: pathFieldsOf(path, place, parameters, reading),
      queryFields: boundingMembers(
        parameters
          .filter((one) => one.in === 'query')
          .flatMap((one) => queryFieldsOf(one, filtersOf(one, reading), governed.pagination, reading)),
        success.schema,
        governed.pagination?.items,
      ),
      ...headersIn(headerFieldsOf(parameters, carriersOf(governed), reading)),
      body: bodyOf(id, place, reading),
      success,
      ...(successes.length > 1 ? { otherSuccesses: successes.slice(1) } : {}),
      failures: failuresOf(place, successes, reading),
      version: undefined,
      verification: undefined,
      conflict: undefined,
      pagination: undefined,
      effect: undefined,
    },
  };
}

/** Generators that take a query field as a schema alone write `x-governed` there. */
function filtersOf({ place }: Parameter, { validators }: DocumentContext): string | undefined {
  const { governedQueryField } = validators;
  const governed = governedOf(place, governedQueryField);
  return (governed ?? governedOf(child(place, 'schema'), governedQueryField))?.filters;
}

/** The value of `x-governed`, checked; undefined where it is absent. */
export function governedOf<T>(place: Place, check: Check<T>): T | undefined {
  const { value, document, pointer } = child(place, 'x-governed');
  if (value === undefined) return undefined;
  if (check(value)) return value;
  refuse(schemaProblems(document, check.errors, pointer));
  return undefined;
}

function keyIn(parameters: readonly Parameter[]): Parameter | undefined {
  return parameters.find((one) => one.in === 'header' && one.name.toLowerCase() === 'idempotency-key');
}

/** Whether an operation that its document calls a read may be one. */
function checkRead(id: string, place: Place, method: string, parameters: readonly Parameter[]): void {
  if (!['get', 'head', 'post'].includes(method))
    throw errorAt(
      child(place, 'x-governed', 'read'),
      `'${id}' is a ${method.toUpperCase()}, which writes`,
      'write read: true on a POST that changes nothing',
    );
  const key = keyIn(parameters);
  if (method === 'post' && key?.required === true)
    throw errorAt(
      key.place,
      `the read '${id}' requires an Idempotency-Key`,
      'remove read: true if it is a command',
    );
}

function requireKey(
  id: string,
  place: Place,
  method: string,
  parameters: readonly Parameter[],
  reading: DocumentContext,
): void {
  const key = keyIn(parameters);
  if (key?.required === true) {
    warnOfKeyForm(id, key.place, reading);
    return;
  }
  const problem = `the command '${id}' ${key === undefined ? 'has no Idempotency-Key' : 'does not require its Idempotency-Key'}`;
  throw untestableAt(
    key?.place ?? place,
    problem,
    key === undefined
      ? `add the header parameter { name: Idempotency-Key, in: header, required: true, schema: { type: string } }${
          method === 'post' ? ', or x-governed: { read: true } if it changes nothing' : ''
        }`
      : "write 'required: true' on this parameter",
  );
}

function headersIn(headerFields: readonly HeaderField[]): Pick<Operation, 'headerFields'> {
  return headerFields.length === 0 ? {} : { headerFields };
}

/** Names of the headers that carry a version or a verification. */
function carriersOf({ verification, version }: GovernedOperation): readonly string[] {
  return [version?.carrier, verification?.carrier].flatMap((carrier) =>
    carrier?.in === 'header' ? [carrier.name.toLowerCase()] : [],
  );
}

/** Exact statuses in order, else the range, else what holds by default. */
function successesOf(
  id: string,
  kind: Operation['kind'],
  method: string,
  place: Place,
  reading: DocumentContext,
): {
  readonly success: Success;
  readonly successes: readonly Success[];
  readonly headers: readonly string[];
  readonly links: readonly Place[];
} {
  const responses = child(place, 'responses');
  const all = members(responses);
  const exact = all.filter(([status]) => /^2\d\d$/.test(status)).sort(([a], [b]) => Number(a) - Number(b));
  const ranged = all.filter(([status]) => /^2XX$/i.test(status));
  const usual = all.filter(([status]) => status === 'default');
  const declared = exact.length + ranged.length > 0 ? [...exact, ...ranged] : usual;
  if (declared.length === 0) {
    throw untestableAt(
      responses.value === undefined ? place : responses,
      `the operation '${id}' declares no success`,
      "add a response under its exact status, such as '201'",
      'key',
    );
  }
  const read = declared.map(([status, holder]) => {
    const at = follow(holder, reading.library);
    // HTTP gives these no body, whatever the document describes.
    const isBodiless = method === 'head' || status === '204' || status === '205';
    const content = isBodiless
      ? undefined
      : jsonContent(at, `the success body of '${id}'`, reading, 'response');
    const any: boolean = !/^2\d\d$/.test(status);
    return {
      success: {
        status: any ? (kind === 'read' ? 200 : 201) : Number(status),
        ...(any ? { any } : {}),
        mediaType: content?.mediaType,
        ...(content === undefined ? {} : otherForms(at, content, reading)),
        schema: content?.schema,
        ...headersOf(at, reading),
        ...requestIdOf(at, reading),
      },
      headers: members(child(at, 'headers')).map(([name]) => name),
      links: members(child(at, 'links')).map(([, link]) =>
        readable(follow(link, reading.library), reading.warnings),
      ),
    };
  });
  const [first] = read;
  if (first === undefined) throw new Error('no success was read');
  return {
    success: first.success,
    successes: read.map(({ success }) => success),
    headers: read.flatMap(({ headers }) => headers),
    links: read.flatMap(({ links }) => links),
  };
}

function failuresOf(
  place: Place,
  successes: readonly Success[],
  reading: DocumentContext,
): Readonly<Record<string, JsonSchema | undefined>> {
  // Where no success is declared but the default, the default is one.
  const usual =
    members(child(place, 'responses')).some(([status]) => /^2/.test(status)) || successes.length === 0;
  const failures = members(child(place, 'responses')).filter(([status]) =>
    (usual ? /^([45](\d\d|XX)|default)$/i : /^[45](\d\d|XX)$/i).test(status),
  );
  return Object.fromEntries(
    failures.map(([status, holder]) => {
      const content = members(child(follow(holder, reading.library), 'content'));
      const json = content.find(([mediaType]) => isJson(mediaType));
      const schema = json === undefined ? undefined : child(json[1], 'schema');
      if (schema?.value === undefined) return [status, undefined];
      return [status, schemaAt(schema, reading, 'response')];
    }),
  );
}

const exactly = 'write one exact requirement, such as security: [{ serverToken: [case.create] }]';

/** The roles of the one security requirement by a bearer token; no permissions where the operation is public. */
function securityOf(
  id: string,
  place: Place,
  { root, library, warnings }: DocumentContext,
): Pick<Operation, 'permissions' | 'otherCredentials'> {
  const own = child(place, 'security');
  const security = own.value === undefined ? child(root, 'security') : own;
  if (!isArray(security.value)) {
    throw errorAt(
      place,
      `the operation '${id}' declares no security`,
      `${exactly}, or security: [] for a public operation`,
    );
  }
  const requirements = items(security);
  // An empty requirement among them lets everybody in.
  if (requirements.length === 0 || requirements.some((one) => members(one).length === 0))
    return { permissions: undefined };
  const problems: InputProblem[] = [];
  const bearers = requirements.flatMap((requirement) => {
    const problem = bearerProblem(id, requirement, root, library);
    if (problem === undefined) return [requirement];
    problems.push(...problem.problems);
    return [];
  });
  const alone = bearers.filter((one) => members(one).length === 1);
  const [bearer, ...others] = alone.length > 0 ? alone : bearers;
  if (bearer === undefined) {
    const [first, ...more] = problems;
    if (first === undefined) throw new Error('no requirement and no problem');
    throw new Untestable(first, more);
  }
  const askedIn = (one: Place): string => canonicalJson(askedBy(one, root, library));
  if (others.some((one) => askedIn(one) !== askedIn(bearer)))
    throw untestableAt(
      security,
      `the operation '${id}' declares alternatives under security`,
      exactly,
      'key',
    );
  const isOne = problems.length === 0 && bearers.length === others.length + 1;
  if (!isOne)
    warnings.push(
      problemAt(
        security.document,
        security.pointer,
        `the operation '${id}' can be called with other credentials as well`,
        'only its bearer token is tested',
        'key',
      ),
    );
  const schemes = schemesOf(bearer, root, library);
  const roles = schemes.find(({ kind }) => kind === 'bearer')?.roles;
  const fixed = schemes.filter(({ kind }) => kind === 'fixed').map(({ name }) => `'${name}'`);
  if (fixed.length > 0)
    warnings.push(
      problemAt(
        security.document,
        security.pointer,
        `the operation '${id}' also requires ${fixed.join(' and ')}`,
        'give it in the configuration, under target.headers or target.clientCertificate',
        'key',
      ),
    );
  const permissions = roles === undefined ? [] : items(roles).map(({ value }) => value);
  return {
    permissions: permissions.filter((value) => typeof value === 'string'),
    ...(isOne ? {} : { otherCredentials: true }),
  };
}

/** Why a requirement is not one bearer token; undefined where it is. @throws InputError where it names no scheme */
function bearerProblem(
  id: string,
  requirement: Place,
  root: Place,
  library: Library,
): Untestable | undefined {
  const schemes = members(requirement);
  const all = child(root, 'components', 'securitySchemes');
  for (const [name, roles] of schemes) {
    if (child(all, name).value !== undefined) continue;
    const known = isObject(all.value) ? Object.keys(all.value) : [];
    throw errorAt(roles, `there is no security scheme '${name}'`, suggestion(name, known), 'key');
  }
  const kinds = schemesOf(requirement, root, library);
  const bearers = kinds.filter(({ kind }) => kind === 'bearer').length;
  if (bearers === 1 && kinds.every(({ kind }) => kind !== 'other')) return undefined;
  const [first] = kinds;
  if (schemes.length > 1 || first === undefined)
    return untestableAt(requirement, `the operation '${id}' requires several credentials at once`, exactly);
  return untestableAt(
    first.at,
    `the security scheme '${first.name}' is not a bearer token`,
    'every request carries Authorization: Bearer: write { type: http, scheme: bearer }',
  );
}

/** What a caller sends for a requirement: a token with these roles is the same by OAuth 2.0 and by OpenID Connect. */
function askedBy(requirement: Place, root: Place, library: Library): Json {
  return schemesOf(requirement, root, library)
    .map(({ kind, name, roles }): Json => (kind === 'bearer' ? [roles.value ?? []] : name))
    .toSorted((one, other) => (canonicalJson(one) < canonicalJson(other) ? -1 : 1));
}

/** `fixed`: what the configuration gives for every request, a header such as X-Api-Key or a client certificate. */
type Scheme = {
  readonly name: string;
  readonly roles: Place;
  readonly at: Place;
  readonly kind: 'bearer' | 'fixed' | 'other';
};

function schemesOf(requirement: Place, root: Place, library: Library): readonly Scheme[] {
  return members(requirement).map(([name, roles]) => {
    const at = follow(child(root, 'components', 'securitySchemes', name), library);
    return { name, roles, at, kind: kindOf(at) };
  });
}

function kindOf(scheme: Place): Scheme['kind'] {
  const type = textAt(scheme, 'type');
  if (type === 'oauth2' || type === 'openIdConnect') return 'bearer';
  if (type === 'http' && textAt(scheme, 'scheme')?.toLowerCase() === 'bearer') return 'bearer';
  const isHeader = type === 'apiKey' && textAt(scheme, 'in') === 'header';
  // Documents that are older than `scheme: bearer` describe the header that carries the token.
  if (isHeader && textAt(scheme, 'name')?.toLowerCase() === 'authorization') return 'bearer';
  return type === 'mutualTLS' || isHeader ? 'fixed' : 'other';
}

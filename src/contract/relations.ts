import { suggestion } from '../document/nearest.ts';
import type {
  Carrier,
  EffectRule,
  Operation,
  Pagination,
  PathField,
  VersionRule,
} from '../model/contract.ts';
import type { JsonPointer, JsonSchema } from '../model/json.ts';
import { pointerTokens } from '../model/json.ts';
import type { Draft } from './operation.ts';
import { child, errorAt, members, type Place, textAt } from './place.ts';
import { reach } from './schema.ts';

/**
 * An operation with what it says of other operations, looked up.
 * @throws InputError where it names an operation or a field that the document does not have
 */
export function completed(draft: Draft, all: readonly Draft[]): Operation {
  for (const link of draft.links) checkLink(link, draft, all);
  const pagination = paginationOf(draft);
  checkFilters(draft, pagination);
  return {
    ...draft.operation,
    pathFields: draft.operation.pathFields.map((field) => ({
      ...field,
      source: sourceOf(field, draft, all),
    })),
    version: versionOf(draft, all),
    verification: verificationOf(draft),
    conflict: conflictOf(draft, all),
    pagination,
    effect: effectOf(draft, all),
  };
}

function governedPlace(draft: Draft, ...tokens: readonly string[]): Place {
  return child(draft.place, 'x-governed', ...tokens);
}

/** The operation that a place names. */
function named(place: Place, id: string, all: readonly Draft[]): Draft {
  const found = all.find(({ operation }) => operation.id === id);
  if (found !== undefined) return found;
  const known = all.map(({ operation }) => operation.id);
  throw errorAt(place, `there is no operation '${id}'`, suggestion(id, known));
}

/** Refuses a pointer to a member that a schema does not describe. */
function requireMember(place: Place, schema: JsonSchema | undefined, pointer: JsonPointer, of: string): void {
  const found = reach(schema, pointer);
  if (found.known) return;
  throw errorAt(place, `${of} has no field '${pointer}'`, suggestion(found.member, found.beside));
}

// Links

const bodyExpression = /^\$response\.body#(\/.*)?$/;

function linkTarget(link: Place, all: readonly Draft[]): Draft {
  const ref = textAt(link, 'operationRef');
  if (ref === undefined) return named(child(link, 'operationId'), textAt(link, 'operationId') ?? '', all);
  const [root, path, method, ...rest] = pointerTokens(decodeURIComponent(ref.replace(/^#/, '')));
  const found =
    ref.startsWith('#/') && root === 'paths' && rest.length === 0
      ? all.find(({ operation }) => operation.path === path && operation.method === method?.toUpperCase())
      : undefined;
  if (found !== undefined) return found;
  throw errorAt(
    child(link, 'operationRef'),
    `the operationRef '${ref}' leads to no operation of this document`,
    'name the operation by operationId',
  );
}

/** The path fields that a link fills from the response body. */
function linkedFields(
  link: Place,
): readonly { readonly name: string; readonly at: JsonPointer; readonly place: Place }[] {
  return members(child(link, 'parameters')).flatMap(([key, place]) => {
    const match = typeof place.value === 'string' ? bodyExpression.exec(place.value) : null;
    if (match === null) return [];
    return [{ name: key.replace(/^path\./, ''), at: match[1] ?? '', place }];
  });
}

function checkLink(link: Place, draft: Draft, all: readonly Draft[]): void {
  const { operation } = linkTarget(link, all);
  const known = [...operation.pathFields, ...operation.queryFields].map(({ name }) => name);
  for (const { name, at, place } of linkedFields(link)) {
    const plain = name.replace(/^(query|header|cookie)\./, '');
    if (!known.includes(plain) && !/^(header|cookie)\./.test(name)) {
      throw errorAt(place, `'${operation.id}' has no parameter '${plain}'`, suggestion(plain, known), 'key');
    }
    requireMember(place, draft.operation.success.schema, at, `the success body of '${draft.operation.id}'`);
  }
}

function sourceOf(field: PathField, target: Draft, all: readonly Draft[]): PathField['source'] {
  const sources = all.flatMap((draft) =>
    draft.links
      .filter((link) => linkTarget(link, all) === target)
      .flatMap((link) => linkedFields(link))
      .filter(({ name }) => name === field.name)
      .map(({ at }) => ({ draft, at })),
  );
  // The command that makes a target names one that nobody else uses; a list names anybody's.
  const best = sources.find(({ draft }) => draft.operation.kind === 'command') ?? sources[0];
  return best === undefined ? undefined : { operation: best.draft.operation.id, at: best.at };
}

// x-governed

function checkCarrier(draft: Draft, carrier: Carrier, place: Place): void {
  if (carrier.in === 'header') return;
  const { id, body } = draft.operation;
  if (body === undefined) {
    throw errorAt(place, `'${id}' has no request body to carry this`, 'use { in: header, name: ... }');
  }
  requireMember(child(place, 'at'), body.schema, carrier.at, `the request body of '${id}'`);
}

function versionOf(draft: Draft, all: readonly Draft[]): VersionRule | undefined {
  const rule = draft.governed.version;
  if (rule === undefined) return undefined;
  checkCarrier(draft, rule.carrier, governedPlace(draft, 'version', 'carrier'));
  const place = governedPlace(draft, 'version', 'source');
  const source = named(child(place, 'operation'), rule.source.operation, all);
  if (rule.source.in === 'body') {
    const of = `the success body of '${source.operation.id}'`;
    requireMember(child(place, 'at'), source.operation.success.schema, rule.source.at, of);
  } else {
    const { name } = rule.source;
    const declared = source.successHeaders;
    if (!declared.some((header) => header.toLowerCase() === name.toLowerCase())) {
      const problem = `the success of '${source.operation.id}' declares no header '${name}'`;
      throw errorAt(child(place, 'name'), problem, suggestion(name, declared));
    }
  }
  return { carrier: rule.carrier, source: rule.source, neutral: rule.neutral ?? false };
}

function verificationOf(draft: Draft): Operation['verification'] {
  const rule = draft.governed.verification;
  if (rule === undefined) return undefined;
  checkCarrier(draft, rule.carrier, governedPlace(draft, 'verification', 'carrier'));
  return { carrier: rule.carrier, hook: rule.hook, singleUse: rule.singleUse ?? false };
}

function conflictOf(draft: Draft, all: readonly Draft[]): Operation['conflict'] {
  const rule = draft.governed.conflict;
  if (rule === undefined) return undefined;
  const place = governedPlace(draft, 'conflict', 'after');
  const after = named(place, rule.after, all);
  if (after.operation.kind !== 'command') {
    throw errorAt(place, `'${rule.after}' is a read, which changes no state`, 'name a command');
  }
  return { after: rule.after, body: draft.conflictBody };
}

function paginationOf(draft: Draft): Pagination | undefined {
  const rule = draft.governed.pagination;
  if (rule === undefined) return undefined;
  const { id, queryFields, success } = draft.operation;
  const place = governedPlace(draft, 'pagination');
  const names = queryFields.map(({ name }) => name);
  for (const role of ['limit', 'cursor'] as const) {
    if (names.includes(rule[role])) continue;
    throw errorAt(
      child(place, role),
      `'${id}' has no query field '${rule[role]}'`,
      suggestion(rule[role], names),
    );
  }
  const of = `the success body of '${id}'`;
  requireMember(child(place, 'items'), success.schema, rule.items, of);
  if (rule.next !== undefined) requireMember(child(place, 'next'), success.schema, rule.next, of);
  const style = rule.style ?? 'cursor';
  if (style === 'cursor' && rule.next === undefined) {
    throw errorAt(
      place,
      "'next' is missing in 'pagination'",
      'say where the next cursor stands in the response body',
    );
  }
  return { limit: rule.limit, cursor: rule.cursor, style, items: rule.items, next: rule.next };
}

function checkFilters(draft: Draft, pagination: Pagination | undefined): void {
  if (pagination === undefined) return;
  for (const { name, filters } of draft.operation.queryFields) {
    if (filters === undefined) continue;
    const at = `${pagination.items}/0${filters}`;
    requireMember(
      draft.place,
      draft.operation.success.schema,
      at,
      `an item that the query field '${name}' filters`,
    );
  }
}

function effectOf(draft: Draft, all: readonly Draft[]): EffectRule | undefined {
  const rule = draft.governed.effect;
  if (rule === undefined) return undefined;
  const place = governedPlace(draft, 'effect');
  for (const role of ['read', 'list'] as const) {
    const id = rule[role];
    if (id === undefined) continue;
    const { operation } = named(child(place, role), id, all);
    if (operation.kind === 'read') continue;
    throw errorAt(child(place, role), `'${id}' is a command, which shows no effect`, 'name a read (GET)');
  }
  const id = rule.id ?? '/id';
  const { operation } = draft;
  requireMember(child(place, 'id'), operation.success.schema, id, `the success body of '${operation.id}'`);
  return { read: rule.read, list: rule.list, id };
}

import { suggestion } from '../document/nearest.ts';
import type {
  Carrier,
  EffectRule,
  Operation,
  OperationId,
  Pagination,
  PathField,
  PathSource,
  VersionRule,
} from '../model/contract.ts';
import type { JsonPointer, JsonSchema } from '../model/json.ts';
import { pointerTokens } from '../model/json.ts';
import type { Place } from './library.ts';
import type { Draft } from './operation.ts';
import { child, errorAt, members, textAt, untestableAt } from './place.ts';
import { reach } from './schema.ts';

/** The operations that can be tested, and the names of those that were left out. */
type All = { readonly drafts: readonly Draft[]; readonly away: ReadonlySet<OperationId> };

/**
 * An operation with what it says of other operations, looked up. What it says of one that was left out is dropped.
 * @throws InputError where it names an operation or a field that the document does not have
 */
export function completed(draft: Draft, drafts: readonly Draft[], away: ReadonlySet<OperationId>): Operation {
  const all: All = { drafts, away };
  for (const link of draft.links) checkLink(link, draft, all);
  const pagination = paginationOf(draft);
  checkFilters(draft, pagination);
  return {
    ...draft.operation,
    pathFields: draft.operation.pathFields.map((field) => ({
      ...field,
      source: sourceOf(field, draft, all),
      ...(isChosen(field, draft, all) ? { chosen: true } : {}),
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

/** The operation that a place names; undefined for one that was left out. */
function named(place: Place, id: string, { drafts, away }: All): Draft | undefined {
  const found = drafts.find(({ operation }) => operation.id === id);
  if (found !== undefined || away.has(id)) return found;
  const known = drafts.map(({ operation }) => operation.id);
  throw errorAt(place, `there is no operation '${id}'`, suggestion(id, known));
}

/** Refuses a pointer to a member that a schema does not describe. */
function requireMember(place: Place, schema: JsonSchema | undefined, pointer: JsonPointer, of: string): void {
  const found = reach(schema, pointer);
  if (found.known) return;
  throw errorAt(place, `${of} has no field '${pointer}'`, suggestion(found.member, found.siblings));
}

// Links

const bodyExpression = /^\$response\.body#(\/.*)?$/;
const headerExpression = /^\$response\.header\.(.+)$/i;
const pathExpression = /^\$request\.path\.(.+)$/;

function linkTarget(link: Place, all: All): Draft | undefined {
  const ref = textAt(link, 'operationRef');
  if (ref === undefined) return named(child(link, 'operationId'), textAt(link, 'operationId') ?? '', all);
  const [root, path, method, ...rest] = pointerTokens(decodeURIComponent(ref.replace(/^#/, '')));
  const found =
    ref.startsWith('#/') && root === 'paths' && rest.length === 0
      ? all.drafts.find(
          ({ operation }) => operation.path === path && operation.method === method?.toUpperCase(),
        )
      : undefined;
  if (found !== undefined || (ref.startsWith('#/') && root === 'paths' && all.away.size > 0)) return found;
  throw errorAt(
    child(link, 'operationRef'),
    `the operationRef '${ref}' leads to no operation of this document`,
    'name the operation by operationId',
  );
}

type Linked = {
  readonly name: string;
  readonly place: Place;
  readonly from:
    | { readonly at: JsonPointer }
    | { readonly header: string }
    /** A field of the path of the operation that has the link. */
    | { readonly path: string };
};

/** The path fields that a link fills from the response, or from the path of its request. */
function linkedFields(link: Place): readonly Linked[] {
  return members(child(link, 'parameters')).flatMap(([key, place]): readonly Linked[] => {
    const name = key.replace(/^path\./, '');
    const { value } = place;
    if (typeof value !== 'string') return [];
    const body = bodyExpression.exec(value);
    if (body !== null) return [{ name, place, from: { at: body[1] ?? '' } }];
    const header = headerExpression.exec(value)?.[1];
    if (header !== undefined) return [{ name, place, from: { header } }];
    const path = pathExpression.exec(value)?.[1];
    return path === undefined ? [] : [{ name, place, from: { path } }];
  });
}

function checkLink(link: Place, draft: Draft, all: All): void {
  const operation = linkTarget(link, all)?.operation;
  if (operation === undefined) return;
  const known = [...operation.pathFields, ...operation.queryFields].map(({ name }) => name);
  for (const { name, from, place } of linkedFields(link)) {
    const plain = name.replace(/^(query|header|cookie)\./, '');
    if (!known.includes(plain) && !/^(header|cookie)\./.test(name)) {
      throw errorAt(place, `'${operation.id}' has no parameter '${plain}'`, suggestion(plain, known), 'key');
    }
    if ('at' in from)
      requireMember(
        place,
        draft.operation.success.schema,
        from.at,
        `the success body of '${draft.operation.id}'`,
      );
    if ('header' in from) requireHeader(place, draft, from.header);
    if ('path' in from) {
      const own = draft.operation.pathFields.map((field) => field.name);
      if (!own.includes(from.path))
        throw errorAt(
          place,
          `the path of '${draft.operation.id}' has no field '${from.path}'`,
          suggestion(from.path, own),
        );
    }
  }
}

function requireHeader(place: Place, source: Draft, name: string): void {
  const declared = source.successHeaders;
  if (declared.some((header) => header.toLowerCase() === name.toLowerCase())) return;
  const problem = `the success of '${source.operation.id}' declares no header '${name}'`;
  throw errorAt(place, problem, suggestion(name, declared));
}

function sourceOf(field: PathField, target: Draft, all: All): PathSource | undefined {
  const sources = all.drafts.flatMap((draft) =>
    draft.links
      .filter((link) => linkTarget(link, all) === target)
      .flatMap((link) => linkedFields(link))
      .filter(({ name }) => name === field.name)
      .map(({ from }) => ({ draft, from })),
  );
  // The command that makes a target names one that nobody else uses; a list names anybody's.
  const best = sources.find(({ draft }) => draft.operation.kind === 'command') ?? sources[0];
  if (best !== undefined) return { operation: best.draft.operation.id, ...best.from };
  const maker = chooserOf(field, target, all);
  return maker === undefined || maker === target
    ? undefined
    : { operation: maker.operation.id, path: field.name };
}

/** The command that makes records under ids that its callers choose, where a field of a path names such a record. */
function chooserOf(field: PathField, { operation }: Draft, { drafts }: All): Draft | undefined {
  const end = operation.path.indexOf(`{${field.name}}`) + field.name.length + 2;
  const upTo = operation.path.slice(0, end);
  const collection = upTo.slice(0, upTo.lastIndexOf('/'));
  // Where POST makes the records, PUT replaces those that there are.
  if (drafts.some((one) => one.operation.method === 'POST' && one.operation.path === collection))
    return undefined;
  return drafts.find(
    (one) =>
      one.operation.method === 'PUT' && one.operation.path === upTo && one.governed.version === undefined,
  );
}

function isChosen(field: PathField, draft: Draft, all: All): boolean {
  return sourceOf(field, draft, all) === undefined && chooserOf(field, draft, all) === draft;
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

function versionOf(draft: Draft, all: All): VersionRule | undefined {
  const rule = draft.governed.version;
  if (rule === undefined) return undefined;
  checkCarrier(draft, rule.carrier, governedPlace(draft, 'version', 'carrier'));
  const place = governedPlace(draft, 'version', 'source');
  const source = named(child(place, 'operation'), rule.source.operation, all);
  if (source === undefined)
    throw untestableAt(
      child(place, 'operation'),
      `'${rule.source.operation}', which shows the version, cannot be tested`,
      'name another operation that shows it',
    );
  if (rule.source.in === 'body') {
    const of = `the success body of '${source.operation.id}'`;
    requireMember(child(place, 'at'), source.operation.success.schema, rule.source.at, of);
  } else {
    requireHeader(child(place, 'name'), source, rule.source.name);
  }
  return { carrier: rule.carrier, source: rule.source, neutral: rule.neutral ?? false };
}

function verificationOf(draft: Draft): Operation['verification'] {
  const rule = draft.governed.verification;
  if (rule === undefined) return undefined;
  checkCarrier(draft, rule.carrier, governedPlace(draft, 'verification', 'carrier'));
  return { carrier: rule.carrier, hook: rule.hook, singleUse: rule.singleUse ?? false };
}

function conflictOf(draft: Draft, all: All): Operation['conflict'] {
  const rule = draft.governed.conflict;
  if (rule === undefined) return undefined;
  const place = governedPlace(draft, 'conflict', 'after');
  const after = named(place, rule.after, all);
  if (after === undefined) return undefined;
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
      'say where the response body has the next cursor',
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

function effectOf(draft: Draft, all: All): EffectRule | undefined {
  const rule = draft.governed.effect;
  if (rule === undefined) return undefined;
  const place = governedPlace(draft, 'effect');
  const shown = (role: 'read' | 'list'): Operation | undefined => {
    const id = rule[role];
    if (id === undefined) return undefined;
    const operation = named(child(place, role), id, all)?.operation;
    if (operation === undefined || operation.kind === 'read') return operation;
    throw errorAt(child(place, role), `'${id}' is a command, which shows no effect`, 'name a read (GET)');
  };
  const read = shown('read');
  const list = shown('list');
  if (read === undefined && list === undefined) return undefined;
  const id = rule.id ?? '/id';
  const { operation } = draft;
  // A read of the very record that the command is of needs no id.
  if (rule.id !== undefined || list !== undefined || needsId(operation, read))
    requireMember(child(place, 'id'), operation.success.schema, id, `the success body of '${operation.id}'`);
  return { read: read?.id, list: list?.id, id };
}

function needsId(command: Operation, read: Operation | undefined): boolean {
  return (
    read?.pathFields.some(({ name }) => !command.pathFields.some((field) => field.name === name)) === true
  );
}

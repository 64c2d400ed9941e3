import { suggestion } from '../document/nearest.ts';
import type { OperationId } from '../model/contract.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  pointerTokens,
} from '../model/json.ts';
import { writtenName } from '../model/path.ts';
import { reach } from '../model/schema-places.ts';
import { percentDecoded } from '../model/text.ts';
import type { Place } from './library.ts';
import type { Draft } from './operation.ts';
import { child, errorAt, members, textAt } from './place.ts';

/** The operations that can be tested, and the names of those that were left out. */
export type All = { readonly drafts: readonly Draft[]; readonly away: ReadonlySet<OperationId> };

export function governedPlace(draft: Draft, ...tokens: readonly string[]): Place {
  return child(draft.place, 'x-governed', ...tokens);
}

/** The operation that a place names; undefined for one that was left out. */
export function named(place: Place, id: string, { drafts, away }: All): Draft | undefined {
  const found = drafts.find(({ operation }) => operation.id === id);
  if (found !== undefined || away.has(id)) return found;
  const known = drafts.map(({ operation }) => operation.id);
  throw errorAt(place, `there is no operation '${id}'`, suggestion(id, known));
}

export function requireMember(
  place: Place,
  schema: JsonSchema | undefined,
  pointer: JsonPointer,
  of: string,
  also = '',
): void {
  const found = reach(schema, pointer);
  if (found.known) return;
  throw errorAt(
    place,
    `${of} has no field '${pointer}'`,
    `${suggestion(found.member, found.siblings)}${also}`,
  );
}

// Links

const bodyExpression = /^\$response\.body#(\/.*)?$/;
const headerExpression = /^\$response\.header\.(.+)$/i;
const pathExpression = /^\$request\.path\.(.+)$/;

export function linkTarget(link: Place, all: All): Draft | undefined {
  const ref = textAt(link, 'operationRef');
  if (ref === undefined) return named(child(link, 'operationId'), textAt(link, 'operationId') ?? '', all);
  const [root, path, method, ...rest] = pointerTokens(percentDecoded(ref.replace(/^#/, '')) ?? '');
  const found =
    ref.startsWith('#/') && root === 'paths' && rest.length === 0
      ? all.drafts.find(
          ({ operation, writtenPath }) =>
            (writtenPath ?? operation.path) === path && operation.method === method?.toUpperCase(),
        )
      : undefined;
  if (found !== undefined || (ref.startsWith('#/') && root === 'paths' && all.away.size > 0)) return found;
  throw errorAt(
    child(link, 'operationRef'),
    `the operationRef '${ref}' leads to no operation of this document`,
    'name the operation by operationId',
  );
}

export type Linked = {
  readonly name: string;
  readonly place: Place;
  readonly from:
    | { readonly at: JsonPointer }
    | { readonly header: string }
    /** A field of the path of the operation that has the link. */
    | { readonly path: string };
};

/** The path fields that a link fills from the response, or from the path of its request. */
export function linkedFields(link: Place): readonly Linked[] {
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

export type LinkedMember = {
  readonly at: JsonPointer;
  readonly from: Extract<Linked['from'], { readonly at: JsonPointer } | { readonly header: string }>;
};

/** The members of a body that a link fills from the response. */
export function linkedMembers(link: Place): readonly LinkedMember[] {
  const filled = (value: Json | undefined, tokens: readonly string[]): readonly LinkedMember[] => {
    if (isObject(value) || isArray(value))
      return Object.entries(value).flatMap(([name, member]) => filled(member, [...tokens, name]));
    if (typeof value !== 'string' || tokens.length === 0) return [];
    const at = pointerOf(tokens);
    const body = bodyExpression.exec(value);
    if (body !== null) return [{ at, from: { at: body[1] ?? '' } }];
    const header = headerExpression.exec(value)?.[1];
    return header === undefined ? [] : [{ at, from: { header } }];
  };
  return filled(child(link, 'requestBody').value, []);
}

export function checkLink(link: Place, draft: Draft, all: All): void {
  const operation = linkTarget(link, all)?.operation;
  if (operation === undefined) return;
  const known = [...operation.pathFields.map(writtenName), ...operation.queryFields.map(({ name }) => name)];
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
      const own = draft.operation.pathFields.map(writtenName);
      if (!own.includes(from.path))
        throw errorAt(
          place,
          `the path of '${draft.operation.id}' has no field '${from.path}'`,
          suggestion(from.path, own),
        );
    }
  }
}

export function requireHeader(place: Place, source: Draft, name: string): void {
  const declared = source.successHeaders;
  if (declared.some((header) => header.toLowerCase() === name.toLowerCase())) return;
  const problem = `the success of '${source.operation.id}' declares no header '${name}'`;
  throw errorAt(place, problem, suggestion(name, declared));
}

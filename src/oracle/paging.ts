import LinkHeader from 'http-link-header';
import type { Operation } from '../model/contract.ts';
import type { HttpResponse } from '../model/exchange.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  pointerOf,
  pointerTokens,
  valueAt,
} from '../model/json.ts';
import { firstPage, isNumbered } from '../model/pages.ts';
import { exactJsonOf, jsonOf } from '../model/response.ts';
import { describes, requires } from '../model/schema-places.ts';
import { mayHavePages } from './undeclared-pages.ts';

/** The smallest page of more than one item that may be asked for. */
export function smallPage(operation: Operation): number {
  const schema = operation.queryFields.find(({ name }) => name === operation.pagination?.limit)?.schema;
  if (!isObject(schema)) return 2;
  const { enum: choices, minimum } = schema;
  const numbers = isArray(choices) ? choices.filter((one) => typeof one === 'number' && one > 1) : [];
  const [first, ...rest] = numbers.filter((one) => typeof one === 'number');
  if (first !== undefined) return Math.min(first, ...rest);
  return typeof minimum === 'number' ? Math.max(2, minimum) : 2;
}

/** Whether the number of the first page is unknown, and with it that of the second, which no page names. */
export function isUncounted(list: Operation): boolean {
  const { next, style } = list.pagination ?? {};
  return style === 'page' && next === undefined && firstPage(list) === undefined;
}

export function isAnySize({ pagination, queryFields }: Operation): boolean {
  const schema = queryFields.find(({ name }) => name === pagination?.limit)?.schema;
  return !isObject(schema) || (schema['enum'] === undefined && schema['multipleOf'] === undefined);
}

/** Where the items of a list are whose paging is not declared: its one array, be it the root or a member. */
function itemsAt(body: Json | undefined): JsonPointer {
  if (!isObject(body)) return '';
  const arrays = Object.entries(body).filter(([, member]) => isArray(member));
  return arrays.length === 1 ? pointerOf([arrays[0]?.[0] ?? '']) : '/items';
}

/**
 * The items of a page. A service may write null for an empty list. It may leave one out where the schema describes it,
 * does not require it, and describes all lists that the body has, or where earlier pages had items. Undefined where no items are found.
 */
export function itemsIn(
  { pagination, success: { schema } }: Operation,
  body: Json | undefined,
  earlier = 0,
): readonly Json[] | undefined {
  const found = valueAt(body, pagination?.items ?? itemsAt(body));
  if (isArray(found)) return found;
  if (found === null || (found === undefined && earlier > 0)) return [];
  if (found !== undefined || pagination === undefined || !isObject(body)) return undefined;
  const described = [pagination.items, ...listsIn(body)].every((at) => describes(schema, at));
  return described && !requires(schema, pagination.items) ? [] : undefined;
}

/** Where an object has lists with items, in its members or theirs. */
function listsIn(object: JsonObject, within: readonly string[] = []): readonly JsonPointer[] {
  return Object.entries(object).flatMap(([name, member]) => {
    const at = [...within, name];
    if (isArray(member)) return member.length === 0 ? [] : [pointerOf(at)];
    return isObject(member) ? listsIn(member, at) : [];
  });
}

/** What a response says about the next page; `unknown` where pages are counted, or it cannot be followed. */
export type NextPage =
  | { readonly kind: 'at'; readonly cursor: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

const none = { kind: 'none' } as const;
const unknownPage = { kind: 'unknown' } as const;

/** Where a response says that the next page begins: in its body, or in a Link of the relation `next` (RFC 8288). */
export function nextPage(operation: Operation, answer: HttpResponse): NextPage {
  const { pagination } = operation;
  if (pagination === undefined) {
    const body = jsonOf(answer);
    const items = itemsIn(operation, body)?.length ?? 0;
    return linksOf(answer).length > 0 || mayHavePages(operation, answer, body, items) ? unknownPage : none;
  }
  if (pagination.next !== undefined) {
    const body = exactJsonOf(answer);
    // A last item has an ID as well.
    if (pointerTokens(pagination.next).includes('-1') && isSaidToEnd(body)) return none;
    const cursor = cursorIn(nextAt(body, pagination.next), pagination.cursor);
    return cursor === undefined ? none : { kind: 'at', cursor };
  }
  if (pagination.style !== 'link') return unknownPage;
  if (linksOf(answer).length === 0) return none;
  const cursor = linkedField(answer, pagination.cursor);
  return cursor === undefined ? unknownPage : { kind: 'at', cursor };
}

function isSaidToEnd(body: Json | undefined): boolean {
  const within = isObject(body) ? [body, ...Object.values(body)].filter(isObject) : [];
  return within
    .flatMap((each) => Object.entries(each))
    .some(
      ([name, value]) =>
        value === false && /^(?:has)?(?:more|next(?:page)?)$/i.test(name.replaceAll(/[_-]/g, '')),
    );
}

/**
 * A numbered page behind the last one is refused by some services, and empty with others. One is `guessed` where no page led
 * there: to refuse that with 400 or 422 says the same.
 */
export function isBehindEnd(list: Operation, { status }: HttpResponse, guessed = false): boolean {
  if (guessed) return [400, 404, 416, 422].includes(status);
  return isNumbered(list) && list.pagination?.next === undefined && (status === 404 || status === 416);
}

/** What leads to the next page; in a list of links, such as `link` of FHIR, the one whose relation is `next`. */
export function nextAt(body: Json | undefined, pointer: JsonPointer): Json | undefined {
  const value = valueAt(body, pointer);
  const tokens = pointerTokens(pointer);
  const index = tokens.findLastIndex((token) => /^\d+$/.test(token));
  const links = isArray(value) || index < 0 ? value : valueAt(body, pointerOf(tokens.slice(0, index)));
  if (!isArray(links)) return value;
  const related = links.filter((link): link is JsonObject => relationOf(link) !== undefined);
  if (related.length === 0) return value;
  const next = related.find((link) => relationOf(link) === 'next') ?? {};
  return next['href'] ?? next['url'] ?? next['uri'];
}

function relationOf(link: Json): string | undefined {
  const relation = isObject(link) ? (link['rel'] ?? link['relation']) : undefined;
  return typeof relation === 'string' ? relation.toLowerCase() : undefined;
}

/** The cursor that a body names: as it is, or as a query field of the address of the next page. */
export function cursorIn(next: Json | undefined, field: string): string | undefined {
  if (typeof next === 'number') return String(next);
  if (typeof next !== 'string' || next === '') return undefined;
  return addressed(next, field) ?? next;
}

/** A query field of a text that is an address with a query; null where the address has no such field. */
export function addressed(text: string, field: string): string | null | undefined {
  return /^(?:https?:\/\/|\/|\?)[^?]*\?|^\?/i.test(text) ? queryOf(text).get(field) : undefined;
}

/** A query field in the address of the next page, where a Link has one. */
export function linkedField(answer: HttpResponse, field: string): string | undefined {
  const [link] = linksOf(answer);
  return link === undefined ? undefined : (queryOf(link).get(field) ?? undefined);
}

/** Addresses of the next page, absolute or relative. */
function linksOf(answer: HttpResponse): readonly string[] {
  return answer.headers
    .filter(([name]) => name.toLowerCase() === 'link')
    .flatMap(([, value]) => {
      try {
        return LinkHeader.parse(value)
          .rel('next')
          .map(({ uri }) => uri);
      } catch {
        return [];
      }
    });
}

function queryOf(address: string): URLSearchParams {
  return new URLSearchParams(address.replace(/^[^?]*\??/, '').replace(/#.*/, ''));
}

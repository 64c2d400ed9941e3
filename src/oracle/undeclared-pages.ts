import type { Operation, QueryField } from '../model/contract.ts';
import { type HttpResponse, headerOf } from '../model/exchange.ts';
import { isObject, type Json, type JsonSchema } from '../model/json.ts';
import { schemasAt } from '../model/schema-places.ts';
import { fold } from './claims-path.ts';

/** Words that say that more follows, unless the value is off. */
const more =
  /^(?:next(?:cursor|page|pagetoken|token|link|url|uri|offset)?|has(?:more|next|nextpage)|more|cursor|continuation(?:token)?)$/;
const last = /^(?:is)?last(?:page)?$/;
const counts = /^(?:count|total(?:count|items?|elements|results|records|size)?|(?:item|record|result)count)$/;
const pages = /^(?:(?:total)?pages|(?:last|total)page|pagecount)$/;
/** Query fields that choose a part of a list. */
const paging =
  /^\$?(?:limit|offset|take|skip|top|page(?:able|no|num|number|index|size|token)?|perpage|maxpagesize|maxresults|cursor|startingafter|startindex|(?:next|skip|continuation)token)$/;

/** Whether a list that the contract says nothing of the kind about may have pages all the same, as far as a response shows. */
export function mayHavePages(
  { queryFields, success }: Pick<Operation, 'queryFields' | 'success'>,
  answer: HttpResponse,
  body: Json | undefined,
  items: number,
): boolean {
  const fields = queryFields.filter(({ filters }) => filters === undefined);
  const names = new Set(fields.map(({ name }) => name));
  const signs = [...headerSigns(answer, items), ...bodySigns(body, items, names)];
  if (signs.length > 0) return signs.includes('more');
  if (items === 0 || leavesOutNext(success.schema)) return false;
  return fields
    .flatMap(partsOf)
    .some(({ name, schema }) => paging.test(fold(name)) && !isAbove(schema, items));
}

type Part = { readonly name: string; readonly schema: Json };

/** A query field and its members: LoopBack writes `filter={"limit":10,"offset":20}`. */
function partsOf({ name, schema }: QueryField): readonly Part[] {
  const whole = isObject(schema) ? schema : {};
  const members = schemasAt(whole, '').flatMap(({ properties }) =>
    isObject(properties) ? Object.entries(properties) : [],
  );
  return [{ name, schema: whole }, ...members.map(([member, own]) => ({ name: member, schema: own }))];
}

type Sign = 'more' | 'end';

const sign = (isMore: boolean): readonly Sign[] => [isMore ? 'more' : 'end'];

function headerSigns({ headers }: HttpResponse, items: number): readonly Sign[] {
  const total = headerOf(headers, 'x-total-count') ?? headerOf(headers, 'content-range')?.split('/').at(-1);
  return total === undefined || !/^\d+$/.test(total) ? [] : sign(Number(total) > items);
}

function bodySigns(body: Json | undefined, items: number, fields: ReadonlySet<string>): readonly Sign[] {
  return membersOf(body, 3).flatMap(([name, value]) => {
    const word = fold(name);
    const isOff = value === null || value === false || value === '';
    if (more.test(word)) return sign(!isOff);
    if (last.test(word) && typeof value === 'boolean') return sign(!value);
    if (counts.test(word) && typeof value === 'number') return sign(value > items);
    if (pages.test(word) && typeof value === 'number') return sign(value > 1);
    // A position to send back, such as `before`.
    return fields.has(name) && typeof value === 'string' && !isOff ? sign(true) : [];
  });
}

/** Whether a page would say where the next one is: the schema describes a member for it. */
function leavesOutNext(schema: JsonSchema | undefined): boolean {
  return schemasAt(schema, '').some(
    ({ properties }) => isObject(properties) && Object.keys(properties).some((name) => more.test(fold(name))),
  );
}

/** Whether a page is smaller than what the document says a page has. */
function isAbove(schema: Json, items: number): boolean {
  const size = isObject(schema) ? schema['default'] : undefined;
  return typeof size === 'number' && items < size;
}

/** Members of an object, and of the objects in it, down to a depth. */
function membersOf(value: Json | undefined, depth: number): readonly (readonly [string, Json])[] {
  if (depth === 0 || !isObject(value)) return [];
  return Object.entries(value).flatMap((member) => [member, ...membersOf(member[1], depth - 1)]);
}

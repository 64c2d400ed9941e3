import type { Operation } from '../model/contract.ts';
import { itemsAt, membersAt } from '../model/described-places.ts';
import { type JsonPointer, type JsonSchema, pointerOf, pointerTokens } from '../model/json.ts';
import { bare } from '../model/path.ts';
import { schemasAt } from '../model/schema-places.ts';
import type { Draft } from './operation.ts';

type Drafts = readonly Draft[];

/**
 * Whether a PUT, PATCH or DELETE has the path of a collection, as `PUT /pets` has next to `POST /pets`: it acts on a record
 * that its body names, or on several. The path of a singleton, such as `PUT /settings`, is what it acts on (RFC 9110, 9.3.4).
 */
export function isOnCollection(draft: Draft, drafts: Drafts): boolean {
  const { kind, method, path, pathFields } = draft.operation;
  if (kind !== 'command' || method === 'POST' || pathFields.length > 0) return false;
  const at = drafts.filter((one) => one !== draft && bare(one.operation.path) === bare(path));
  // The document says that a read of this very path shows what the command does.
  if (at.some(({ operation }) => operation.id === draft.governed.effect?.read)) return false;
  const adds = at.some(({ operation }) => operation.kind === 'command' && operation.method === 'POST');
  const lists = at.some(isList);
  const hasItems = ownReadOf(draft, drafts) !== undefined;
  return (adds && (lists || hasItems)) || (lists && hasItems);
}

/** The read of one record of the collection at whose path a command is: `GET /pets/{petId}` for `PUT /pets`. */
export function ownReadOf({ operation }: Draft, drafts: Drafts): Operation | undefined {
  return drafts.find(({ operation: { method, path, pathFields } }) => {
    const [field, ...others] = pathFields;
    return (
      method === 'GET' &&
      field !== undefined &&
      others.length === 0 &&
      bare(path) === `${bare(operation.path)}/{${field.name}}`
    );
  })?.operation;
}

function isList({ governed, operation: { kind, success } }: Draft): boolean {
  if (kind !== 'read') return false;
  if (governed.pagination !== undefined) return true;
  const at = itemsAt(success.schema);
  if (at === undefined) return false;
  const others = membersAt(success.schema, '').filter(
    (name) => !`${at}/`.startsWith(`${pointerOf([name])}/`),
  );
  return others.every((name) => aboutPages.test(name) || isRemark(success.schema, name));
}

/** Members with what a page says of itself. */
const aboutPages = /^_?(meta(data)?|paging|pagination|page_?info|links)$/i;

/** What a result may say of itself, or of the command. */
const remarks =
  /^(ok|success|status|message|total|count|size|page|pages|limit|offset|(next|prev|previous)([_A-Z].*)?|cursor|has_?more)$/i;

/** What is around a result, and what is about it. */
const around = /^(data|result|payload|body)$/i;
const about = /^(meta|metadata|paging|pagination)$/i;

/** Whether a result shows no single record, but a list of records, or only that the command is done. */
export function showsNoRecord(schema: JsonSchema | undefined): boolean {
  const own = schemasAt(schema, '');
  const members = membersAt(schema, '');
  if (members.length === 0) return own.some(({ items }) => items !== undefined);
  return members.every(
    (name) => about.test(name) || isRemark(schema, pointerOf([name])) || isAround(schema, name),
  );
}

/** Whether a member is an object around a result that has only remarks. */
function isAround(schema: JsonSchema | undefined, name: string): boolean {
  const inner = membersAt(schema, pointerOf([name]));
  return (
    around.test(name) && inner.length > 0 && inner.every((each) => isRemark(schema, pointerOf([name, each])))
  );
}

/** Whether a member of a result says something of the result, or of how many there are, and nothing of one record. */
function isRemark(schema: JsonSchema | undefined, at: JsonPointer): boolean {
  const name = pointerTokens(at).at(-1) ?? '';
  const types = schemasAt(schema, at).map(({ items, type }) => type ?? (items && 'array'));
  const isCount = types.every((type) => type === 'integer') && !/id$|key|code|number|no$|ref/i.test(name);
  return (
    remarks.test(name) ||
    (types.length > 0 && (isCount || types.every((type) => type === 'array' || type === 'boolean')))
  );
}

import { creates, idText, type Operation } from './contract.ts';
import { type HttpResponse, headerOf } from './exchange.ts';
import { isArray, isObject, type Json, type JsonPointer, pointerTokens, valueAt } from './json.ts';
import { bare, keyInParentheses, withoutSuffix } from './path.ts';
import { exactJsonOf, isAccepted, sentJson } from './response.ts';
import { requires } from './schema-places.ts';
import { percentDecoded } from './text.ts';

/** Members that hold the whole result, and say nothing else of themselves; some write `Data`. */
export const envelopes: readonly string[] = ['data', 'result', 'record', 'resource', 'item', 'payload'];

type Result = Pick<HttpResponse, 'status' | 'headers' | 'body'>;

/** Where the ID is in the body of a result. */
export function idPointer({ effect, idAt }: Operation): JsonPointer {
  return idAt ?? effect?.id ?? '/id';
}

/** The member of the body that chooses the ID of the record that a command makes: `sku` of `POST /products`. */
export function chosenIdAt(operation: Operation): JsonPointer | undefined {
  const { body, idHeader, named = [] } = operation;
  if (!creates(operation) || operation.method !== 'POST' || idHeader?.use === 'only') return undefined;
  const at = idPointer(operation);
  return [at, at.slice(at.lastIndexOf('/'))].find(
    (one) => requires(body?.schema, one) && named.every((record) => record.at !== one),
  );
}

/** The ID that a response names: in its body, or, where it was accepted, in a header. */
export function resultId(operation: Operation, answer: Result): string | undefined {
  const { idHeader } = operation;
  if (idHeader === undefined || !isAccepted(answer)) return bodyId(operation, answer);
  if (idHeader.use === 'last') return bodyId(operation, answer) ?? headerId(operation, idHeader, answer);
  const inHeader = headerId(operation, idHeader, answer);
  return inHeader === undefined && idHeader.use === 'first' ? bodyId(operation, answer) : inHeader;
}

/** Whether a request names the ID of its result; a number only under the name of the ID, as it may be a quantity. */
export function namesResult(
  operation: Operation,
  request: { readonly body: string | undefined },
  id: string,
): boolean {
  const leaf = pointerTokens(idPointer(operation)).at(-1) ?? '';
  const names = (value: Json, name: string): boolean => {
    if (isArray(value)) return value.some((item) => names(item, name));
    if (isObject(value)) return Object.entries(value).some(([inner, member]) => names(member, inner));
    return typeof value === 'number' ? name === leaf && idText(value) === id : value === id;
  };
  return names(sentJson(request) ?? null, '');
}

/** Whether only a header of a response names its ID: another response to the same command may lack that header. */
export function isIdInHeader(operation: Operation, answer: Result): boolean {
  const id = resultId(operation, answer);
  return id !== undefined && id !== bodyId(operation, answer);
}

function bodyId(operation: Operation, answer: Result): string | undefined {
  const at = idPointer(operation);
  const id = idAt(exactJsonOf(answer), at);
  return id !== undefined && isAddressed(at) ? ownId(operation, id) : id;
}

/** Where paths end in `.json`, so do addresses. */
export function ownId({ path }: Pick<Operation, 'path'>, id: string): string {
  return withoutSuffix(path) === path ? id : withoutSuffix(id);
}

/** The ID at a place of a body: `7` of `/cases/7`, where the place holds the address of the record. */
export function idAt(body: Json | undefined, at: JsonPointer): string | undefined {
  const text = idText(valueAt(body, at));
  if (text === undefined) return undefined;
  return isAddressed(at) ? lastSegment(text) : idInName(at, text);
}

/** The ID at the end of a resource name (AIP-122): `s1` of `projects/p1/secrets/s1`. */
export function idInName(at: JsonPointer, text: string): string {
  return at.endsWith('/name') && /^[\w.~-]+(?:\/[\w.~-]+)+$/.test(text)
    ? text.slice(text.lastIndexOf('/') + 1)
    : text;
}

function headerId(
  operation: Operation,
  { name, paths }: NonNullable<Operation['idHeader']>,
  { headers }: Result,
): string | undefined {
  const value = headerOf(headers, name)?.trim();
  if (value === undefined || value === '') return undefined;
  if (paths !== undefined && !paths.some((path) => leadsTo(path, value))) return undefined;
  if (!isAddressed(name)) return value;
  const id = lastSegment(value);
  return id === undefined ? undefined : ownId(operation, id);
}

/** Whether a header, or a place in a body such as `/_links/self/href`, holds an address, whose last segment is the ID. */
export function isAddressed(place: string): boolean {
  return /^(content-)?location$|\/(href|self|ur[il]|location|@(odata\.)?id)$/i.test(place);
}

/** The ID at the end of an address that leads to one of these paths. */
export function idInAddress(value: Json | undefined, paths: readonly string[]): string | undefined {
  const path = typeof value === 'string' ? paths.find((one) => leadsTo(one, value)) : undefined;
  const id = path === undefined ? undefined : lastSegment(String(value));
  return path === undefined || id === undefined ? undefined : ownId({ path }, id);
}

/** Whether an address ends like a path of the contract: the base URL is in front of it. */
function leadsTo(template: string, address: string): boolean {
  const segments = ownId({ path: template }, pathOf(address).replace(/\/$/, ''))
    .split('/')
    .flatMap((segment) => {
      const plain = percentDecoded(segment) ?? segment;
      const key = keyInParentheses(plain);
      return key === undefined ? [segment] : [plain.slice(0, plain.indexOf('(')), encodeURIComponent(key)];
    });
  const wanted = bare(template).split('/').slice(1);
  const last = segments.slice(-wanted.length);
  return (
    last.length === wanted.length &&
    wanted.every((segment, at) =>
      /^\{[^}]+\}$/.test(segment)
        ? last[at] !== ''
        : segment === (percentDecoded(last[at] ?? '') ?? last[at]),
    )
  );
}

function pathOf(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  return path.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*/i, '');
}

/** The ID at the end of an address: `/notes/n%201?x` and `/notes('n%201')` give `n 1`. */
export function lastSegment(address: string): string | undefined {
  const last = pathOf(address)
    .split('/')
    .findLast((segment) => segment !== '');
  const plain = last === undefined ? undefined : (percentDecoded(last) ?? last);
  return plain === undefined ? undefined : (keyInParentheses(plain) ?? plain);
}

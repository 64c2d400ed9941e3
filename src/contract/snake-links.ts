import { problemAt } from '../document/document.ts';
import type { InputProblem } from '../model/input-error.ts';
import { isObject, type Json, type JsonObject } from '../model/json.ts';
import type { Place } from './library.ts';

/** utoipa, a generator for Rust, writes the members of a link in snake case: no vendor can change that. */
const written = { operation_id: 'operationId', operation_ref: 'operationRef', request_body: 'requestBody' };

/** A link with the names that OpenAPI gives to its members. */
function inCamelCase(link: Json | undefined): Json | undefined {
  if (!isObject(link)) return link;
  const named = (name: string): string => {
    const plain = Object.hasOwn(written, name) ? written[name as keyof typeof written] : name;
    return Object.hasOwn(link, plain) ? name : plain;
  };
  return Object.keys(link).some((name) => named(name) !== name)
    ? Object.fromEntries(Object.entries(link).map(([name, member]) => [named(name), member]))
    : link;
}

/** A link that is read as if its members had the names of OpenAPI. */
export function readable(link: Place, warnings: InputProblem[]): Place {
  const value = inCamelCase(link.value);
  if (value !== link.value)
    warnings.push(
      problemAt(
        link.document,
        link.pointer,
        'this link has its members in snake case, and is read as if they were in camel case',
        "write 'operationId', 'operationRef' and 'requestBody'",
        'key',
      ),
    );
  return { ...link, value };
}

/** A document whose links are in camel case, so that it can be checked against OpenAPI. */
export function withCamelLinks(document: JsonObject): JsonObject {
  return changed(document, {
    paths: (all) => each(all, (item) => each(item, (one) => changed(one, { responses: inResponses }))),
    components: (all) => changed(all, { responses: inResponses, links: inLinks }),
  });
}

type Change = (value: Json) => Json;

const inLinks: Change = (all) => each(all, (link) => inCamelCase(link) ?? link);

const inResponses: Change = (all) => each(all, (response) => changed(response, { links: inLinks }));

function changed<T extends Json>(value: T, changes: Readonly<Record<string, Change>>): T;
function changed(value: Json, changes: Readonly<Record<string, Change>>): Json {
  if (!isObject(value)) return value;
  const different = Object.entries(changes).flatMap(([name, change]) => {
    const member = value[name];
    if (member === undefined) return [];
    const after = change(member);
    return after === member ? [] : [[name, after] as const];
  });
  return different.length === 0 ? value : { ...value, ...Object.fromEntries(different) };
}

function each(value: Json, change: Change): Json {
  if (!isObject(value)) return value;
  return changed(value, Object.fromEntries(Object.keys(value).map((name) => [name, change])));
}

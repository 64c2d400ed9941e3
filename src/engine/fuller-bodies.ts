import { type Operation, operationOf } from '../model/contract.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerTokens,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { schemasAt } from '../model/schema-places.ts';
import { usualCode } from '../suite-kit/codes.ts';
import { fullBody } from '../suite-kit/full-body.ts';
import { leavesOf } from '../suite-kit/other-values.ts';
import type { Preparation } from '../suite-kit/preparation.ts';
import { withCodes } from '../suite-kit/stand-ins.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { sendable } from '../suite-kit/texts.ts';
import type { OperationValues } from '../suite-kit/values.ts';

/** More bodies of a command that makes a record are not tried. */
const mostBodies = 3;

/** The commands that make the records of a command. */
export function makersOf(
  { contract }: Planning,
  { named = [], pathFields, version }: Operation,
): readonly Operation[] {
  const sources = [...pathFields, ...named.map(({ field }) => field)].flatMap(({ source }) =>
    source === undefined ? [] : [source.operation],
  );
  // The result of what made a record shows no version that it gets later.
  return version !== undefined && sources.includes(version.source.operation)
    ? []
    : [...new Set(sources)].map((id) => operationOf(contract, id)).filter(({ kind }) => kind === 'command');
}

/** Valid bodies that put more into the record: lists, such as the lines of an order, or whatever may be left out. */
export function fullerBodies(planning: Planning, operation: Operation, now: number): readonly Preparation[] {
  return makersOf(planning, operation).flatMap((maker) => {
    const values = planning.values(maker);
    const full = generous(maker, values, agreeing(maker, values, fullBody(maker, values)));
    // Few are tried: one that says all comes before further ones that only differ in their values.
    const standIns = values.standIns(now);
    const bodies = new Map(
      [withLists(maker, values, full) ?? [], standIns.slice(0, 1), full ?? [], standIns.slice(1)]
        .flat()
        .map((body) => [canonicalJson(body), body] as const),
    );
    return [...bodies.values()]
      .slice(0, mostBodies)
      .map((body) => ({ bodies: new Map([[maker.id, body]]), first: [] }));
  });
}

/** The body with large numbers in what the plain one leaves out: an account needs more on it than is taken from it. */
function generous(operation: Operation, values: OperationValues, full: Json | undefined): Json | undefined {
  return withLeaves(operation, values, full, ({ at, value }) => {
    const isDecimal = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
    // A bound of its own may be lower: so many refills a prescription allows at most.
    const bounds = schemasAt(operation.body?.schema, at).flatMap(({ maximum }) =>
      typeof maximum === 'number' && maximum < largest ? [maximum] : [],
    );
    const digits = isDecimal ? (/\.\d+$/.exec(value)?.[0].length ?? 1) - 1 : 0;
    const texts = large.map((one) => one.toFixed(digits));
    return typeof value === 'number' ? [...large, ...bounds] : isDecimal ? texts : [];
  });
}

/** The body with the codes of the plain one in what that leaves out: the lines of an invoice have its currency. */
function agreeing(operation: Operation, values: OperationValues, full: Json | undefined): Json | undefined {
  const known = new Map(leavesOf(values.plain ?? null, []).map(({ at, value }) => [lastOf(at), value]));
  return withLeaves(operation, values, full, ({ at }) =>
    usualCode(at) === undefined ? [] : [known.get(lastOf(at)) ?? []].flat(),
  );
}

/** The body with the first other value that is valid at each place that the plain one leaves out. */
function withLeaves(
  { body }: Operation,
  { marker, plain }: OperationValues,
  full: Json | undefined,
  othersFor: (leaf: { readonly at: JsonPointer; readonly value: Json }) => readonly Json[],
): Json | undefined {
  if (body === undefined || full === undefined) return full;
  const isValid = sendable(body.schema, marker);
  return leavesOf(full, [])
    .filter(({ at }) => valueAt(plain ?? null, at) === undefined)
    .reduce<Json>(
      (rest, leaf) =>
        othersFor(leaf)
          .map((other) => withValueAt(rest, leaf.at, other))
          .find(isValid) ?? rest,
      full,
    );
}

const lastOf = (at: JsonPointer): string => pointerTokens(at).at(-1) ?? '';

/** A body of an operation with usual codes, such as EUR, in place of texts that were made up. */
export function withUsualCodes({ body }: Operation, { marker }: OperationValues, value: Json): Json {
  return body === undefined ? value : withCodes(value, sendable(body.schema, marker));
}

const large = [10_000, 1_000, 100];
const largest = 10_000;

/** The plain body with the lists of the full one. */
function withLists(
  { body }: Operation,
  { marker, plain }: OperationValues,
  full: Json | undefined,
): Json | undefined {
  if (body === undefined || !isObject(plain) || !isObject(full)) return undefined;
  const lists = Object.entries(full).filter(([name, value]) => isArray(value) && !Object.hasOwn(plain, name));
  const listed = { ...plain, ...Object.fromEntries(lists) };
  return lists.length > 0 && sendable(body.schema, marker)(listed) ? listed : undefined;
}

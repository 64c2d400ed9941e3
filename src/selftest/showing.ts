import type { Contract, Operation } from '../model/contract.ts';
import { isArray, isObject, type Json, type JsonSchema } from '../model/json.ts';

type Needs = (operation: Operation, contract: Contract) => boolean;

const isSeen: Needs = ({ effect }) => effect?.read !== undefined || effect?.list !== undefined;
/** A second record of a command that creates one is seen in a list. */
const isCounted: Needs = ({ effect, method }) => effect?.list !== undefined && method === 'POST';
const makesIds: Needs = ({ effect, idHeader, method }) =>
  method === 'POST' && effect !== undefined && idHeader === undefined;
const deletes: Needs = ({ method }) => method === 'DELETE';
const updates: Needs = ({ method, version }) =>
  version !== undefined && !version.neutral && (method === 'PATCH' || method === 'PUT');
const hasTarget: Needs = ({ pathFields }) => pathFields.some(({ source }) => source !== undefined);
const isPaged: Needs = ({ pagination }) => pagination !== undefined;
const hasLists: Needs = ({ body }) => textsOf(body?.schema ?? true).some(({ listed }) => listed);
const texts =
  (is: (text: Text) => boolean): Needs =>
  ({ body }) =>
    textsOf(body?.schema ?? true).some(is);

/** What an operation must have for a seeded fault to show there, beyond the clauses that the fault breaks. */
const needs: Readonly<Record<string, Needs>> = {
  I07: isCounted,
  I08: makesIds,
  I21: makesIds,
  I33: isCounted,
  I35: isCounted,
  I36: isSeen,
  I47: deletes,
  I62: isCounted,
  I63: hasTarget,
  I66: hasTarget,
  I70: texts(({ longest }) => longest > 40),
  I73: updates,
  I75: hasLists,
  I76: hasLists,
  I74: texts(({ depth }) => depth > 1),
  C60: updates,
  C61: (operation, contract) => updates(operation, contract) && hasTarget(operation, contract),
  C62: updates,
  C09: ({ version }) => version?.carrier.in === 'header',
  C70: ({ version }) => version?.carrier.in === 'header',
  E02: makesIds,
  E61: texts(() => true),
  M08: (operation, contract) => deletes(operation, contract) && isSeen(operation, contract),
  P15: isSeen,
  V66: texts(({ listed }) => listed),
  V71: texts(({ longest }) => longest > 250),
  V73: texts(({ depth }) => depth > 1),
  G03: isPaged,
  G05: isPaged,
  G81: isPaged,
  G82: isPaged,
  G86: isPaged,
  G87: ({ kind, pathFields }) => kind === 'read' && pathFields.length > 0,
};

/** Whether a seeded fault can show on an operation: some bind members, parameters or relations that few have. */
export function canShow(fault: string, operation: Operation, contract: Contract): boolean {
  return needs[fault]?.(operation, contract) ?? true;
}

type Text = {
  /** 1 for a member of the body itself. */
  readonly depth: number;
  readonly longest: number;
  /** It is an item of a list. */
  readonly listed: boolean;
};

function textsOf(schema: JsonSchema | Json, depth = 0, listed = false): readonly Text[] {
  if (!isObject(schema)) return [];
  const { items, properties, type, maxLength, pattern, format } = schema;
  const free =
    type === 'string' && schema['enum'] === undefined && pattern === undefined && format === undefined;
  const longest = free ? (typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY) : 0;
  return [
    ...(free ? [{ depth, longest, listed }] : []),
    ...(isObject(properties)
      ? Object.values(properties).flatMap((member) => textsOf(member, depth + 1))
      : []),
    ...(items !== undefined && !isArray(items) ? textsOf(items, depth + 1, true) : []),
  ];
}

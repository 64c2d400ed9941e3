import type { NamedRecord } from '../model/contract.ts';
import { wordsOf } from '../model/name-words.ts';
import { bare, singular } from '../model/path.ts';
import { remembered } from '../model/remembered.ts';
import { schemasAt } from '../model/schema-places.ts';
import { isFree, isOwn } from './free-members.ts';
import type { All, Linked } from './links.ts';
import { idMembers, likeness, takesId } from './loose-names.ts';
import type { Draft } from './operation.ts';

/** Where the result of a command has the ID of what it makes. */
export type IdShownBy = (draft: Draft, read: undefined, all: All) => Linked['from'] | undefined;

/**
 * Records that no read shows alone, as where `POST /practitioners/{practitionerId}/slots` makes what `slotId` names, and only
 * lists show it.
 */
export function neverRead(draft: Draft, all: All, idShownBy: IdShownBy): readonly NamedRecord[] {
  const { body, id } = draft.operation;
  const carrier = draft.governed.version?.carrier;
  const named = idMembers(body?.schema).filter(
    ({ plain, words }) => plain !== true && addersOf(all.drafts).has(words.join('-')),
  );
  if (named.length === 0) return [];
  const own = all.drafts.filter(({ operation }) => isOwn(draft.operation, operation));
  const members = named.filter(
    (member) =>
      isFree(body?.schema, member.at) &&
      !(carrier?.in === 'body' && carrier.at === member.at) &&
      // The ID of what the command makes may have any name.
      !own.some(({ operation }) =>
        operation.pathFields.slice(-1).some((field) => likeness(member, operation, field) > 0),
      ),
  );
  return members.flatMap((member): readonly NamedRecord[] => {
    const makers = (addersOf(all.drafts).get(member.words.join('-')) ?? []).filter(
      ({ operation }) => operation.id !== id,
    );
    const [maker] = makers;
    const at = maker === undefined || makers.length > 1 ? undefined : idShownBy(maker, undefined, all);
    if (maker === undefined || at === undefined || !('at' in at)) return [];
    const shown = { allOf: schemasAt(maker.operation.success.schema, at.at) };
    if (!takesId(body?.schema, member.at, [shown])) return [];
    const source = { operation: maker.operation.id, ...at };
    return [{ at: member.at, field: { name: member.at.slice(1), schema: { type: 'string' }, source } }];
  });
}

/** By the name of one record, the commands that add to a collection of such that no path leads into. */
const addersOf = remembered((drafts: readonly Draft[]): ReadonlyMap<string, readonly Draft[]> => {
  const read = new Set(
    drafts.flatMap(({ operation: { method, path, pathFields } }) =>
      method === 'GET' && pathFields.length > 0 ? bare(path).replace(/\/\{[^{}]+\}$/, '/') : [],
    ),
  );
  const found = new Map<string, readonly Draft[]>();
  for (const draft of drafts) {
    const { kind, method, path } = draft.operation;
    const collection = /\/([^/{}:.]+)$/.exec(bare(path))?.[1] ?? '';
    const noun = singular(collection);
    // One of many, as `/capture` is not.
    if (kind !== 'command' || method !== 'POST' || noun === collection || noun === 'request') continue;
    if (read.has(`${bare(path)}/`)) continue;
    const name = wordsOf(noun).join('-');
    found.set(name, [...(found.get(name) ?? []), draft]);
  }
  return found;
});

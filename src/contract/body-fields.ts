import type { OperationId, PathField, PathSource } from '../model/contract.ts';
import { isArray, type JsonPointer, pointerOf, pointerTokens } from '../model/json.ts';
import { requires, schemasAt } from '../model/schema-places.ts';
import { isFree } from './free-members.ts';
import { type All, linkedMembers, linkTarget } from './links.ts';
import { namesOne } from './named-records.ts';
import type { Draft } from './operation.ts';
import { idShownBy } from './result-ids.ts';

/**
 * A read by POST may name its record in its body, as `POST /cases.get` does: such a member is a field of the read like one
 * of a path. A link from the command that makes the record fills it; or it is all that the body of a declared read requires.
 */
export function withBodyFields(drafts: readonly Draft[], away: ReadonlySet<OperationId>): readonly Draft[] {
  return drafts.map((draft) => {
    const places = placesIn(draft, { drafts, away });
    const { operation } = draft;
    const fields = places.flatMap((at): readonly PathField[] => {
      const name = pointerTokens(at).at(-1) ?? '';
      const isTaken = operation.pathFields.some((field) => field.name === name);
      const schema = schemasAt(operation.body?.schema, at).find(({ type }) => type !== undefined) ?? {};
      return isTaken ? [] : [{ name, schema, source: undefined, at }];
    });
    return fields.length === 0
      ? draft
      : { ...draft, operation: { ...operation, pathFields: [...operation.pathFields, ...fields] } };
  });
}

function placesIn(draft: Draft, all: All): readonly JsonPointer[] {
  const { body, id, kind, method } = draft.operation;
  if (kind !== 'read' || method !== 'POST' || body === undefined) return [];
  const isNeeded = (at: JsonPointer): boolean => isFree(body.schema, at) && requires(body.schema, at);
  const linked = makersOf(draft, all).map(({ at }) => at);
  const known = [...new Set(linked)].filter(isNeeded);
  const names = new Set(known.map((at) => pointerTokens(at).at(-1)));
  if (known.length > 0) return names.size === known.length ? known : [];
  const isDeclared = all.drafts.some(
    ({ governed }) => governed.effect?.read === id || governed.version?.source.operation === id,
  );
  const required = schemasAt(body.schema, '').flatMap((one) =>
    isArray(one['required']) ? one['required'].filter((name) => typeof name === 'string') : [],
  );
  const [only, ...others] = new Set(required.map((name) => pointerOf([name])));
  return isDeclared && only !== undefined && others.length === 0 && isNeeded(only) ? [only] : [];
}

type Made = { readonly at: JsonPointer; readonly source: PathSource };

/** The members that links from commands fill. */
function makersOf(target: Draft, all: All): readonly Made[] {
  return all.drafts
    .filter(({ operation }) => operation.kind === 'command')
    .flatMap(({ links, operation }) =>
      links
        .filter((link) => linkTarget(link, all) === target)
        .flatMap(linkedMembers)
        .map(({ at, from }) => ({ at, source: { operation: operation.id, ...from } })),
    );
}

/** Where the ID in the body of a read comes from: from a link, or from a command of whose effect it is the read. */
export function bodySource(at: JsonPointer, target: Draft, all: All): PathSource | undefined {
  const linked = makersOf(target, all).find((one) => one.at === at);
  if (linked !== undefined) return linked.source;
  for (const draft of all.drafts) {
    const { governed, operation } = draft;
    if (governed.effect?.read !== target.operation.id || operation.method !== 'POST') continue;
    // What acts on a record that its body names makes none.
    if (namesOne(operation, target.operation)) continue;
    const id = idShownBy(draft, target.operation, all);
    if (id !== undefined) return { operation: operation.id, ...id };
  }
  return undefined;
}

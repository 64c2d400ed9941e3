import type { NamedRecord, Operation, OperationId, PathField, PathSource } from '../model/contract.ts';
import { type JsonPointer, type JsonSchema, pointerOf, pointerTokens } from '../model/json.ts';
import { wordsOf } from '../model/name-words.ts';
import { inSecondItem } from '../model/named-records.ts';
import { bare, samePathTo, singular } from '../model/path.ts';
import { isAddressed } from '../model/result-id.ts';
import { requires, schemasAt } from '../model/schema-places.ts';
import { isOnCollection, ownReadOf } from './collections.ts';
import { spellings } from './described-id.ts';
import { isFree, isOwn } from './free-members.ts';
import { type All, type LinkedMember, linkedMembers, linkTarget } from './links.ts';
import { type IdMember, idMembers, isParent, isWholeName, likeness, takesId } from './loose-names.ts';
import { namedByAddress } from './named-by-address.ts';
import { keyLikeness, keyMembers } from './natural-keys.ts';
import { type IdShownBy, neverRead } from './never-read.ts';
import type { Draft } from './operation.ts';

/** Where the ID in the path of a read comes from. */
export type SourceOf = (field: PathField, target: Draft, all: All) => PathSource | undefined;

/**
 * The members of a body that name records: those that a link fills from the result of the command that makes such records,
 * or that have the name of the last field of their read.
 */
export function namedRecords(
  draft: Draft,
  all: All,
  sourceOf: SourceOf,
  idShownBy: IdShownBy,
): readonly NamedRecord[] {
  const { body, kind, pathFields } = draft.operation;
  if (body === undefined) return [];
  const { effect, version } = draft.governed;
  const own = isOnCollection(draft, all.drafts) ? ownReadOf(draft, all.drafts)?.id : undefined;
  const declared = [version?.source.operation, effect?.read, own];
  const linked = linkedTo(draft, all).filter(({ at }) => isFree(body.schema, at));
  const isField = (at: JsonPointer): boolean => pathFields.some((field) => field.at === at);
  if (kind === 'read')
    return linkedAlone(
      linked.filter(({ at }) => !isField(at)),
      all,
    );
  const found = new Map<JsonPointer, NamedRecord>();
  const reads = all.drafts
    .filter((one) => isReadOfOne(one.operation) || isDeclaredRead(one, all))
    .sort(
      (one, other) =>
        rank(declared, one) - rank(declared, other) ||
        distance(one.operation, draft.operation) - distance(other.operation, draft.operation) ||
        one.operation.pathFields.length - other.operation.pathFields.length,
    );
  for (const read of reads) {
    if (isOwn(draft.operation, read.operation)) continue;
    const field = read.operation.pathFields.at(-1);
    if (field === undefined || pathFields.some(({ name }) => name === field.name)) continue;
    const isDeclared = declared.includes(read.operation.id);
    const isOwnRead = read.operation.id === own;
    const places = [
      ...placesOf(field, read.operation, isDeclared),
      ...(isOwnRead ? [pointerOf(['id'])] : []),
    ].filter((one) => isFree(body.schema, one));
    // Most bodies name nothing, and looking for what makes a record takes the longest.
    if (places.length + linked.length === 0) continue;
    const given = sourceOf(field, read, all);
    // What another command on a record returns is no new record.
    const source = given !== undefined && makesOne(given, read, all) ? given : undefined;
    if (given?.operation === draft.operation.id || (source === undefined && !isDeclared)) continue;
    const filled = linked.filter(({ operation }) => operation === source?.operation);
    const [one, ...others] =
      filled.length > 0
        ? filled.map((each) => ({ at: each.at, source: filledBy(each) }))
        : places.slice(0, 1).map((at) => ({ at, source }));
    if (one === undefined || found.has(one.at)) continue;
    const first = one.at;
    const isAlone = read.operation.pathFields.length === 1;
    // What is put to a collection says of which record it is, whether or not the schema of the record requires its ID.
    const isNamed = isOwnRead || requires(body.schema, first);
    const acts = isDeclared && isAlone && pathFields.length === 0 && isNamed;
    const { at: _, ...named } = field;
    const record = { at: first, ...readAlone(read, all, sourceOf), field: { ...named, source: one.source } };
    found.set(first, { ...record, ...(acts ? { acts } : {}) });
    // Each has a record of its own.
    for (const other of others)
      if (!found.has(other.at))
        found.set(other.at, {
          ...record,
          at: other.at,
          field: { ...record.field, name: other.at.slice(1), source: other.source },
        });
  }
  const makerOf = (read: Draft): OperationId | undefined => {
    const field = read.operation.pathFields.at(-1);
    const source = field === undefined ? undefined : sourceOf(field, read, all);
    return source !== undefined && makesOne(source, read, all) ? source.operation : undefined;
  };
  const loose = (): readonly NamedRecord[] => [
    ...looselyNamed(draft, reads, all, sourceOf),
    ...namedByKey(draft, reads, all, sourceOf),
    ...namedByAddress(draft, reads, all, makerOf),
    ...neverRead(draft, all, idShownBy),
  ];
  for (const record of loose())
    if (![...found.keys(), ...linked.map(({ at }) => at)].includes(record.at)) found.set(record.at, record);
  const others = linked.filter(({ at, operation }) => !found.has(at) && operation !== draft.operation.id);
  const records = [...found.values(), ...linkedAlone(others, all)];
  return [...records, ...records.flatMap((one) => secondOf(one, body.schema) ?? [])];
}

/**
 * Members whose names end in what a read calls its records, as `billingAddressId` and `lines[].productId` do. One that may be left
 * out may also name a record of the kind that the command makes, such as its parent.
 */
function looselyNamed(
  { governed, operation: { body, method, path, pathFields } }: Draft,
  reads: readonly Draft[],
  all: All,
  sourceOf: SourceOf,
): readonly NamedRecord[] {
  return idMembers(body?.schema).flatMap((member): readonly NamedRecord[] => {
    const { at } = member;
    const carrier = governed.version?.carrier;
    if (!isFree(body?.schema, at) || (carrier?.in === 'body' && carrier.at === at)) return [];
    const candidates = reads
      .flatMap((read) => {
        const field = read.operation.pathFields.at(-1);
        if (field === undefined || field.at !== undefined) return [];
        const isFirst = isOwn({ method, path }, read.operation);
        const isKin = isFirst || pathFields.some(({ name }) => name === field.name);
        const isNear = isKin ? isParent(member) : isOfItsCollection(member, path, read.operation);
        const like = isNear ? 1 : likeness(member, read.operation, field);
        // What the caller may choose for the record itself is none; nor can the first of its kind name another. What acts on
        // a record that is there can, as a transfer does that requires `toWalletId`.
        if (like === 0 || !isWholeName(member, like, body?.schema, field)) return [];
        const isOwnId =
          isKin &&
          (((isFirst || method === 'PUT') && requires(body?.schema, at)) ||
            (!isParent(member) && member.words.length === like));
        const takes = (): boolean =>
          takesId(body?.schema, at, [field.schema]) ||
          takesId(body?.schema, at, [shownIn(sourceOf(field, read, all), all)]);
        return isOwnId || !takes() ? [] : [{ field, like, read }];
      })
      .sort((one, other) => other.like - one.like);
    const [best] = candidates;
    const source = best === undefined ? undefined : sourceOf(best.field, best.read, all);
    if (best === undefined || source === undefined || !makesOne(source, best.read, all)) return [];
    const { at: _, ...field } = best.field;
    return [{ at, ...readAlone(best.read, all, sourceOf), field: { ...field, name: at.slice(1), source } }];
  });
}

/** Whether `ids` are those of the collection that the path of a command on several records is below: POST /orders/bulk-approve. */
function isOfItsCollection({ at, words }: IdMember, path: string, read: Operation): boolean {
  const collection = bare(read.path).slice(0, bare(read.path).lastIndexOf('/'));
  const rest = bare(path).startsWith(collection) ? bare(path).slice(collection.length) : '';
  return words.length === 0 && /^\/[^/]+\/0$/.test(at) && /^[/:][^/{}]+$/.test(rest);
}

/** The schema of an ID in the result of the command that makes its record. */
function shownIn(source: PathSource | undefined, { drafts }: All): JsonSchema {
  const maker = drafts.find(({ operation }) => operation.id === source?.operation)?.operation;
  const at = source !== undefined && 'at' in source ? source.at : undefined;
  return at === undefined ? {} : { allOf: schemasAt(maker?.success.schema, at) };
}

/**
 * Members that have the key of a record, as `fromWard` and `toWard` have the `code` of a ward. Callers choose such keys, so a
 * text that is none may be refused.
 */
function namedByKey(
  { governed, operation: { body, id, method, path, pathFields } }: Draft,
  reads: readonly Draft[],
  all: All,
  sourceOf: SourceOf,
): readonly NamedRecord[] {
  const carrier = governed.version?.carrier;
  return keyMembers(body?.schema).flatMap((member): readonly NamedRecord[] => {
    const { at } = member;
    if (!isFree(body?.schema, at) || (carrier?.in === 'body' && carrier.at === at)) return [];
    const [best] = reads
      .flatMap((read) => {
        const field = read.operation.pathFields.at(-1);
        const like = keyLikeness(member, read.operation);
        if (field === undefined || field.at !== undefined || like === 0) return [];
        const isKin = isOwn({ method, path }, read.operation) || bare(read.operation.path) === bare(path);
        if (isKin || pathFields.some(({ name }) => name === field.name)) return [];
        if (!takesId(body?.schema, at, [field.schema])) return [];
        const source = sourceOf(field, read, all);
        const isKey =
          source !== undefined && ('path' in source || !/(?:^|[_-])u?u?id$|ID$|Id$/.test(field.name));
        return isKey && source.operation !== id && makesOne(source, read, all)
          ? [{ field, like, read, source }]
          : [];
      })
      .sort((one, other) => other.like - one.like);
    if (best === undefined) return [];
    const { at: _, ...field } = best.field;
    return [
      {
        at,
        ...readAlone(best.read, all, sourceOf),
        field: { ...field, name: at.slice(1), source: best.source },
      },
    ];
  });
}

/**
 * The read that shows a record; of one that goes through others, its path does not say alone which record that is, unless the
 * configuration gives those, as it gives a tenant.
 */
function readAlone(read: Draft, all: All, sourceOf: SourceOf): Pick<NamedRecord, 'read'> {
  const { id, pathFields } = read.operation;
  const isGiven = pathFields.slice(0, -1).every((field) => sourceOf(field, read, all) === undefined);
  return isGiven ? { read: id } : {};
}

/** The second of a list of IDs, or that in the second of a list of objects, where a list may have two. */
function secondOf({ at, field, read }: NamedRecord, schema: JsonSchema): NamedRecord | undefined {
  const place = inSecondItem(at);
  if (place === undefined || field.source === undefined) return undefined;
  const { list, second } = place;
  const most = schemasAt(schema, list).flatMap(({ maxItems, prefixItems }) =>
    prefixItems !== undefined ? [1] : typeof maxItems === 'number' ? [maxItems] : [],
  );
  return Math.min(2, ...most) < 2 || !isFree(schema, second)
    ? undefined
    : {
        at: second,
        ...(read === undefined ? {} : { read }),
        field: { ...field, name: second.slice(1) },
        second: true,
      };
}

/** Records of which only links speak, as no path has their IDs: all operations may be POST, and name records in bodies. */
function linkedAlone(linked: readonly LinkedTo[], { drafts }: All): readonly NamedRecord[] {
  const makers = new Set(
    drafts.flatMap(({ operation }) => (operation.kind === 'command' ? operation.id : [])),
  );
  const known = linked.filter(({ operation }) => makers.has(operation));
  return known
    .filter(({ at }, index) => known.findIndex((one) => one.at === at) === index)
    .map((one) => ({
      at: one.at,
      field: { name: one.at.slice(1), schema: { type: 'string' }, source: filledBy(one) },
    }));
}

/** What a link fills a member with: an address, or a name with segments, as a whole, unless the member is named like an ID. */
function filledBy({ at, from, operation }: LinkedTo): PathSource {
  const place = 'at' in from ? from.at : from.header;
  const asksForId =
    wordsOf(pointerTokens(at).findLast((token) => !/^\d+$/.test(token)) ?? '').at(-1) === 'id';
  const isWhole = (isAddressed(place) || place.endsWith('/name')) && !asksForId;
  return { operation, ...from, ...(isWhole ? { whole: true } : {}) };
}

/** Whether the body of a command has a member for the ID of a record that the read shows, and the command makes another kind. */
export function namesOne(command: Operation, read: Operation): boolean {
  const field = read.pathFields.at(-1);
  const schema = command.body?.schema;
  if (field === undefined || command.body === undefined || isOwn(command, read)) return false;
  return (
    placesOf(field, read, true).some((at) => isFree(schema, at)) ||
    idMembers(schema).some((member) => {
      const like = likeness(member, read, field);
      const isOther = member.plain === true || member.at.startsWith('/data/relationships/');
      return isOther && like > 0 && isWholeName(member, like, schema, field) && isFree(schema, member.at);
    })
  );
}

const rank = (declared: readonly (string | undefined)[], { operation }: Draft): number =>
  declared.includes(operation.id) ? 0 : 1;

/** Whether it reads one record, by an ID alone or within other records. */
function isReadOfOne({ method, path, pathFields }: Operation): boolean {
  const last = pathFields.at(-1);
  return method === 'GET' && last !== undefined && bare(path).endsWith(`/{${last.name}}`);
}

/** How many records a read goes through that the path of the command does not. */
function distance({ path, pathFields }: Operation, command: Operation): number {
  return pathFields.slice(0, -1).filter(({ name }) => !samePathTo(name, path, command.path)).length;
}

/** A read by POST that the document declares to show a record: its body alone names the record. */
function isDeclaredRead({ operation: { id, kind, method, pathFields } }: Draft, { drafts }: All): boolean {
  return (
    kind === 'read' &&
    method === 'POST' &&
    pathFields.length === 1 &&
    drafts.some(({ governed }) => governed.effect?.read === id || governed.version?.source.operation === id)
  );
}

/** Whether a command makes such a record: on its own, or within other records, but not by acting on one that is there. */
function makesOne(source: PathSource, read: Draft, { drafts }: All): boolean {
  const maker = drafts.find(({ operation }) => operation.id === source.operation)?.operation;
  const field = read.operation.pathFields.at(-1);
  // Under an ID that its path names, a PUT makes the record.
  if ('path' in source) return maker?.method === 'PUT' && bare(maker.path) === bare(read.operation.path);
  if (field?.at !== undefined) return maker?.kind === 'command';
  const one = /[^/]*\/\{[^{}]+\}$/.exec(bare(read.operation.path))?.[0].replace(/\{.*/, '{') ?? '';
  return (
    maker?.kind === 'command' &&
    maker.method === 'POST' &&
    !bare(maker.path).includes(`/${one}`) &&
    maker.pathFields.every(({ name }) => name !== field?.name)
  );
}

type LinkedTo = LinkedMember & { readonly operation: OperationId };

/** The members that links to an operation fill, and the operations whose results they take. */
export function linkedTo(target: Draft, all: All): readonly LinkedTo[] {
  return all.drafts.flatMap(({ links, operation }) =>
    links
      .map((link) => ({ link, members: linkedMembers(link) }))
      .filter(({ link, members }) => members.length > 0 && linkTarget(link, all) === target)
      .flatMap(({ members }) => members.map((member) => ({ ...member, operation: operation.id }))),
  );
}

/** Where a body may name a record as its read does; a name such as `id` or `name` means another thing in each body. */
function placesOf({ name }: PathField, { path }: Operation, isDeclared: boolean): readonly JsonPointer[] {
  const collection = /([^/{}:]*)\/\{[^{}]+\}$/.exec(bare(path))?.[1] ?? '';
  const noun = singular(collection);
  // Stripe writes `customer` for the ID of a customer, in paths as in bodies.
  const names = isDeclared || /.[iI][dD]$/.test(name) || name === noun ? [name] : [];
  return [...names, ...(noun === '' || noun === 'request' ? [] : [`${noun}_id`])]
    .flatMap(spellings)
    .map((each) => pointerOf([each]));
}

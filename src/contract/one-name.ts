import type { Operation, PathField } from '../model/contract.ts';
import { plainName } from '../model/listed.ts';
import { wordsOf } from '../model/name-words.ts';
import { bare, singular } from '../model/path.ts';
import { linkedMembers, linkTarget } from './links.ts';
import { namesOne } from './named-records.ts';
import type { Draft } from './operation.ts';

/** A field that is a whole segment of a path: the path up to it, and what its collection has many of. */
type Spot = { readonly field: string; readonly up: string; readonly noun: string };

/**
 * The operations with one name for each kind of record in their paths, since everything else goes by these names. Rails and
 * Django write `/orders/{id}` next to `/orders/{order_id}/parts`, and name every record `id`.
 */
export function withOneName(drafts: readonly Draft[]): readonly Draft[] {
  const spots = spotsIn(drafts);
  const all = [...spots.values()].flat();
  const names = new Map<string, string>();
  for (const { up, field, noun } of all) {
    const known = names.get(up);
    if (known === undefined || isVague(field))
      names.set(up, isSame(known, field, noun) ? field : (known ?? field));
  }
  const nameOf = ({ field, noun, up }: Spot): string => {
    const known = names.get(up);
    return known !== undefined && isSame(known, field, noun) ? known : field;
  };
  const mixed = new Set(
    drafts.flatMap((draft) =>
      repeated(
        relatedTo(draft, drafts).flatMap((one) => spots.get(one) ?? []),
        nameOf,
      ),
    ),
  );
  const newNames = new Map(
    all.map((spot) => [spot.up, newName(spot, names.get(spot.up) ?? '', mixed)] as const),
  );
  return drafts.map((draft) => {
    const own = spots.get(draft.operation) ?? [];
    const to = new Map(
      own.map((spot) => [
        spot.field,
        nameOf(spot) === names.get(spot.up) ? (newNames.get(spot.up) ?? spot.field) : spot.field,
      ]),
    );
    for (const { name } of draft.operation.pathFields) if (!to.has(name)) to.set(name, name);
    const isClear = new Set(to.values()).size === to.size && [...to].some(([from, name]) => from !== name);
    return isClear ? renamed(draft, to) : draft;
  });
}

/** Collections of one name to each of which a command adds are of several kinds, as `/parts` and `/orders/{}/parts` are. */
function spotsIn(drafts: readonly Draft[]): ReadonlyMap<Operation, readonly Spot[]> {
  const found = new Map(drafts.map(({ operation }) => [operation, spotsOf(operation)] as const));
  const added = new Set(
    drafts
      .filter(({ operation }) => operation.method === 'POST' && operation.kind === 'command')
      .map(({ operation }) => `${bare(operation.path).replaceAll(/\{[^{}]+\}/g, '{}')}/{}`),
  );
  const first = new Map<string, string>();
  for (const { noun, up } of [...found.values()].flat().sort((one, other) => one.up.length - other.up.length))
    if (added.has(up) && !first.has(noun)) first.set(noun, up);
  const ownKind = (spot: Spot, index: number, path: readonly Spot[]): Spot => {
    const isFirst = !added.has(spot.up) || first.get(spot.noun) === spot.up;
    return isFirst ? spot : { ...spot, noun: `${path[index - 1]?.noun ?? ''}_${spot.noun}` };
  };
  return new Map([...found].map(([operation, path]) => [operation, path.map(ownKind)]));
}

/** A segment that is a field, perhaps with an action on its record: `{id}`, and `{id}:close`. */
const wholeField = /^\{([^{}]+)\}(?::[^{}]*)?$/;

function spotsOf({ path, pathFields }: Operation): readonly Spot[] {
  const segments = bare(path).split('/');
  return segments.flatMap((segment, index) => {
    const field = wholeField.exec(segment)?.[1];
    if (field === undefined || !pathFields.some(({ name }) => name === field)) return [];
    const up = segments.slice(0, index + 1).map((one) => (wholeField.test(one) ? '{}' : one));
    const noun = segments[index - 1] ?? '';
    return [{ field, up: up.join('/'), noun: /[{}]/.test(noun) ? '' : singular(noun) }];
  });
}

function isVague(name: string): boolean {
  return /^(?:id|pk)$/i.test(name);
}

/** Whether two names are both that of the ID of such a record: `id`, `pk`, `order_id` and `workOrderPk` of a work order. */
function isSame(one: string | undefined, other: string, noun: string): boolean {
  return one === other || [one ?? 'id', other].every((name) => isIdOf(name, plainName(noun)));
}

function isIdOf(name: string, noun: string): boolean {
  const of = /^(.*)(?:id|pk)$/.exec(plainName(name))?.[1];
  return of !== undefined && (noun.endsWith(of) || noun.startsWith(of));
}

/** What an operation may share a record with: what shows its effect, what forbids it, and what makes the records that it names. */
function relatedTo(draft: Draft, drafts: readonly Draft[]): readonly Operation[] {
  const { conflict, effect, version } = draft.governed;
  const ids = [conflict?.after, effect?.read, effect?.list ?? [], version?.source.operation].flat();
  const all = { drafts, away: new Set<string>() };
  const isFilled = ({ links }: Draft): boolean =>
    links.some((link) => linkedMembers(link).length > 0 && isLinkTo(link, draft, all));
  const makers = drafts.filter(isFilled).map(({ operation }) => bare(operation.path));
  const named = drafts.filter(
    ({ operation }) =>
      operation.method === 'GET' &&
      operation.pathFields.length === 1 &&
      (makers.includes(bare(operation.path).replace(/\/\{[^{}]+\}$/, '')) ||
        namesOne(draft.operation, operation)),
  );
  const declared = drafts.filter(({ operation }) => ids.includes(operation.id));
  return [draft, ...declared, ...named].map(({ operation }) => operation);
}

/** A link that leads nowhere is left out later, with a warning. */
function isLinkTo(
  link: Draft['links'][number],
  draft: Draft,
  all: Parameters<typeof linkTarget>[1],
): boolean {
  try {
    return linkTarget(link, all) === draft;
  } catch {
    return false;
  }
}

/** The names that records of several kinds have. */
function repeated(spots: readonly Spot[], nameOf: (spot: Spot) => string): readonly string[] {
  return spots
    .filter((spot) => spots.some((other) => nameOf(other) === nameOf(spot) && other.noun !== spot.noun))
    .map(nameOf);
}

function newName({ noun }: Spot, name: string, mixed: ReadonlySet<string>): string {
  const words = wordsOf(noun.replaceAll(/[^A-Za-z\d]+/g, '_')).join('_');
  return mixed.has(name) && words !== '' && isVague(name) ? `${words}_id` : name;
}

function renamed(draft: Draft, to: ReadonlyMap<string, string>): Draft {
  const { path, pathFields } = draft.operation;
  const field = (one: PathField): PathField => {
    const name = to.get(one.name) ?? one.name;
    return name === one.name ? one : { ...one, name, written: one.name };
  };
  return {
    ...draft,
    writtenPath: path,
    operation: {
      ...draft.operation,
      path: path.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) => `{${to.get(name) ?? name}}`),
      pathFields: pathFields.map(field),
    },
  };
}

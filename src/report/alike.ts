import { mostNamed, operationsInShort } from './open.ts';
import type { OpenGroup } from './report.ts';

/** Groups whose reasons differ in a few words alone, such as the permission of each operation. */
export type AlikeGroup = {
  readonly clauses: OpenGroup['clauses'];
  readonly operations: readonly string[];
  /** The reason; `...` stands for what differs. */
  readonly because: string;
  /** What differs, with its operations; none where the reason is one. */
  readonly differs: readonly { readonly words: string; readonly operations: readonly string[] }[];
};

/** So many words of a reason may differ, and no more than a third of them. */
const mostHoles = 4;

type Merged = { words: readonly string[]; readonly holes: Set<number>; readonly members: OpenGroup[] };

/** One group for each cause, in the order of the first ones; groups of other clauses stay apart. */
export function alikeGroups(groups: readonly OpenGroup[]): readonly AlikeGroup[] {
  const byClauses = new Map<string, Merged[]>();
  const all: Merged[] = [];
  for (const group of groups) {
    const words = group.because.split(' ');
    const key = `${group.verdict} ${group.clauses.join()} ${words.length}`;
    const known = byClauses.get(key) ?? [];
    byClauses.set(key, known);
    const like = known.find((one) => takes(one, words));
    if (like !== undefined) like.members.push(group);
    else {
      const made = { words, holes: new Set<number>(), members: [group] };
      known.push(made);
      all.push(made);
    }
  }
  return all.map(({ holes, members, words }) => ({
    clauses: members[0]?.clauses ?? [],
    operations: [...new Set(members.flatMap(({ operations }) => operations))],
    because: words
      .map((word, at) => (holes.has(at) ? `...${/(\)?[,:;]?)\.?$/.exec(word)?.[1] ?? ''}` : word))
      .join(' ')
      .replaceAll(/\.\.\.(?: \.\.\.)+/g, '...'),
    differs:
      holes.size === 0
        ? []
        : members.map(({ because, operations }) => ({
            words: because
              .split(' ')
              .filter((_, at) => holes.has(at))
              .map((word) => word.replace(/[).,;:]+$/, ''))
              .join(' '),
            operations,
          })),
  }));
}

/** Whether a reason differs in little from those of a group; then what differs counts as a hole from now on. */
function takes({ holes, words }: Merged, other: readonly string[]): boolean {
  const differing = other.flatMap((word, at) => (holes.has(at) || word === words[at] ? [] : [at]));
  const count = holes.size + differing.length;
  if (count > mostHoles || count * 3 > words.length) return false;
  for (const at of differing) holes.add(at);
  return true;
}

/** What differs, on one line of bounded length. */
export function differenceInShort({ differs }: AlikeGroup, all: number): string {
  const rest = differs.length - mostNamed;
  const shown = rest <= 1 ? differs : differs.slice(0, mostNamed);
  const where = (operations: readonly string[]): string =>
    operations.length > 1 ? `${operations.length} operations` : operationsInShort(operations, all);
  // The words often name the operation: `operations.closeCase.targets`.
  const isNamed = (words: string, [one, another]: readonly string[]): boolean =>
    another === undefined && `.${words.replaceAll(/\s+/g, '.')}.`.includes(`.${one}.`);
  const named = shown.map(({ operations, words }) =>
    isNamed(words, operations) ? words : `${words} (${where(operations)})`,
  );
  return `${named.join(', ')}${rest <= 1 ? '' : ` and ${rest} more (report.json)`}`;
}

import type { Excerpt, Finding } from './report.ts';

/** What of a finding says which others have its cause. */
export type Causal = Pick<Finding, 'id' | 'operation' | 'scenario'> & {
  readonly exchanges: readonly Pick<Excerpt, 'id' | 'role'>[];
};

/** Findings that probably have one cause: they rest on the same requests. */
export type Cause<T extends Causal> = {
  readonly findings: readonly T[];
  readonly scenario: string;
};

/** Groups findings that rest on the same exchanges, the largest first: a hint for reading, which no verdict depends on. */
export function causesOf<T extends Causal>(findings: readonly T[]): readonly Cause<T>[] {
  const groups: T[][] = [];
  for (const finding of findings) {
    const own = proofOf(finding);
    const [first, ...others] = groups.filter((group) =>
      group.some((one) => one.operation === finding.operation && sharesAny(proofOf(one), own)),
    );
    if (first === undefined) {
      groups.push([finding]);
      continue;
    }
    first.push(finding);
    // A finding that shares requests with two groups joins them.
    for (const other of others) {
      first.push(...other);
      groups.splice(groups.indexOf(other), 1);
    }
  }
  const order = new Map(findings.map((finding, index) => [finding.id, index]));
  const place = ({ id }: T): number => order.get(id) ?? 0;
  return groups
    .map((group) => group.toSorted((one, other) => place(one) - place(other)))
    .toSorted((one, other) => other.length - one.length || placeOf(one, place) - placeOf(other, place))
    .map((group) => ({ findings: group, scenario: group[0]?.scenario ?? '' }));
}

function placeOf<T>(group: readonly T[], place: (one: T) => number): number {
  const [first] = group;
  return first === undefined ? 0 : place(first);
}

const shared: ReadonlySet<string> = new Set(['control', 'readback', 'setup']);

/** The requests under test that a finding rests on; controls and reads are shared by findings of any cause. */
function proofOf({ exchanges }: Causal): ReadonlySet<string> {
  return new Set(exchanges.filter(({ role }) => !shared.has(role)).map(({ id }) => id));
}

function sharesAny(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((id) => other.has(id));
}

/** `13 findings, probably 4 causes`; nothing where each is its own. */
export function causeWords(findings: readonly Causal[]): string | undefined {
  const causes = causesOf(findings).length;
  if (causes >= findings.length) return undefined;
  return `${findings.length} findings, probably ${causes} ${causes === 1 ? 'cause' : 'causes'}`;
}

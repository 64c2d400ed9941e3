/** The owner of a value: what may share it, and the exchange that showed it. */
export type Owner = { readonly group: string; readonly exchange: string };

/** The exchange that showed a value first, and whether who shows it now may share it. */
export type Claim = { readonly exchange: string; readonly shares: boolean };

/** Remembers the first owner of the values seen last: memory must not grow with the run. */
export function makeOwners(most = 200_000): { readonly claim: (value: string, owner: Owner) => Claim } {
  /** Where each value is in the lists, whose oldest place the next value takes. */
  const places = new Map<string, number>();
  const values: string[] = [];
  const exchanges: string[] = [];
  /** Digests: of two groups that are not equal but have one, one in four billion, nothing is said. */
  const groups: number[] = [];
  let next = 0;
  return {
    claim: (value, { exchange, group }) => {
      const place = places.get(value);
      if (place !== undefined)
        return { exchange: exchanges[place] ?? exchange, shares: groups[place] === digestOf(group) };
      const oldest = values[next];
      if (oldest !== undefined) places.delete(oldest);
      places.set(value, next);
      values[next] = value;
      exchanges[next] = exchange;
      groups[next] = digestOf(group);
      next = (next + 1) % most;
      return { exchange, shares: true };
    },
  };
}

/** FNV-1a over UTF-16 units. */
function digestOf(text: string): number {
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  return digest;
}

/** The owner of a value: what may share it, and the exchange that showed it. */
export type Owner = { readonly group: string; readonly exchange: string };

/** The exchange that showed a value first, and whether who shows it now may share it. */
export type Claim = { readonly exchange: string; readonly shares: boolean };

/**
 * Remembers the first owner of the values seen last: memory must not grow with the run.
 *
 * Values are kept as digests of 64 bits in two tables. When the newer is full, it replaces the older: at least the last
 * `most` values are known, at most twice as many. In a run of a million, two values
 * that differ have one digest with a chance below one in ten million.
 */
export function makeOwners(most = 100_000): { readonly claim: (value: string, owner: Owner) => Claim } {
  let newer = makeTable();
  let older = makeTable();
  return {
    claim: (value, { exchange, group }) => {
      const [low, high] = [digestOf(value, lowFactor), digestOf(value, highFactor)];
      // Of two groups that are not equal but have one digest, one in four billion, nothing is said.
      const sharer = digestOf(group, lowFactor);
      const owner = newer.find(low, high) ?? older.find(low, high);
      if (owner !== undefined) return { exchange: owner.exchange, shares: owner.group === sharer };
      if (newer.size() === most) [older, newer] = [newer, makeTable()];
      newer.add(low, high, { exchange, group: sharer });
      return { exchange, shares: true };
    },
  };
}

/** The owner of a value, its group as a digest. */
type Kept = { readonly exchange: string; readonly group: number };

type Table = {
  readonly find: (low: number, high: number) => Kept | undefined;
  readonly add: (low: number, high: number, owner: Kept) => void;
  readonly size: () => number;
};

/** A hash table with linear probing that at most half fills up. Objects and strings would take ten times the memory. */
function makeTable(): Table {
  let slots = 1024;
  let places = new Uint32Array(slots);
  let rows = new Uint32Array(3 * (slots / 2));
  const exchanges: string[] = [];
  const free = (low: number): number => {
    let slot = low & (slots - 1);
    while (places[slot] !== 0) slot = (slot + 1) & (slots - 1);
    return slot;
  };
  const grow = (): void => {
    slots *= 2;
    const before = rows;
    rows = new Uint32Array(3 * (slots / 2));
    rows.set(before);
    places = new Uint32Array(slots);
    for (let row = 0; row < exchanges.length; row += 1) places[free(rows[3 * row] ?? 0)] = row + 1;
  };
  return {
    find: (low, high) => {
      for (let slot = low & (slots - 1); ; slot = (slot + 1) & (slots - 1)) {
        const row = (places[slot] ?? 0) - 1;
        if (row < 0) return undefined;
        if (rows[3 * row] === low && rows[3 * row + 1] === high)
          return { exchange: exchanges[row] ?? '', group: rows[3 * row + 2] ?? 0 };
      }
    },
    add: (low, high, { exchange, group }) => {
      if (2 * exchanges.length === slots) grow();
      rows.set([low, high, group], 3 * exchanges.length);
      exchanges.push(exchange);
      places[free(low)] = exchanges.length;
    },
    size: () => exchanges.length,
  };
}

/** Odd multipliers that differ: texts with one digest under the first differ under the second. */
const lowFactor = 0x9e3779b1;
const highFactor = 0x5f356495;

/** A multiplicative digest over UTF-16 units, with the bits mixed at the end. */
function digestOf(text: string, factor: number): number {
  let digest = factor ^ text.length;
  for (let at = 0; at < text.length; at += 1) digest = Math.imul(digest ^ text.charCodeAt(at), factor);
  digest = Math.imul(digest ^ (digest >>> 16), 0x85ebca6b);
  digest = Math.imul(digest ^ (digest >>> 13), 0xc2b2ae35);
  return (digest ^ (digest >>> 16)) >>> 0;
}

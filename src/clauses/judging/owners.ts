/** The owner of a value: what may share it, and the exchange that showed it. */
export type Owner = { readonly group: string; readonly exchange: string };

/** Remembers the first owner of the values seen last: memory must not grow with the run. */
export function makeOwners(most = 200_000): { readonly claim: (value: string, owner: Owner) => Owner } {
  const owners = new Map<string, Owner>();
  return {
    claim: (value, owner) => {
      const first = owners.get(value);
      if (first !== undefined) return first;
      owners.set(value, owner);
      if (owners.size > most) {
        const [oldest] = owners.keys();
        if (oldest !== undefined) owners.delete(oldest);
      }
      return owner;
    },
  };
}

/** Work that goes on; `settled` waits for all of it, that which comes meanwhile included. */
export type Tasks = {
  readonly add: (work: () => Promise<void>) => void;
  /** @throws what failed first */
  readonly settled: () => Promise<void>;
};

/** @param halt called when work fails: the rest is to end soon */
export function makeTasks(halt: () => void): Tasks {
  const going = new Set<Promise<void>>();
  const failures: { readonly error: unknown }[] = [];
  return {
    add: (work) => {
      const task = work()
        .catch((error: unknown) => {
          failures.push({ error });
          halt();
        })
        .finally(() => going.delete(task));
      going.add(task);
    },
    settled: async () => {
      while (going.size > 0) await Promise.all(going);
      for (const { error } of failures) throw error;
    },
  };
}

import type { Exchange } from '../model/exchange.ts';
import type { Principal, PrincipalName } from '../model/principal.ts';
import { isFailed, isThrottled } from '../model/response.ts';
import type { Rest } from './lanes.ts';
import { halted, type Stage } from './stage.ts';
import type { Use } from './turns.ts';

/** Shows before its first use whether a principal works. */
export type Proofs = {
  /** Resolves once each of them was tried, in the lane of their scenario. */
  readonly of: (names: Iterable<PrincipalName>, rest: Rest) => Promise<void>;
  /** The records that the proofs of those principals will use: nobody else may observe them meanwhile. */
  readonly uses: (names: readonly PrincipalName[]) => readonly Use[];
};

type Tried = {
  readonly succeeded: boolean;
  /** What each operation that was called returned. */
  readonly results: readonly { readonly got: Pick<Exchange, 'answer'> | undefined }[];
};

export type Unproven = {
  readonly principals: readonly Principal[];
  readonly usesOf: (principal: Principal) => readonly Use[];
  /** Tries a principal, and records and judges what that shows. */
  readonly prove: (principal: Principal, stage: Stage, rest: Rest) => Promise<Tried>;
};

/** @param stage that of the run: it notes the records that principals make */
export function makeProofs({ principals, prove, usesOf }: Unproven, stage: Stage): Proofs {
  const unproven = new Map(principals.map((principal) => [principal.name, principal]));
  const going = new Map<PrincipalName, Promise<void>>();
  const used = new Map<PrincipalName, readonly Use[]>();
  const tryOut = async (principal: Principal, rest: Rest): Promise<void> => {
    const { results, succeeded } = await prove(principal, stage, rest);
    if (!succeeded && !halted({ stage }) && isHindered(results.at(-1)?.got))
      await prove(principal, stage, rest);
    unproven.delete(principal.name);
  };
  return {
    of: async (names, rest) => {
      const others: Promise<void>[] = [];
      for (const name of new Set(names)) {
        const principal = unproven.get(name);
        const known = going.get(name);
        if (principal === undefined) continue;
        // Who keeps others from a lane must not wait for one of them.
        if (known !== undefined && rest.reserves?.() !== true) {
          others.push(known);
          continue;
        }
        const proof = tryOut(principal, rest);
        going.set(name, proof);
        await proof;
      }
      // The lane is for those that are waited for.
      if (others.length > 0) await rest(() => Promise.all(others));
    },
    uses: (names) =>
      names.flatMap((name) => {
        const principal = unproven.get(name);
        if (principal === undefined) return [];
        const records = used.get(name) ?? usesOf(principal);
        used.set(name, records);
        return records;
      }),
  };
}

/** What a target returns that is too busy says nothing of a token. */
function isHindered(got: Pick<Exchange, 'answer'> | undefined): boolean {
  return got?.answer === undefined || isFailed(got.answer) || isThrottled(got.answer);
}

import { proofOf, usedByProof } from '../engine/preflight.ts';
import type { Unproven } from '../engine/proofs.ts';
import type { Principal } from '../model/principal.ts';
import type { Planning } from '../suite-kit/suite.ts';
import type { Notes } from './notes.ts';
import { type LiveJudgement, seeProof } from './tally.ts';

/** Tries the principals that preflight left, and judges it in the order of the log. */
export function provingOf(of: {
  readonly planning: Planning;
  readonly principals: readonly Principal[];
  readonly judging: LiveJudgement;
  readonly notes: Notes;
}): Unproven {
  const { judging, notes, planning, principals } = of;
  return {
    principals,
    usesOf: (principal) => usedByProof(planning, principal),
    prove: async (principal, stage, rest) => {
      const proof = await proofOf(stage, planning, principal, notes.nextTrace, rest);
      for (const trace of proof.traces) {
        const recorded = notes.appendTrace(trace);
        seeProof(judging, trace);
        await recorded;
        await notes.append({ line: 'effects', trace: trace.id, effects: 'none' });
      }
      return proof;
    },
  };
}

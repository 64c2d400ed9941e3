import { type Operation, operationNamed, type PathSource, successesOf } from '../model/contract.ts';
import type { Principal } from '../model/principal.ts';
import { isQueued } from '../model/response.ts';
import type { StepId, Wave } from '../model/scenario.ts';
import { standIn } from './cast.ts';
import { targetMadeBy } from './issued.ts';
import type { Planning } from './suite.ts';
import { readStep } from './target-reads.ts';

/** So often at most; the first reads follow each other closely, as most queues are short. */
const mostReads = 8;

/**
 * Reads what a step made until it is there. A command may be queued (202), and until it is done, others find no record: what
 * refuses them then shows nothing.
 */
export function untilDone(
  planning: Planning,
  maker: Operation,
  by: Principal,
  {
    around = {},
    source,
    step,
  }: {
    readonly step: StepId;
    readonly source: PathSource;
    readonly around: Readonly<Parameters<typeof targetMadeBy>[3]> | undefined;
  },
): readonly Wave[] {
  if (!successesOf(maker).some(isQueued)) return [];
  const read = readOfMade(planning, maker, source);
  const target = read === undefined ? undefined : targetMadeBy(maker, read, step, around);
  const reader = read === undefined ? undefined : standIn(planning, read, by);
  return read === undefined || target === undefined || reader === undefined
    ? []
    : [
        {
          poll: readStep(planning, `${step}-done`, read, reader, target, 'setup'),
          until: 'found',
          max: mostReads,
          queuedBy: step,
        },
      ];
}

/** The read whose path ends in the ID that this source gives: another one may read the work record, which is there at once. */
function readOfMade(
  { contract }: Planning,
  { effect, id }: Operation,
  source: PathSource,
): Operation | undefined {
  const declared = operationNamed(contract, effect?.read);
  return [...(declared === undefined ? [] : [declared]), ...contract.operations].find(
    ({ body, kind, pathFields }) =>
      kind === 'read' &&
      body === undefined &&
      pathFields.at(-1)?.source?.operation === id &&
      JSON.stringify(pathFields.at(-1)?.source) === JSON.stringify(source),
  );
}

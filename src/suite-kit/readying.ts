import type { Need } from '../model/clause.ts';
import { isReadById, type Operation, operationNamed, operationOf, successesOf } from '../model/contract.ts';
import type { Principal } from '../model/principal.ts';
import { readyingStep } from '../model/readying-step.ts';
import { isQueued } from '../model/response.ts';
import type { BodyValue, Name, StepId, Wave } from '../model/scenario.ts';
import { inScopeOf, standIn, thatHolds } from './cast.ts';
import { targetMadeBy } from './issued.ts';
import { bodyFor, type Preparation } from './preparation.ts';
import type { Planning } from './suite.ts';
import { readStep } from './target-reads.ts';
import { markedIn } from './values.ts';

type Made = { readonly waves: readonly Wave[]; readonly bodies: Readonly<Record<Name, BodyValue>> };

/** The body that makes a record: one that a command on it needs, or the plain one. */
export function bodyOfMaker(
  planning: Planning,
  maker: Operation,
  id: StepId,
  prepared: Preparation | undefined,
): Made['bodies'] {
  return maker.body === undefined
    ? {}
    : { [id]: markedIn(maker, planning.values(maker), bodyFor(prepared, maker)) };
}

/** How long a queued command is waited for, in milliseconds. */
const queuedMs = 3000;

/**
 * The commands that a new target record needs first, each by a caller that may run it.
 * @param sent what brings about and sends a command on the record
 */
export function readying(
  planning: Planning,
  prepared: Preparation | undefined,
  lead: Principal,
  tag: string,
  sent: (command: Operation, by: Principal, id: StepId) => Made | Need,
): Made | Need {
  const waves: Wave[] = [];
  const bodies: Record<Name, BodyValue> = {};
  for (const name of prepared?.first ?? []) {
    const command = operationOf(planning.contract, name);
    const by = standIn(planning, command, lead);
    if (by === undefined)
      return {
        kind: 'principal',
        remedy: `Give a valid principal ${inScopeOf(lead)}${thatHolds(command)}: the target record needs ${name} first.`,
      };
    const id = `${tag}${readyingStep(command)}`;
    const step = sent(command, by, id);
    if ('remedy' in step) return step;
    waves.push(...step.waves);
    // What is only queued (202) is done a little later.
    if (successesOf(command).some(isQueued))
      waves.push({ wait: queuedMs }, ...lookedAfter(planning, command, lead, id));
    Object.assign(bodies, step.bodies);
  }
  return { waves, bodies };
}

/** A read of what stands for a queued command, such as `GET /jobs/{jobId}`: some services go on only when they are asked. */
function lookedAfter(planning: Planning, command: Operation, lead: Principal, id: StepId): readonly Wave[] {
  const read = operationNamed(planning.contract, command.effect?.read);
  if (read === undefined || !isReadById(planning.contract, command)) return [];
  const target = targetMadeBy(command, read, id, {});
  const reader = standIn(planning, read, lead);
  return target === undefined || reader === undefined
    ? []
    : [
        { steps: [readStep(planning, `${id}-done`, read, reader, target, 'setup')] },
        // What it sets off then is seen by reads as late as any write.
        { wait: 'settle' },
      ];
}

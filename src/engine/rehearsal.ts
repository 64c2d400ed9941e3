import type { Operation, OperationId } from '../model/contract.ts';
import { isDropped, type Trace, triedIn } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import { isAccepted } from '../model/response.ts';
import { stepsOf } from '../model/scenario.ts';
import type { Preparations } from '../suite-kit/preparation.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { acceptedMarks } from './accepted-marks.ts';
import { plainRequest } from './plain-request.ts';
import type { Plan } from './plan.ts';
import type { Stage } from './stage.ts';

/** By operation, the body that the target took where it refused the plain one. */
export type AcceptedBodies = ReadonlyMap<OperationId, Json>;

/** Makes the plan again with bodies that the target accepts, and with records that are made ready. */
export type Replan = {
  readonly planning: (accepted: AcceptedBodies, prepared: Preparations) => Planning;
  readonly plan: (planning: Planning) => Plan | Promise<Plan>;
};

/** A conflict of state: the body itself was not refused. */
const conflict = 409;

/** What the target said to bodies that the contract allows. */
export type Rehearsed = {
  readonly accepted: AcceptedBodies;
  /** Operations that accepted none. */
  readonly refused: readonly OperationId[];
};

/** Operations that are tried at once. */
const width = 8;
/** How often one body is sent while connections are lost. */
const mostTimes = 3;
const probeOf = (operation: OperationId): string => `rehearsal ${operation}`;

/** Whether a service refuses values by a status, those perhaps that its contract allows. */
export function refusesBody(status: number | undefined): boolean {
  return status === 400 || status === 422;
}

/** What a plan sends, also where it is only needed for a test of another operation. */
export function sentIn({ probes }: Pick<Plan, 'probes'>): ReadonlySet<OperationId> {
  return new Set(
    probes.flatMap(({ probe }) =>
      probe.scenarios.flatMap(({ waves }) => stepsOf(waves).map(({ operation }) => operation)),
    ),
  );
}

/** The operations of a plan whose schema leaves a choice of bodies. */
export function toRehearse(planning: Planning, plan: Pick<Plan, 'probes'>): readonly Operation[] {
  const sent = sentIn(plan);
  return planning.contract.operations.filter(
    (operation) => sent.has(operation.id) && planning.values(operation).standIns(0).length > 0,
  );
}

/**
 * Sends the plain body of each operation of the plan whose schema leaves a choice, and where the target refuses it by a
 * rule that the contract does not tell, other valid bodies until one is accepted, or else one that only a state refuses.
 * Operations that make records come first: others need those records.
 */
export async function rehearse(
  stage: Stage,
  planning: Planning,
  { probes }: Pick<Plan, 'probes'>,
  nextTrace: () => string,
  planningWith: (accepted: AcceptedBodies) => Planning,
  isWanted: (operation: Operation) => boolean = () => true,
): Promise<Rehearsed & { readonly traces: readonly Trace[] }> {
  const accepted = new Map<OperationId, Json>();
  const refused: OperationId[] = [];
  const traces: Trace[] = [];
  const left = toRehearse(planning, { probes }).filter(isWanted);
  /** Returns the plain body's replacement, `none` where all are refused, and undefined where nothing is to be done. */
  const search = async (
    current: Planning,
    operation: Operation,
  ): Promise<{ body: Json } | 'none' | undefined> => {
    let inConflict: { body: Json } | undefined;
    for (const [index, body] of [
      undefined,
      ...planning.values(operation).standIns(stage.clock.wall()),
    ].entries()) {
      // With a body of its own, the marker goes where that body has room for it.
      const own = body === undefined ? current : planningWith(new Map([...accepted, [operation.id, body]]));
      const trace = await answeredOnce(ready, own, operation, nextTrace, index, traces);
      if (trace === undefined) return undefined;
      const answer = triedIn(trace)?.answer;
      if (isAccepted(answer)) return body === undefined ? undefined : { body };
      if (index === 0 && !refusesBody(answer?.status)) return undefined;
      if (body !== undefined && answer?.status === conflict) inConflict ??= { body };
    }
    // An amount above 0 may be more than there is: its record is yet to be made ready.
    return inConflict ?? 'none';
  };
  let ready = stage;
  const depths = [...new Set(left.map(({ pathFields }) => pathFields.length))].sort((a, b) => a - b);
  for (const depth of depths) {
    const current = accepted.size === 0 ? planning : planningWith(accepted);
    // A record that is made for others may need values of its own (G19).
    if (depth > 0 && ready === stage && current.declared.G19 === 'conflict') {
      const { traces: more, ...marks } = await acceptedMarks(
        stage,
        current,
        { probes },
        nextTrace,
        ({ pathFields }) => pathFields.length === 0,
      );
      traces.push(...more);
      ready = { ...stage, ...marks };
    }
    const queue = left.filter(({ pathFields }) => pathFields.length === depth);
    const work = async (): Promise<void> => {
      for (let operation = queue.shift(); operation !== undefined; operation = queue.shift()) {
        const found = await search(current, operation);
        if (found === 'none') refused.push(operation.id);
        else if (found !== undefined) accepted.set(operation.id, found.body);
      }
    };
    await Promise.all(Array.from({ length: width }, work));
  }
  return { accepted, refused, traces };
}

/**
 * The trace of a body that got a response, as far as one comes. A lost connection says nothing of the body, and an operation
 * that is taken to refuse every body would not be tested.
 */
async function answeredOnce(
  stage: Stage,
  planning: Planning,
  operation: Operation,
  nextTrace: () => string,
  index: number,
  traces: Trace[],
): Promise<Trace | undefined> {
  let trace: Trace | undefined;
  for (let time = 0; time < mostTimes; time += 1) {
    trace = await plainRequest(stage, planning, operation, {
      ...{ id: nextTrace(), probe: probeOf(operation.id), scenarioIndex: index },
      title: index === 0 ? 'preflight with the plain body' : `preflight with another valid body (${index})`,
    });
    if (trace === undefined) return undefined;
    traces.push(trace);
    if (!isDropped(triedIn(trace)?.noAnswer)) break;
  }
  return trace;
}

/** The bodies that an earlier part of a run was seen to accept, or to refuse for the state of their records alone. */
export function acceptedIn(traces: readonly Trace[]): AcceptedBodies {
  const accepted = new Map<OperationId, Json>();
  const inConflict = new Map<OperationId, Json>();
  for (const trace of traces) {
    const [last] = stepsOf(trace.scenario.waves).slice(-1);
    const body = trace.scenario.bodies['body'];
    const isStandIn =
      trace.suite === 'preflight' &&
      trace.scenarioIndex > 0 &&
      trace.probe === probeOf(last?.operation ?? '');
    if (!isStandIn || body === undefined || last === undefined) continue;
    const answer = triedIn(trace)?.answer;
    if (isAccepted(answer)) accepted.set(last.operation, body.value);
    else if (answer?.status === conflict && !inConflict.has(last.operation))
      inConflict.set(last.operation, body.value);
  }
  return new Map([...inConflict, ...accepted]);
}

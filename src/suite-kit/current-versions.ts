import { actsOnOne, type Contract, type Operation, operationOf } from '../model/contract.ts';
import { type Scenario, type Step, type StepId, stepsOf, type Wave } from '../model/scenario.ts';

/**
 * A scenario in which commands on a record that no step makes send its current version: it is read again after every
 * command. Duplicates send what they duplicate; a version that is to be wrong stays wrong.
 */
export function withCurrentVersions(contract: Contract, scenario: Scenario): Scenario {
  const reads = new Map(
    stepsOf(scenario.waves).flatMap((step) => (step.role === 'setup' ? [[step.id, step] as const] : [])),
  );
  const shared = (step: Step): boolean =>
    isShared(operationOf(contract, step.operation), step) && sourceOf(step, reads) !== undefined;
  if (!stepsOf(scenario.waves).some(shared)) return scenario;
  /** Which read each step takes its version from, in place of the one that its scene made. */
  const taken = new Map<StepId, StepId>();
  /** The last read of each record by each reader: another record, and another scope, has versions of its own. */
  let current: ReadonlyMap<string, Step> = new Map();
  /** What was read since the last command. */
  let fresh: ReadonlySet<string> = new Set();
  let sent = false;
  let count = 1;
  const know = (read: Step): void => {
    current = new Map([...current, [viewOf(read), read]]);
    fresh = new Set([...fresh, viewOf(read)]);
  };
  /** The read that a step may take its version from now, of the reader whom its scene names. */
  const latest = (step: Step): Step | undefined => {
    const own = sourceOf(step, reads);
    return own === undefined ? undefined : (current.get(viewOf(own)) ?? own);
  };
  const walk = (waves: readonly Wave[]): readonly Wave[] =>
    waves.flatMap((wave): readonly Wave[] => {
      if ('when' in wave) {
        const outside = current;
        const waves = walk(wave.waves);
        // Whether it was run is not known here: what was read in it cannot be relied on afterwards.
        current = outside;
        fresh = new Set();
        sent = true;
        return [{ ...wave, waves }];
      }
      if ('poll' in wave) {
        if (wave.poll.role === 'setup') know(wave.poll);
        return [wave];
      }
      if (!('steps' in wave)) return [wave];
      const before: Wave[] = [];
      const needed = wave.steps.filter(
        (step) => shared(step) && !keepsVersion(step) && duplicated(step, taken) === undefined,
      );
      for (const step of needed) {
        const read = latest(step);
        // Before the first command the read of the scene is as good as another one.
        if (read === undefined || fresh.has(viewOf(read)) || !sent) continue;
        count += 1;
        const again = { ...read, id: `${read.id.replace(/-again-\d+$/, '')}-again-${count}` };
        // A read that shows a version which an accepted command used up is behind, and is made again (open point G15).
        before.push({ poll: again, until: 'found', max: 5 });
        know(again);
      }
      const steps = wave.steps.map((step) => {
        if (!shared(step)) return step;
        const source = duplicated(step, taken) ?? (keepsVersion(step) ? undefined : latest(step)?.id);
        if (source === undefined || step.version?.use !== 'of' || !('step' in step.version.ref)) return step;
        taken.set(step.id, source);
        return { ...step, version: { ...step.version, ref: { ...step.version.ref, step: source } } };
      });
      if (steps.some((step) => operationOf(contract, step.operation).kind === 'command')) {
        fresh = new Set();
        sent = true;
      }
      return [...before, { ...wave, steps }];
    });
  return { ...scenario, waves: walk(scenario.waves) };
}

function isShared(operation: Operation, { target }: Step): boolean {
  if (operation.version === undefined || operation.version.neutral) return false;
  const refs = Object.values(target ?? {});
  return actsOnOne(operation) || (refs.length > 0 && refs.every((ref) => 'literal' in ref));
}

function sourceOf({ version }: Step, reads: ReadonlyMap<StepId, Step>): Step | undefined {
  return version?.use === 'of' && 'step' in version.ref ? reads.get(version.ref.step) : undefined;
}

function viewOf({ as, target = {} }: Step): string {
  return `${as} ${JSON.stringify(target)}`;
}

function keepsVersion({ deviations }: Step): boolean {
  return deviations.some(({ kind }) => kind === 'version');
}

/** These work on a version of their own, or on the one that is current by then. */
const ownVersion: ReadonlySet<string> = new Set(['caller', 'scope', 'request', 'parameter', 'version']);

/** The read of the step that a step duplicates. */
function duplicated({ deviations }: Step, taken: ReadonlyMap<StepId, StepId>): StepId | undefined {
  for (const deviation of deviations)
    if (deviation.kind === 'key-reuse' && !ownVersion.has(deviation.difference) && taken.has(deviation.of))
      return taken.get(deviation.of);
  return undefined;
}

import type { Context, Judge, Trait } from './clause.ts';
import type { Trace } from './exchange.ts';
import { isThrottled } from './response.ts';

/** What is special about the requests of a trace that were sent: most rules look at one of these alone. */
export function traitsOf(context: Context, trace: Trace): ReadonlySet<Trait> {
  const { answered, seen } = context.reading(trace);
  const traits = new Set<Trait>();
  for (const { step } of seen) {
    for (const deviation of step.deviations) {
      traits.add(deviation.kind);
      if (deviation.kind === 'key-reuse') traits.add(`again-${deviation.difference}`);
    }
    if (step.observes !== undefined) traits.add(step.observes);
    if (step.key.use === 'near') traits.add('near-key');
  }
  if (trace.scenario.waves.some((wave) => 'steps' in wave && wave.steps.length > 1)) traits.add('together');
  if (answered.some(({ answer }) => isThrottled(answer))) traits.add('throttled');
  return traits;
}

/** Whether a judge may have something to say about traces with these traits. */
export function concerns({ needs }: Judge, traits: ReadonlySet<Trait>): boolean {
  return needs === undefined || needs.some((one) => traits.has(one));
}

/** The judges that traces with given traits concern; there are few sets of traits in a run. */
export function concerned<Judging extends { readonly each: Judge }>(
  judges: readonly Judging[],
): (traits: ReadonlySet<Trait>) => readonly Judging[] {
  const known = new Map<string, readonly Judging[]>();
  return (traits) => {
    const key = [...traits].sort().join();
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = judges.filter(({ each }) => concerns(each, traits));
    known.set(key, found);
    return found;
  };
}

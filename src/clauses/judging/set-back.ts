import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { type Step, type StepId, stepsOf } from '../../model/scenario.ts';
import { sameState } from '../../oracle/record-state.ts';
import { duplicates } from './duplicates.ts';
import { leftAsRead, readAround } from './left-as-read.ts';
import { inconclusive, inDoubt, isAccepted, isDecided, type Seen, seen, undecided } from './reading.ts';

/** A duplicate of the command that made a record leaves it as another command has changed or deleted it since. */
export function* notSetBack(context: Context, trace: Trace): Iterable<Ruling> {
  for (const duplicate of duplicates(context, trace, 'late')) {
    const { again, first } = duplicate;
    const all = seen(context, trace);
    const madeBy = ({ id }: Step): readonly Seen[] => all.filter(({ step }) => namesStep(step, id));
    const around = readAround(context, trace, again, madeBy(first.step));
    const found = around === undefined ? undefined : leftAsRead(context, trace, duplicate, around, false);
    if (!isAccepted(first.exchange.answer) || found === undefined) continue;
    // A record that no command came to again shows what changes by itself.
    const twin = twinOf(trace, first);
    const alone = twin === undefined ? undefined : readAround(context, trace, again, madeBy(twin));
    if (found.verdict === 'violated' && twin !== undefined && !isLeft(alone)) {
      yield inconclusive(
        [again, first, ...(alone === undefined ? [] : [alone.before, alone.after])],
        'No record that was made along with it stayed as it was, though no command came to one.',
      );
      continue;
    }
    const doubt = undecided(again);
    yield found.verdict === 'holds' ? inDoubt(found, doubt) : found;
  }
}

/** What makes another record, which the scenario reads around the duplicate as well. */
function twinOf({ scenario }: Trace, first: Seen): Step | undefined {
  const steps = stepsOf(scenario.waves);
  return steps.find(
    ({ deviations, id, key, operation, role }) =>
      operation === first.operation.id &&
      role === 'setup' &&
      deviations.length === 0 &&
      JSON.stringify(key) !== JSON.stringify(first.step.key) &&
      steps.some((step) => step.observes === 'after' && namesStep(step, id)),
  );
}

function namesStep({ target = {} }: Step, id: StepId): boolean {
  return Object.values(target).some((ref) => 'step' in ref && ref.step === id);
}

function isLeft(around: ReturnType<typeof readAround>): boolean {
  if (around === undefined) return false;
  const { after, before } = around;
  return (
    [before, after].every(({ exchange }) => isAccepted(exchange.answer) && isDecided(exchange.answer)) &&
    sameState(before, after)
  );
}

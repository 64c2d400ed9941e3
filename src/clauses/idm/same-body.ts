import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { type Duplicate, duplicates } from '../judging/duplicates.ts';
import {
  type Answered,
  answered,
  bodyName,
  discloses,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isShared,
  pathValues,
  violated,
} from '../judging/reading.ts';
import { mayBeOwnResult } from './own-result.ts';

/** Whether a key was sent with another operation and the same body, and then that request under a new key in any case. */
export function isSameBody(trace: Trace, { again, difference, first }: Duplicate): boolean {
  return (
    difference === 'operation' &&
    bodyName(first.step) === bodyName(again.step) &&
    trace.scenario.waves.some(
      (wave) => 'steps' in wave && wave.steps.some(({ controls }) => controls === again.step.id),
    )
  );
}

/**
 * The key and the body of another operation (IDM-13), where the service may compare bodies alone. Two commands may also find, or
 * bring up to date, the one record that the body describes: then each returns it under a new key as well.
 */
export function* ofSameBody(context: Context, trace: Trace): Iterable<Ruling> {
  const expected = 'its own result, or 409 without data of the first result (G18)';
  for (const duplicate of duplicates(context, trace, 'operation')) {
    const { again, first } = duplicate;
    const id = namedBy(first);
    const { answer } = again.exchange;
    if (answer === undefined || !isAccepted(answer) || !isAccepted(first.exchange.answer)) continue;
    if (!isSameBody(trace, duplicate) || id === undefined) continue;
    const shows = (one: Pick<Answered, 'answer' | 'exchange' | 'operation'>): boolean =>
      idOf(one.operation, one.answer) === id || discloses(one.exchange, id);
    const on = [again, first];
    if (!shows({ ...again, answer }))
      yield holds(on, { expected, because: 'The second operation got its own result.' });
    else if (mayBeOwnResult(first, again, id))
      yield inconclusive(on, `The second operation may return ${id} by itself.`);
    else if (isShared(id, again.exchange))
      yield inconclusive(
        on,
        `Each kind of record may have the ID ${id}, and both commands had the same body.`,
      );
    else if (
      !answered(context, trace).some(
        (one) => one.step.controls === again.step.id && isAccepted(one.answer) && !shows(one),
      )
    )
      yield inconclusive(
        on,
        'Both commands had the same body, and no request under a new key shows that the second one has another result.',
      );
    else
      yield violated(on, {
        expected,
        because: `The response has ${id} of the first operation. Under a new key, the same request has a result of its own.`,
        conclusive: true,
      });
  }
}

/** What a result is about: the record that it names, or else the one in the path. */
function namedBy({ exchange, operation }: Duplicate['first']): string | undefined {
  const own = exchange.answer === undefined ? undefined : idOf(operation, exchange.answer);
  return own ?? pathValues(operation, exchange).at(-1);
}

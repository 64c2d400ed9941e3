import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { type Json, valueAt } from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import type { Step } from '../../model/scenario.ts';
import {
  type Answered,
  answered,
  faultsOf,
  headerValues,
  holds,
  inconclusive,
  isAccepted,
  summary,
  violated,
} from '../judging/reading.ts';
import { versionsIn } from '../judging/versions.ts';

/** A record is read several times at once, and a command is sent with the version that the first read showed (RDS-8). */
export function* keptVersion(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const [at, command] of all.entries()) {
    const { version } = command.step;
    const source = command.operation.version?.source;
    if (command.step.role !== 'test' || version?.use !== 'of' || !('step' in version.ref)) continue;
    if (source === undefined || faultsOf(command.step).length > 0) continue;
    const { step: from } = version.ref;
    const first = all.findIndex(({ step }) => step.id === from);
    const reads = all.slice(Math.max(0, first), at);
    if (reads.length < 3 || !reads.every((one) => isRead(one, source.operation, reads[0]))) continue;
    const versions = new Set(reads.map((one) => versionIn(one, source)));
    const on = [reads[1] ?? command, command] as const;
    const expected = 'the version that the record had before it was read again';
    const actual = `${[...versions].join(', ')}; ${summary(command.exchange)}`;
    const control = all.find(({ step }) => step.controls === command.step.id);
    if (isAccepted(command.answer))
      yield holds(on, { expected, actual, because: 'The version of an earlier read is still accepted.' });
    else if ([409, 412].includes(command.answer.status) && versions.size > 1)
      yield versions.size === reads.length && control !== undefined && isAccepted(control.answer)
        ? violated([...on, control], {
            expected,
            actual,
            because:
              'Each read of the record shows another version. The first version is refused, the last one is accepted.',
          })
        : inconclusive(on, 'The version changed, but nothing shows that the reads changed it.');
  }
}

/** As many reads of an own record in turn show what each of them moves, and so many what every second one does. */
const [leastReads, leastPairs] = [4, 6];
/** What moves by itself moves more in this time, in milliseconds, than between two reads in turn. */
const longPause = 1000;

/** A record is read several times in turn, with a pause: reads show the next version, and nothing else was sent to it. */
export function* risingVersion(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  const [first, ...others] = all.slice(
    all.findLastIndex(({ operation }) => operation.kind === 'command') + 1,
  );
  if (first === undefined || others.length + 1 < leastReads) return;
  const reads = [first, ...others];
  if (!isMade(first.step) || !reads.every((one) => isRead(one, first.operation.id, first))) return;
  const [longest = 0, next = 0, ...less] = others
    .map(({ exchange }, at) => exchange.startedAt - (reads[at]?.exchange.endedAt ?? 0))
    .sort((one, other) => other - one);
  if (Math.min(longest, next, ...less) < 0 || longest < longPause || next > longest / 3) return;
  const shown = reads.map(versionsIn);
  for (const [at, version] of shown[0] ?? []) {
    const versions = shown.map((each) => each.get(at));
    const expected = 'the version that the record had before it was read';
    const actual = versions.join(', ');
    const every = [1, 2].find((each) => isRising(versions, version, each));
    if (versions.every((each) => each === version))
      yield holds(reads, { expected, actual, because: 'Reads leave the version as it was.' });
    else if (every !== undefined)
      yield violated(reads, {
        expected,
        actual,
        because: `${every === 1 ? 'Each' : 'Every second'} read of the record increases ${at} by one.`,
      });
  }
}

/** Whether each read of several, or the last of each two, raises a version by one. */
function isRising(versions: readonly (number | undefined)[], version: number, every: number): boolean {
  if (every > 1 && versions.length < leastPairs) return false;
  return Array.from({ length: every }, (_, first) => first).some((first) =>
    versions.every((each, index) => each === version + Math.floor((index + first) / every)),
  );
}

/** Whether commands of the scenario made the target: others may change a record that is given. */
export function isMade({ target = {} }: Step): boolean {
  const refs = Object.values(target);
  return refs.length > 0 && refs.every((ref) => 'step' in ref);
}

export function isRead(
  { answer, exchange, operation, step }: Answered,
  of: string,
  first: Answered | undefined,
): boolean {
  return (
    operation.id === of &&
    operation.kind === 'read' &&
    faultsOf(step).length === 0 &&
    isAccepted(answer) &&
    !answer.truncated &&
    exchange.request.path === first?.exchange.request.path
  );
}

type Source = NonNullable<Answered['operation']['version']>['source'];

function versionIn({ answer }: Answered, source: Source): string {
  const value: Json | undefined =
    source.in === 'body'
      ? valueAt(exactJsonOf(answer), source.at)
      : headerValues(answer.headers, source.name)[0];
  return JSON.stringify(value ?? null);
}

import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { type JsonPointer, valueAt } from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import { differences } from '../../oracle/record-state.ts';
import { numbersIn } from './counted-effects.ts';
import {
  type Answered,
  answered,
  headerValues,
  holds,
  isAccepted,
  keyName,
  type Seen,
  violated,
} from './reading.ts';
import { isBookkeeping } from './removal.ts';

/** Members that are named like a version and are numbers, and an ETag that is one, such as "7" or "v7". */
export function versionsIn({ answer }: Answered): ReadonlyMap<JsonPointer, number> {
  const etag = /^(?:W\/)?"(?:[a-z]{1,8}[-_.:]?)?(\d{1,9})"$/i.exec(
    headerValues(answer.headers, 'etag')[0] ?? '',
  )?.[1];
  return new Map([
    ...[...numbersIn(exactJsonOf(answer) ?? null)].filter(([at]) => isBookkeeping(at)),
    ...(etag === undefined ? [] : [['ETag', Number(etag)] as const]),
  ]);
}

/** A higher version may be counted over all records, as time is. */
const mostOwn = 9;

/** Whether one of two records went on by itself: then it has another state than the other one. */
function isInOtherState(one: Answered, other: Answered): boolean {
  const [first, second] = [one, other].map(({ answer }) => exactJsonOf(answer));
  return differences(one, other).some((at) =>
    [first, second].every((body) => {
      const value = valueAt(body, at);
      return typeof value === 'boolean' || (typeof value === 'string' && /^[a-z][a-z_ -]*$/i.test(value));
    }),
  );
}

/** Commands under one key move a version as far as one under another key does on the twin. */
export function likeTwin(
  context: Context,
  trace: Trace,
  { first }: { readonly first: Seen },
): Ruling | undefined {
  const all = answered(context, trace);
  const targetOf = ({ step }: Seen): string => JSON.stringify(step.target);
  const sent = all.filter(({ operation }) => operation === first.operation);
  const racers = sent.filter(({ step }) => keyName(step) === keyName(first.step));
  const others = sent.filter((one) => !racers.includes(one) && one.step.role !== 'setup');
  const [one] = others;
  const isDone = ({ answer }: Answered): boolean => isAccepted(answer) && answer.status !== 202;
  if (one === undefined || others.length > 1 || !isDone(one) || !racers.some(isDone)) return undefined;
  if (one.exchange.earlier.length > 0 || targetOf(one) === targetOf(first)) return undefined;
  const [raced, single] = [first, one].map((of) =>
    all.findLast(
      (read) => read.step.observes === 'after' && targetOf(read) === targetOf(of) && isAccepted(read.answer),
    ),
  );
  if (raced === undefined || single === undefined || isInOtherState(raced, single)) return undefined;
  const versions = versionsIn(raced);
  const created = all.filter(({ step }) => step.role === 'setup').map(versionsIn);
  for (const [at, version] of versionsIn(single)) {
    // New records with different versions share a count with others.
    const [born = version <= 2 ? version - 1 : undefined, ...different] = new Set(
      created.flatMap((shown) => shown.get(at) ?? []),
    );
    const more = (versions.get(at) ?? Number.NaN) - version;
    if (different.length > 0 || version > mostOwn || !(more >= 0 && more < racers.length)) continue;
    // Versions need not be counted in steps of one: the next one may be any higher number.
    if (more > 0 && version - 1 !== born) continue;
    const said = {
      expected: 'at most one effect',
      actual: `${at} is ${version + more}, and ${version} after one command`,
    };
    const on = [...racers.slice(0, 10), one, raced, single];
    return more === 0
      ? holds(on, {
          ...said,
          because: 'The commands under one key left the version that one command leaves.',
        })
      : violated(on, {
          ...said,
          because: 'The commands under one key moved the version further than one command does.',
        });
  }
  return undefined;
}

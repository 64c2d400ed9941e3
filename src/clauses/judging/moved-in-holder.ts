import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { bare, singular } from '../../model/path.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { numbersIn, ofAttempts } from './counted-effects.ts';
import { duplicates } from './duplicates.ts';
import { answered, faultsOf, isAccepted, isQueued, type Seen, seen, violated } from './reading.ts';
import { isBookkeeping } from './removal.ts';

/** Numbers that requests, reads, changes or time may move, and those that are given out and may be used up. */
const ofOthers =
  /request|command|call|hit|view|visit|access|read|seen|submi|receiv|duplic|replay|repeat|touch|chang|edit|updat|version|next|last|latest|position|index|offset|cursor|ordinal|serial|seq|counter|max|highest|id$|activit|journal|notif|process|handl|n[or]$|num$|number$|quota|usage|used|remain|second|minute|hour|days|age$|elapsed|duration/i;

/**
 * A count or total in the record within which a command made something, or that holds its target (IDM-4): what the command
 * moved there once, each of its duplicates moved again by as much, though reads alone left it as it was.
 */
export function* movedInHolder(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  const reads = answered(context, trace).filter(
    ({ answer, step }) => step.observes === 'holder' && isAccepted(answer),
  );
  const [before, between, unmoved, after] = reads;
  const sent = duplicates(context, trace, 'none');
  const first = sent[0]?.first;
  if (before === undefined || between === undefined || unmoved === undefined || after === undefined) return;
  if (first === undefined || !isAccepted(first.exchange.answer) || faultsOf(first.step).length > 0) return;
  // What is only queued (202) may be done later.
  if (isQueued(first.exchange.answer)) return;
  const again = sent.map((each) => each.again);
  const order = all.filter(
    (one) => one.operation.kind === 'command' || reads.some(({ exchange }) => exchange === one.exchange),
  );
  const from = order.findIndex(({ exchange }) => exchange === before.exchange);
  const due = [before, first, between, unmoved, ...again, after];
  const isAlone = due.every((one, index) => order[from + index]?.exchange === one.exchange);
  if (!isAlone || sent.some(({ concurrent }) => concurrent)) return;
  const [zero, one, same, last] = [before, between, unmoved, after].map(({ answer }) =>
    numbersIn(exactJsonOf(answer) ?? null),
  );
  const accepted = again.filter(({ exchange }) => isAccepted(exchange.answer)).length;
  for (const [at, now] of one ?? []) {
    const [was, later] = [zero?.get(at), last?.get(at)];
    if (was === undefined || later === undefined || same?.get(at) !== now) continue;
    const step = now - was;
    const times = [accepted, again.length].find((count) => count > 0 && isNear(later - now, count * step));
    if (isNear(step, 0) || times === undefined || !isOfCommand(first, before, at, step)) continue;
    yield violated([...again, first, ...reads], {
      expected: 'at most one effect',
      actual: `${at} was ${was}, ${now}, ${later}`,
      because: `The command moved ${at} in the record that holds what it changed, and each duplicate moved it again.`,
      moved: { read: after.operation.id, at: [at] },
    });
    return;
  }
}

/** Whether a number can only be that of what the command makes or changes: by its name, or by an amount that was sent. */
function isOfCommand(first: Seen, holder: Seen, at: string, step: number): boolean {
  if (isBookkeeping(at) || ofAttempts.test(at) || ofOthers.test(at)) return false;
  const name = at.split('/').at(-1) ?? '';
  const noun = nounOf(first, holder);
  const isOne = isNear(Math.abs(step), 1);
  if (isOne && noun.length > 2 && plain(name).includes(noun)) return true;
  // One more is also what a count of requests would show.
  if (isOne && !isAmount(name)) return false;
  const sent = [...numbersIn(sentJson(first.exchange.request) ?? null).values()];
  return [...sent, ...sent.flatMap((each, index) => sent.slice(index + 1).map((other) => each * other))].some(
    (amount) => isNear(Math.abs(amount), Math.abs(step)),
  );
}

function isAmount(name: string): boolean {
  return name
    .split(/(?<=[a-z])(?=[A-Z])|[^A-Za-z]+/)
    .some((word) => /^(?:amount|value|quantity|balance|price|weight|sum|subtotal)$/i.test(word));
}

/** What the record holds by the path: `line` of /orders/{orderId}/lines, and of /lines/{lineId}/release. */
function nounOf({ operation, step }: Seen, holder: Seen): string {
  const [held] = Object.values(holder.step.target ?? {});
  const name = Object.entries(step.target ?? {}).find(
    ([, ref]) => JSON.stringify(ref) === JSON.stringify(held),
  )?.[0];
  const segments = bare(operation.path).split('/');
  const place = (field: string | undefined): number =>
    segments.findIndex((segment) => segment.includes(`{${field}}`));
  const noun = name === undefined ? place(operation.pathFields.at(-1)?.name) - 1 : place(name) + 1;
  return plain(singular(/^[\w-]+/.exec(segments[noun] ?? '')?.[0] ?? '')).replace(/y$/, '');
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) < 1e-6;
}

import { bare, singular } from '../../model/path.ts';
import { sentJson } from '../../model/response.ts';
import { idPointer } from '../../model/result-id.ts';
import { numbersIn, ofAttempts } from './counted-effects.ts';
import type { Seen } from './reading.ts';
import { isBookkeeping } from './removal.ts';

/** Numbers that requests, reads, changes or time may move, and those that are given out and may be used up. */
const ofOthers =
  /request|command|call|hit|view|visit|access|read|seen|submi|receiv|duplic|replay|repeat|touch|chang|edit|updat|version|next|last|latest|position|index|offset|cursor|ordinal|serial|seq|counter|max|highest|id$|activit|journal|notif|process|handl|n[or]$|num$|number$|quota|usage|used|remain|second|minute|hour|days|age$|elapsed|duration/i;

/** Whether a number can only be that of what the command makes or changes: by its name, or by an amount that was sent. */
export function isOfCommand(first: Seen, holder: Seen, at: string, step: number): boolean {
  if (isBookkeeping(at) || ofAttempts.test(at)) return false;
  const name = at.split('/').at(-1) ?? '';
  const isOne = isNear(Math.abs(step), 1);
  const body = numbersIn(sentJson(first.exchange.request) ?? null);
  const isAmountOf = (amount: number): boolean => isNear(Math.abs(amount), Math.abs(step));
  // What was sent under the same name is no time that passes: `hours` of a grant, and of who is granted them.
  const isNamed = ([place, amount]: readonly [string, number]): boolean =>
    plain(place.split('/').at(-1) ?? '') === plain(name) && isAmountOf(amount);
  if (!isOne && [...body].some(isNamed)) return true;
  const nouns = [nounOf(first, holder), nounOfId(first)];
  if (ofOthers.test(withoutNouns(at, nouns))) return false;
  if (isOne && nouns.some((noun) => noun.length > 2 && plain(name).includes(noun))) return true;
  // One more is also what a count of requests would show.
  if (isOne && !isAmount(name)) return false;
  const sent = [...body.values()];
  return [...sent, ...sent.flatMap((each, index) => sent.slice(index + 1).map((other) => each * other))].some(
    isAmountOf,
  );
}

/** A name without what the command makes: `reviewCount` has nothing of a view. A noun that is such a word itself stays. */
function withoutNouns(at: string, nouns: readonly string[]): string {
  return nouns
    .filter((noun) => noun.length > 2 && noun.replace(ofOthers, '') !== '')
    .reduce((rest, noun) => rest.replace(new RegExp(noun, 'i'), ''), at);
}

function isAmount(name: string): boolean {
  return name
    .split(/(?<=[a-z])(?=[A-Z])|[^A-Za-z]+/)
    .some((word) => /^(?:amount|value|quantity|balance|price|weight|sum|subtotal)$/i.test(word));
}

/** What the record holds by the path: `line` of /orders/{orderId}/lines, of /lines/{lineId}/release, and of /lines. */
function nounOf({ operation, step }: Seen, holder: Seen): string {
  const held = Object.values(holder.step.target ?? {}).at(-1);
  const name = Object.entries(step.target ?? {}).find(
    ([, ref]) => JSON.stringify(ref) === JSON.stringify(held),
  )?.[0];
  const segments = bare(operation.path).split('/');
  const place = (field: string | undefined): number =>
    segments.findIndex((segment) => segment.includes(`{${field}}`));
  const last = operation.pathFields.at(-1)?.name;
  const [above, own] = [place(name), place(last)];
  // What makes a record of a list names what holds it in its body.
  const noun = above >= 0 ? above + 1 : own >= 0 ? own - 1 : segments.length - 1;
  return plain(singular(/^[\w-]+/.exec(segments[noun] ?? '')?.[0] ?? '')).replace(/y$/, '');
}

/** What the result calls its ID: `entry` of `entryId`, where a deposit makes an entry. */
function nounOfId({ operation }: Seen): string {
  const leaf = idPointer(operation).split('/').at(-1) ?? '';
  return plain(/^(.{3,}?)(?:[_-]id|I[dD])$/.exec(leaf)?.[1] ?? '').replace(/y$/, '');
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

export function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) < 1e-6;
}

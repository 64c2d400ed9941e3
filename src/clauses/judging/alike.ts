import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { textsIn } from '../../model/json.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import type { Step } from '../../model/scenario.ts';
import { find, isAccepted, seen } from './reading.ts';

/** Texts that differ only in case and blanks may be made equal before they are compared, unless a response shows them. */
export function mayBeAlike(context: Context, trace: Trace, step: Step): boolean {
  const reuse = find(step, 'key-reuse');
  const all = seen(context, trace);
  const again = all.find((one) => one.step.id === step.id);
  const first = all.find((one) => one.step.id === reuse?.of);
  if (first === undefined || again === undefined) return false;
  if (first.exchange.request.path !== again.exchange.request.path) return false;
  const [one, other] = [first, again].map(({ exchange }) => exchange.request.body ?? '');
  if (one === undefined || other === undefined || one === other || folded(one) !== folded(other))
    return false;
  const controls = all.filter((each) => each.step.controls === step.id);
  const shown = new Set(
    all.flatMap(({ exchange: { answer } }) => (isAccepted(answer) ? textsIn(exactJsonOf(answer)) : [])),
  );
  const texts = [again, ...controls].flatMap((each) => textsIn(sentJson(each.exchange.request)));
  return !texts.some((text) => isOfNoForm(text) && shown.has(text));
}

function folded(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ');
}

/** No service that makes case or blanks equal shows such a text. */
function isOfNoForm(text: string): boolean {
  return /\s\s/.test(text) || /\p{Lu}\p{Lu}\p{Ll}|\p{Ll}\p{Lu}/u.test(text);
}

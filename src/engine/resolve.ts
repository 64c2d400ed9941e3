import { idText } from '../model/contract.ts';
import { headerOf, type Trace } from '../model/exchange.ts';
import { isArray, isObject, type Json, pointerOf, valueAt } from '../model/json.ts';
import type { Ref } from '../model/ref.ts';
import { exactJsonOf, isAccepted, sentJson } from '../model/response.ts';
import { idInName, lastSegment, ownId } from '../model/result-id.ts';
import { unknownAddress, unknownId } from '../model/unknown-id.ts';
import { addressed, cursorIn, linkedField, nextAt } from '../oracle/paging.ts';

export type SeenSoFar = Pick<Trace, 'exchanges' | 'hooks'> & { readonly chosen?: Trace['bound']['chosen'] };

/** What `ref` stands for by now; undefined where no response gives it. */
export function resolve(seen: SeenSoFar, ref: Ref): string | undefined {
  if ('literal' in ref) return ref.literal;
  if ('chosen' in ref) return seen.chosen?.[ref.chosen];
  if ('unlike' in ref && ref.unlike === true) {
    const { unlike: _, ...known } = ref;
    const id = resolve(seen, known);
    if (id === undefined) return undefined;
    return known.part === 'whole' ? unknownAddress(id) : unknownId(id);
  }
  const exchange = seen.exchanges.findLast((one) => one.step === ref.step);
  const idIn = (address: string): string | undefined => {
    const id = lastSegment(address);
    const path = exchange?.request.path.split('?')[0] ?? '';
    return id === undefined ? undefined : ownId({ path }, id);
  };
  if ('header' in ref) {
    const line = headerOf(exchange?.answer?.headers ?? [], ref.header);
    return line === undefined || ref.part !== 'last-segment' ? line : idIn(line);
  }
  if ('nextPage' in ref)
    return exchange?.answer === undefined ? undefined : linkedField(exchange.answer, ref.nextPage);
  if ('followed' in ref) return followed(exchange, ref);
  if ('behind' in ref) return exchange === undefined ? undefined : behind(exchange, ref);
  const root =
    exchange === undefined
      ? seen.hooks[ref.step]?.output
      : isAccepted(exchange.answer)
        ? exactJsonOf(exchange.answer)
        : undefined;
  if ('cursor' in ref) return cursorIn(nextAt(root, ref.at), ref.cursor);
  const value = valueAt(root, ref.at);
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  if (ref.part === 'whole') return text;
  return ref.part === 'last-segment' ? idIn(text) : idInName(ref.at, text);
}

/** A query field of the next page, as a client sends it that follows the address of that page. */
function followed(
  exchange: SeenSoFar['exchanges'][number] | undefined,
  { address, followed: field, otherwise }: Extract<Ref, { readonly followed: string }>,
): string | undefined {
  if (exchange?.answer === undefined) return undefined;
  if (address === 'link') return linkedField(exchange.answer, field);
  const next = nextAt(exactJsonOf(exchange.answer), address);
  const found = typeof next === 'string' ? addressed(next, field) : undefined;
  return found === undefined ? otherwise : (found ?? undefined);
}

/** Counted on from the page that was read: a service may serve fewer items than it was asked for. */
function behind(
  { answer, request }: SeenSoFar['exchanges'][number],
  { behind: by, field, first, items: at }: Extract<Ref, { readonly behind: unknown }>,
): string | undefined {
  const items = isAccepted(answer) ? valueAt(exactJsonOf(answer), at) : undefined;
  if (!isArray(items) || items.length === 0) return undefined;
  const member = idText(valueAt(sentJson(request), pointerOf([field])));
  const sent = new URLSearchParams(request.path.split('?')[1]).get(field) ?? member;
  const start = sent === undefined || !/^\d+$/.test(sent) ? undefined : Number(sent);
  return String((start ?? first) + (by === 'page' ? 1 : items.length));
}

/** Input of a hook, with `ref:step#/pointer` replaced by what the response of that step holds. */
export function resolvedInput(
  seen: SeenSoFar,
  keys: Trace['bound']['keys'],
  input: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (isObject(value)) return [name, resolvedInput(seen, keys, value)];
      if (typeof value !== 'string') return [name, value];
      const ref = /^ref:([^#@]+)(?:#(.*)|@(.*))$/.exec(value);
      const key = /^key:(.+)$/.exec(value);
      const chosen = /^chosen:(.+)$/.exec(value)?.[1];
      if (chosen !== undefined) return [name, seen.chosen?.[chosen] ?? null];
      if (key !== null) return [name, keys[key[1] ?? ''] ?? value];
      if (ref === null) return [name, value];
      const [, step = '', at, named = ''] = ref;
      const [, place = '', part] = /^(.*?)(\/last-segment)?$/.exec(named) ?? [];
      const of: Ref = {
        step,
        ...(at === undefined && !place.startsWith('/') ? { header: place } : { at: at ?? place }),
        ...(part === undefined ? {} : { part: 'last-segment' }),
      };
      return [name, resolve(seen, of) ?? null];
    }),
  );
}

import type { Context } from '../../model/clause.ts';
import { idText } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { type JsonPointer, valueAt } from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import type { Step } from '../../model/scenario.ts';
import { find, headerValues, isAccepted, type Seen, seen } from './reading.ts';

export type VersionPlace = { readonly at: JsonPointer } | { readonly header: string };

/** Counted versions have few values, and a record may move on by itself: then it shows one more than was sent. */
export function mayBeCurrent(context: Context, trace: Trace, step: Step): boolean {
  if (find(step, 'version')?.how !== 'foreign' || step.version?.use !== 'of') return false;
  const { ref } = step.version;
  if (!('step' in ref) || !('at' in ref || 'header' in ref)) return false;
  const all = seen(context, trace);
  const at = all.findIndex((one) => one.step.id === step.id);
  const source = all[at]?.operation.version?.source;
  if (source === undefined) return false;
  const place = source.in === 'body' ? { at: source.at } : { header: source.name };
  const own = (one: Seen): string | undefined => (isOf(step, one.step) ? shown(one, place) : undefined);
  const sent = all.slice(0, at).findLast((one) => one.step.id === ref.step);
  const versions = [
    all.slice(0, at).map(own).findLast(isKnown),
    sent === undefined ? undefined : shown(sent, ref),
    all.slice(at).map(own).find(isKnown),
  ] as const;
  if (versions[0] !== undefined && versions[0] === versions[1]) return true;
  const [had, was, has] = versions.map(counted);
  return had !== undefined && was !== undefined && has === was + 1 && has !== had + 1;
}

/** Whether a step made the target of another one, or was sent to it. */
function isOf({ target = {} }: Step, { id, target: own }: Step): boolean {
  return (
    Object.values(target).some((ref) => 'step' in ref && ref.step === id) ||
    JSON.stringify(own ?? {}) === JSON.stringify(target)
  );
}

export function shown({ exchange: { answer } }: Seen, place: VersionPlace): string | undefined {
  if (answer === undefined || !isAccepted(answer)) return undefined;
  return 'header' in place
    ? headerValues(answer.headers, place.header)[0]
    : idText(valueAt(exactJsonOf(answer), place.at));
}

/** A version that is a number, or an entity tag of one. */
function counted(version: string | undefined): number | undefined {
  const digits = /^(?:W\/)?"?v?(\d{1,15})"?$/.exec(version ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function isKnown(version: string | undefined): version is string {
  return version !== undefined;
}

import { type Contract, operationOf } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Ref } from '../model/ref.ts';
import { isAccepted } from '../model/response.ts';
import type { Step } from '../model/scenario.ts';
import { resolve } from './resolve.ts';

/** A read that still shows a version that was used up is behind (G15): who takes the record over would send an old one. With the time of each. */
export type UsedVersions = Map<string, number>;

export function noteUsed(
  used: UsedVersions,
  contract: Contract,
  { operation, version }: Step,
  { answer }: Exchange,
  exchanges: readonly Exchange[],
  now: number,
): void {
  if (version?.use !== 'of' || !('step' in version.ref) || !isAccepted(answer)) return;
  if (operationOf(contract, operation).version?.neutral === true) return;
  const { ref } = version;
  const read = exchanges.findLast(({ step }) => 'step' in ref && step === ref.step);
  const value = resolve({ exchanges, hooks: {} }, ref);
  if (read !== undefined && value !== undefined) used.set(named(read, value), now);
}

/** The used-up version that a read shows, and since when it is; undefined where it shows another one, or none. */
export function staleIn(
  used: UsedVersions,
  contract: Contract,
  read: Exchange,
): { readonly name: string; readonly since: number } | undefined {
  for (const { version } of contract.operations) {
    if (version === undefined || version.neutral || version.source.operation !== read.operation) continue;
    const { source } = version;
    const ref: Ref =
      source.in === 'body' ? { step: read.step, at: source.at } : { step: read.step, header: source.name };
    const value = resolve({ exchanges: [read], hooks: {} }, ref);
    const name = value === undefined ? undefined : named(read, value);
    const since = name === undefined ? undefined : used.get(name);
    if (name !== undefined && since !== undefined) return { name, since };
  }
  return undefined;
}

function named({ request }: Exchange, version: string): string {
  return `${request.path} ${version}`;
}

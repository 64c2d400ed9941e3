import type { Carrier } from '../model/contract.ts';
import { type Json, valueAt } from '../model/json.ts';
import { problem } from './answer.ts';
import type { Call, VersionDecisions } from './behaviour.ts';
import { bodyValue } from './body.ts';
import { headerValues, type Refusal } from './message.ts';
import { isStanding, standingId } from './standing.ts';

export const versionDecisions: VersionDecisions = {
  firstVersion: () => '1',
  advanceVersion: (_call, version) => String(Number(version) + 1),
  checkVersion: (_call, record, sent) => {
    if (sent === undefined || sent === '') return 'absent';
    return sent === record.version ? undefined : 'stale';
  },
  refuseVersion: (call, record, fault) => {
    if (fault === 'stale') {
      return problem(409, 'The target has another version. Read it and reconcile.', {
        members: { conflict: 'version', currentVersion: record.version },
      });
    }
    const carrier = call.operation.version?.carrier;
    return problem(422, 'The current version of the target is required.', {
      findings: [
        carrier?.in === 'body'
          ? { in: 'body', at: carrier.at, keyword: 'required', message: 'is required' }
          : { in: 'header', at: carrier?.name ?? '', keyword: 'required', message: 'is required' },
      ],
    });
  },
  lockOn: (call) => {
    if (call.operation.kind === 'read') return undefined;
    const { verification } = call.operation;
    const [field] = call.service.handling.get(call.operation.id)?.recordFields.slice(-1) ?? [];
    if (field !== undefined) return `record ${call.pathValues[field.name]}`;
    const { chosen } = call.service.handling.get(call.operation.id) ?? {};
    if (chosen !== undefined) return `record ${call.pathValues[chosen]}`;
    if (isStanding(call)) return `record ${standingId(call)}`;
    return verification === undefined ? undefined : `verification ${carried(call, verification.carrier)}`;
  },
  checkConflict: (call, record) =>
    call.operation.conflict !== undefined && record.applied.has(call.operation.conflict.after),
  refuseConflict: (call) =>
    problem(409, `The target is in a state in which it takes no ${call.operation.id}.`, {
      members: { conflict: 'state' },
    }),
};

/** The value of a carrier as text: a header's one line, or a member of the body. Several lines are joined and match nothing. */
export function carried(call: Call, carrier: Carrier): string | undefined {
  if (carrier.in === 'header') {
    const lines = headerValues(call.request, carrier.name);
    return lines.length === 0 ? undefined : lines.join(', ');
  }
  const value: Json | undefined = valueAt(bodyValue(call), carrier.at);
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}

export async function takeTurn(call: Call): Promise<undefined> {
  const name = call.service.behaviour.lockOn(call);
  if (name !== undefined) call.releases.push(await call.service.locks.acquire(name));
}

/** Phase: 409 for a stale version, 422 for none. */
export function checkTargetVersion(call: Call): Refusal | undefined {
  const { checkVersion, refuseVersion } = call.service.behaviour;
  const { operation, target } = call;
  if (operation.version === undefined || target === undefined) return undefined;
  const sent = carried(call, operation.version.carrier);
  const fault = checkVersion(call, target, unquoted(sent));
  return fault === undefined ? undefined : refuseVersion(call, target, fault);
}

/** Phase: 409 where the target's state forbids the command. */
export function checkState(call: Call): Refusal | undefined {
  const { checkConflict, refuseConflict } = call.service.behaviour;
  if (call.target === undefined || !checkConflict(call, call.target)) return undefined;
  return refuseConflict(call, call.target);
}

/** An entity tag without its quotes (RFC 9110 8.8.3); weak tags match nothing, as in If-Match. */
function unquoted(tag: string | undefined): string | undefined {
  return tag === undefined ? undefined : (/^"(.*)"$/.exec(tag)?.[1] ?? tag);
}

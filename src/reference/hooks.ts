import { isObject, type Json, type JsonObject } from '../model/json.ts';
import type { ReferencePrincipal, Service } from './behaviour.ts';
import type { Injection } from './injections.ts';
import { randomHex } from './service.ts';
import { issueVerification } from './verification.ts';

/** Where the hooks stand, outside the contract: `POST /__reference/slow`. */
export const hooksPath = '/__reference/';

export type HookOutcome =
  | { readonly output: JsonObject }
  | { readonly status: number; readonly error: string };

/**
 * Causes what requests cannot. Each hook takes a JSON object and gives one; members marked `?` may be left out.
 *
 * | hook | input | output |
 * |---|---|---|
 * | slow | `{ key?, operation?, milliseconds? }`: the next command that fits waits before its commit (500 ms) | `{}` |
 * | failBeforeCommit, failAfterCommit | `{ key?, operation? }`: the next command that fits gets 500 | `{}` |
 * | revoke | `{ principal, permission? }`: withdraws the permission, those separated by commas, or all of them | `{}` |
 * | restore | `{ principal, permission? }`: gives back what was withdrawn | `{}` |
 * | refresh | `{ identity }` or `{ principal }`: a second token of the same caller | `{ token }` |
 * | verify | `{ principal, operation, target?, kind? }`, kind being valid, expired, foreign or other-command | `{ verification }` |
 *
 * @returns status 404 for a hook that there is not, 422 for an input that does not fit
 */
export function runHook(service: Service, name: string, input: Json | undefined): HookOutcome {
  if (input !== undefined && !isObject(input))
    return { status: 422, error: 'the input must be a JSON object' };
  const hook = Object.hasOwn(hooks, name) ? hooks[name] : undefined;
  if (hook === undefined) {
    return { status: 404, error: `there is no hook '${name}'; there are ${Object.keys(hooks).join(', ')}` };
  }
  return hook(service, input ?? {});
}

const hooks: Readonly<Record<string, (service: Service, input: JsonObject) => HookOutcome>> = {
  slow: (service, input) => inject(service, 'slow', input),
  failBeforeCommit: (service, input) => inject(service, 'fail-before-commit', input),
  failAfterCommit: (service, input) => inject(service, 'fail-after-commit', input),
  revoke: (service, input) =>
    forPrincipal(service, input, ({ name, permissions }) => {
      const withdrawn = service.withdrawn.get(name) ?? [];
      service.withdrawn.set(name, new Set([...withdrawn, ...(permissionsIn(input) ?? permissions)]));
      return {};
    }),
  restore: (service, input) =>
    forPrincipal(service, input, ({ name }) => {
      const given = permissionsIn(input);
      if (given === undefined) service.withdrawn.delete(name);
      for (const permission of given ?? []) service.withdrawn.get(name)?.delete(permission);
      return {};
    }),
  refresh: (service, input) =>
    forPrincipal(service, input, (principal) => {
      const token = `Refreshed-Token-${randomHex(service, 12)}`;
      service.principals.set(token, { ...principal, token });
      return { token };
    }),
  verify: (service, input) => {
    const operation = textAt(input, 'operation');
    if (operation === undefined) return { status: 422, error: "the input needs 'operation'" };
    const kind = textAt(input, 'kind') ?? 'valid';
    if (!kinds.includes(kind)) return { status: 422, error: `'kind' is one of ${kinds.join(', ')}` };
    const target = textAt(input, 'target');
    const now = service.clock.monotonic();
    return forPrincipal(service, input, ({ identity }) => ({
      verification: issueVerification(service, {
        identity: kind === 'foreign' ? `another than ${identity}` : identity,
        operation: kind === 'other-command' ? `another than ${operation}` : operation,
        target: target === '' ? undefined : target,
        expiresAt: kind === 'expired' ? now : now + service.settings.verificationTtlMs,
      }),
    }));
  },
};

const kinds = ['valid', 'expired', 'foreign', 'other-command'];

function inject(service: Service, what: Injection['what'], input: JsonObject): HookOutcome {
  const { milliseconds } = input;
  service.injections.add({
    what,
    key: textAt(input, 'key'),
    operation: textAt(input, 'operation'),
    milliseconds: typeof milliseconds === 'number' ? milliseconds : 500,
  });
  return { output: {} };
}

/** The principal that `principal` names, or the first valid one that `identity` does. */
function forPrincipal(
  service: Service,
  input: JsonObject,
  run: (principal: ReferencePrincipal) => JsonObject,
): HookOutcome {
  const name = textAt(input, 'principal');
  const identity = textAt(input, 'identity');
  const found = [...service.principals.values()].find((one) =>
    name === undefined ? one.identity === identity && one.state === 'valid' : one.name === name,
  );
  if (found === undefined) return { status: 422, error: `there is no principal '${name ?? identity ?? ''}'` };
  return { output: run(found) };
}

/** Those of an operation that needs several, separated by commas. */
function permissionsIn(input: JsonObject): readonly string[] | undefined {
  return textAt(input, 'permission')?.split(',');
}

function textAt(input: JsonObject, name: string): string | undefined {
  const value = input[name];
  return typeof value === 'string' ? value : undefined;
}

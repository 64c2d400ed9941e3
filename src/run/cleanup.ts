import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { placeholder } from '../evidence/gate.ts';
import type { Contract, Operation } from '../model/contract.ts';
import { isPermitted, type Principal, type PrincipalName, scopeOf } from '../model/principal.ts';
import { isAccepted } from '../model/response.ts';
import { openWire } from '../wire/wire.ts';
import { machineClock } from './clock.ts';
import { type Created, filled, ownOf } from './created.ts';
import type { OpenTarget, Session } from './session.ts';
import { signedWire } from './signed-wire.ts';
import { wireTarget } from './transport.ts';

/** How a record can be deleted: by the vendor's command, or by a request of the contract. */
export type Deletion =
  | {
      readonly kind: 'command';
      readonly command: string;
      /** The folder of the configuration, where its commands run. */
      readonly folder: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'request';
      readonly operation: Operation;
      readonly path: string;
      readonly as: PrincipalName;
    }
  | { readonly kind: 'none'; readonly because: string };

/** How to delete a record, by the configuration or else by the contract. */
export function deletionOf(
  record: Created,
  command: { readonly text: string; readonly folder: string } | undefined,
  contract: Contract,
  principals: readonly Principal[],
): Deletion {
  if (command !== undefined)
    return {
      kind: 'command',
      command: command.text,
      folder: command.folder,
      env: { ASSAY_OPERATION: record.operation, ASSAY_ID: record.id, ASSAY_PATH: record.read ?? '' },
    };
  const own = ownOf(principals, record.principal);
  const operation = contract.operations.find(
    (one) =>
      one.method === 'DELETE' &&
      (filled(one, record.id, own) === record.read ||
        one.pathFields.some(
          ({ source }) =>
            source !== undefined && 'operation' in source && source.operation === record.operation,
        )),
  );
  const path = operation === undefined ? undefined : filled(operation, record.id, own);
  if (operation === undefined || path === undefined)
    return { kind: 'none', because: 'the contract has no DELETE for it; set target.cleanup' };
  if (operation.version !== undefined || operation.verification !== undefined)
    return {
      kind: 'none',
      because: `${operation.id} needs ${operation.version === undefined ? 'a stronger verification' : 'the current version'}; set target.cleanup`,
    };
  const scope = scopeOf(principals, record.principal);
  const able = principals.find(
    (one) => one.state === 'valid' && one.scope === scope && isPermitted(one, operation),
  );
  return able === undefined
    ? {
        kind: 'none',
        because: `no valid principal of its scope holds ${(operation.permissions ?? []).join(' and ')}; set target.cleanup`,
      }
    : { kind: 'request', operation, path, as: able.name };
}

/** The deletion as a command for a POSIX shell. */
export function deletionText(deletion: Deletion, baseUrl: string): string {
  if (deletion.kind === 'none') return `# ${deletion.because}`;
  if (deletion.kind === 'command')
    return `(cd ${quoted(deletion.folder)} && ${Object.entries(deletion.env)
      .map(([name, value]) => `${name}=${quoted(value)}`)
      .join(' ')} sh -c ${quoted(deletion.command)})`;
  return [
    'curl -fsS -X DELETE',
    quoted(`${baseUrl}${deletion.path}`),
    `-H "Authorization: Bearer $${placeholder(deletion.as)}"`,
    ...(deletion.operation.kind === 'command'
      ? ['-H "Idempotency-Key: $(uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid)"']
      : []),
  ].join(' ');
}

/** A word for a POSIX shell: what a target returned is never read as anything else. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export type Deleted = { readonly ok: boolean; readonly detail: string };

/** Deletes records, one after the other. What is gone already counts as deleted. */
export async function* deleteAll(
  deletions: readonly Deletion[],
  {
    session: { config, contract },
    target,
    tokens,
    signal,
  }: {
    readonly session: Session;
    readonly target: OpenTarget;
    readonly tokens: ReadonlyMap<PrincipalName, string>;
    readonly signal: AbortSignal;
  },
): AsyncIterable<Deleted> {
  const url = new URL(target.baseUrl);
  const wire = signedWire(
    openWire(wireTarget(config, target.transport, url.origin), machineClock),
    target.signer,
    {
      origin: url.origin,
      contract,
      clock: machineClock,
      // Nothing of a response is kept or printed.
      gate: { add: () => undefined },
      signal,
      onBroken: () => undefined,
    },
  );
  try {
    for (const deletion of deletions) {
      if (signal.aborted) return;
      if (deletion.kind === 'none') yield { ok: false, detail: deletion.because };
      else if (deletion.kind === 'command') yield await runCommand(deletion, signal);
      else {
        const { answer, noAnswer } = await wire.send(
          {
            method: 'DELETE',
            path: `${url.pathname.replace(/\/$/, '')}${deletion.path}`,
            headers: [
              ...Object.entries(config.target.headers),
              ...Object.entries(config.principalHeaders.get(deletion.as) ?? {}),
              ['Authorization', `Bearer ${tokens.get(deletion.as) ?? ''}`],
              ['Idempotency-Key', randomUUID()],
              ['Accept', '*/*'],
            ],
            body: undefined,
            transport: 'pooled',
          },
          signal,
        );
        const broken = wire.broken();
        if (broken !== undefined) throw broken;
        const status = answer?.status ?? 0;
        yield {
          ok: isAccepted(answer) || status === 404 || status === 410,
          detail: answer === undefined ? (noAnswer?.reason ?? 'no response') : `HTTP ${status}`,
        };
      }
    }
  } finally {
    await wire.close();
  }
}

function runCommand(
  { command, env, folder }: Extract<Deletion, { readonly kind: 'command' }>,
  signal: AbortSignal,
): Promise<Deleted> {
  return new Promise((resolve) => {
    execFile(
      '/bin/sh',
      ['-c', command],
      { cwd: folder, env: { ...process.env, ...env }, timeout: 60_000, signal },
      (error) =>
        resolve(
          error === null
            ? { ok: true, detail: 'exit 0' }
            : { ok: false, detail: `the command failed (${error.code ?? 'killed'})` },
        ),
    );
  });
}

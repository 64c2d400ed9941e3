import type { Contract } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Shape } from './document.ts';

/** For any contract `contract.yaml`: holders of all permissions, of exactly those of each operation, and of none. */
export function configurationFor(contract: Contract, operations: Shape['operations'] = {}): string {
  const all = [...new Set(contract.operations.flatMap((operation) => operation.permissions ?? []))];
  const sets = new Map(
    contract.operations.flatMap(({ permissions }) =>
      permissions === undefined ? [] : [[permissions.join(' '), permissions] as const],
    ),
  );
  const principals: Record<string, JsonObject> = {};
  const add = (name: string, permissions: readonly string[], more: JsonObject = {}): void => {
    const start = `Shape-Token-${name}-${String(Object.keys(principals).length).padStart(4, '0')}`;
    // Of any other length a cut token may be one that decodes to the same bytes, and is cut by two characters.
    const value = start.padEnd(Math.ceil(start.length / 4) * 4, '0');
    principals[name] = { token: { value }, permissions, scope: 'tenant-a', ...more };
  };
  add('full', all);
  add('renewed', all, { identity: 'full' });
  add('peer', all);
  add('elsewhere', all, { scope: 'tenant-b' });
  for (const [index, permissions] of [...sets.values()].entries()) add(`exact-${index}`, permissions);
  add('nobody', []);
  add('stranger', ['reports.print']);
  // A service that compares permissions carelessly takes one of these for the right one.
  const near: Readonly<Record<string, (name: string) => string>> = {
    near: (name) => name.toUpperCase(),
    shorter: (name) => name.slice(0, Math.ceil(name.length / 2)),
    longer: (name) => `${name}d`,
    wildcard: (name) => `${name.slice(0, Math.ceil(name.length / 2))}*`,
  };
  for (const [name, changed] of Object.entries(near))
    add(
      name,
      [...new Set(all.map(changed))].filter((other) => !all.includes(other)),
    );
  add('old', all, { state: 'expired' });
  add('withdrawn', all, { state: 'revoked' });
  add('hasty', all, { use: 'throttling' });
  const hooks = ['slow', 'failBeforeCommit', 'failAfterCommit', 'revoke', 'restore', 'verify', 'refresh'];
  return JSON.stringify(
    {
      // Many runs share a machine: a slow response is no silence.
      target: {
        baseUrl: 'reference',
        environment: 'test',
        exclusive: true,
        timeoutMs: 30_000,
        returnSeconds: 120,
      },
      contract: './contract.yaml',
      principals,
      ...(Object.keys(operations).length === 0 ? {} : { operations }),
      hooks: Object.fromEntries(hooks.map((name) => [name, { http: { url: `reference:/${name}` } }])),
      declares: { G15: { seconds: 0.3 } },
      output: './reports',
    },
    null,
    1,
  );
}

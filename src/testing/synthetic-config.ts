import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseContract } from '../contract/load.ts';
import { syntheticCatalogue } from './synthetic.ts';

/** Writes a contract of `count` invented operations, and a configuration with every kind of principal and hook. */
export async function syntheticConfig(folder: string, count: number, declares: string): Promise<string> {
  const text = syntheticCatalogue(count);
  const contract = await parseContract(text, 'synthetic.json');
  const permissions = [...new Set(contract.operations.flatMap((operation) => operation.permissions ?? []))];
  const all = JSON.stringify(permissions);
  const principals = Object.entries({
    full: { permissions: all, scope: 'a' },
    renewed: { permissions: all, scope: 'a', identity: 'full' },
    peer: { permissions: all, scope: 'a' },
    elsewhere: { permissions: all, scope: 'b' },
    nobody: { permissions: '[]', scope: 'a' },
    near: { permissions: JSON.stringify(permissions.map((name) => name.toUpperCase())), scope: 'a' },
    other: { permissions: '[something.else]', scope: 'a' },
    old: { permissions: all, scope: 'a', state: 'expired' },
    withdrawn: { permissions: all, scope: 'a', state: 'revoked' },
    hasty: { permissions: all, scope: 'a', use: 'throttling' },
  }).map(
    ([name, { permissions: held, ...rest }], index) =>
      `  ${name}: { token: { value: Synthetic-Token-${String(index).padStart(4, '0')} }, permissions: ${held}, ${Object.entries(
        rest,
      )
        .map(([key, value]) => `${key}: ${value}`)
        .join(', ')} }`,
  );
  await writeFile(join(folder, 'synthetic.json'), text);
  const file = join(folder, 'assay.yaml');
  await writeFile(
    file,
    [
      'target: { baseUrl: reference, environment: test, exclusive: true }',
      'contract: ./synthetic.json',
      'principals:',
      ...principals,
      'hooks:',
      ...['slow', 'failBeforeCommit', 'failAfterCommit', 'revoke', 'restore', 'verify', 'refresh'].map(
        (name) => `  ${name}: { http: { url: "reference:/${name}" } }`,
      ),
      `declares: ${declares}`,
      'concurrency: 32',
      `output: ${join(folder, 'reports')}`,
    ].join('\n'),
  );
  return file;
}

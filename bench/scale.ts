import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { clauses } from '../src/clauses/catalogue.ts';
import { run } from '../src/cli/run.ts';
import { parseContract } from '../src/contract/load.ts';
import { syntheticCatalogue } from '../src/contract/synthetic.ts';

/**
 * A run against as many synthetic operations as the full contract governs, with the quick budget: it must end within
 * its limits, and its matrix must have a verdict for every clause on every operation.
 */
const count = Number(process.argv[2] ?? 293);
const folder = await mkdtemp(join(tmpdir(), 'assay-scale-'));
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
await writeFile(
  join(folder, 'assay.yaml'),
  [
    'target: { baseUrl: reference, environment: test, exclusive: true }',
    'contract: ./synthetic.json',
    'principals:',
    ...principals,
    'hooks:',
    ...['slow', 'failBeforeCommit', 'failAfterCommit', 'revoke', 'restore', 'verify', 'refresh'].map(
      (name) => `  ${name}: { http: { url: "reference:/${name}" } }`,
    ),
    'declares: { G15: { seconds: 0.2 } }',
    'concurrency: 32',
    `output: ${join(folder, 'reports')}`,
  ].join('\n'),
);
const start = performance.now();
const { exitCode, report } = await run(
  join(folder, 'assay.yaml'),
  {
    overrides: { budget: 'quick', seed: 1 },
    suites: undefined,
    operations: undefined,
    quiet: true,
    reference: { change: {}, settings: { rateLimit: 100_000 } },
  },
  {
    out: () => undefined,
    err: (said) => void process.stderr.write(said),
    live: false,
    columns: 100,
    colours: pc.createColors(false),
  },
  new AbortController().signal,
);
const cells = report?.cells.length ?? 0;
console.log(`${count} synthetic operations: exit ${exitCode}, ${report?.verdict.outcome ?? 'no report'}`);
console.log(
  `${report?.run.exchanges ?? 0} requests in ${((performance.now() - start) / 1000).toFixed(0)} s, ended: ${report?.run.ended ?? '-'}, peak ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
);
console.log(`matrix: ${cells} of ${clauses.length * count} cells; ${JSON.stringify(report?.counts)}`);
await rm(folder, { recursive: true, force: true });
process.exitCode = cells === clauses.length * count && report?.run.ended === 'complete' ? 0 : 1;

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { isRecord } from './compare.ts';
import type { Service } from './services.ts';

export type AssayResult = {
  readonly exitCode: number;
  readonly findings: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly seconds: number;
  readonly folder: string;
};

/** Runs the command line of this build against a service, as a vendor would, and reads its report. */
export async function assay(
  service: Service,
  more: {
    readonly contract: string;
    readonly product: string;
    readonly declares: Readonly<Record<string, unknown>>;
    readonly seed: number;
    readonly budget: string;
    readonly folder: string;
  },
): Promise<AssayResult> {
  const output = join(more.folder, 'reports');
  const file = join(more.folder, 'assay.yaml');
  writeFileSync(file, stringify(configuration(service, { ...more, output })));
  const args = ['run', '--quiet', '--config', file, '--seed', String(more.seed), '--budget', more.budget];
  const { code, said } = await ran(program(), args);
  writeFileSync(join(more.folder, 'assay.txt'), said);
  const run = code === 2 ? undefined : readdirSync(output).find((name) => /^\d{4}-/.test(name));
  if (run === undefined) throw new Error(`assay ended with exit code ${code}:\n${said.trim().slice(-2000)}`);
  const verified = await ran(program(), ['verify', join(output, run)]);
  if (verified.code !== 0) throw new Error(`assay does not verify its own run:\n${verified.said.trim()}`);
  const report: unknown = JSON.parse(readFileSync(join(output, run, 'report.json'), 'utf8'));
  return { ...summary(report), exitCode: code, folder: join(output, run) };
}

function configuration(
  { origin, callers }: Service,
  {
    contract,
    product,
    declares,
    output,
  }: {
    readonly contract: string;
    readonly product: string;
    readonly declares: Readonly<Record<string, unknown>>;
    readonly output: string;
  },
): unknown {
  return {
    target: { baseUrl: origin, environment: 'test', exclusive: true, product },
    contract,
    principals: Object.fromEntries(
      callers.map(({ name, token, caller, tenant, permissions, state, use }) => [
        name,
        {
          token: { value: token },
          permissions,
          scope: tenant,
          ...(caller === name ? {} : { identity: caller }),
          ...(state === 'valid' ? {} : { state }),
          ...(use === undefined ? {} : { use }),
        },
      ]),
    ),
    declares,
    output,
  };
}

/** The command line that was compiled together with this module. */
function program(): string {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
  const bin = isRecord(manifest) && isRecord(manifest['bin']) ? manifest['bin']['assay'] : undefined;
  return join(root, String(bin).replace(/^(\.\/)?dist\//, ''));
}

function ran(
  script: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 2, said }));
  });
}

function summary(report: unknown): Pick<AssayResult, 'findings' | 'counts' | 'requests' | 'seconds'> {
  if (!isRecord(report) || !isRecord(report['run']) || !isRecord(report['counts']))
    throw new Error('the report has another form than expected');
  const levels = new Map(
    records(report['clauses']).map((clause) => [String(clause['code']), String(clause['level'])]),
  );
  const findings = records(report['cells'])
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'unstable')
    .filter(({ clause }) => levels.get(String(clause)) !== 'advisory')
    .map(({ clause, operation }) => `${String(clause)}/${String(operation)}`);
  return {
    findings: [...new Set(findings)],
    counts: Object.fromEntries(
      Object.entries(report['counts']).map(([verdict, count]) => [verdict, Number(count)]),
    ),
    requests: Number(report['run']['exchanges']),
    seconds: Number(report['run']['elapsedMs']) / 1000,
  };
}

function records(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

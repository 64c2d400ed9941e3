import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { isRecord, records } from './compare.ts';
import type { Service } from './services.ts';

export type AssayResult = {
  readonly findings: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly seconds: number;
  readonly folder: string;
};

type Task = {
  readonly contract: string;
  readonly product: string;
  readonly declares: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly budget: string;
  readonly folder: string;
};

/** Runs the command line of this build against a service, as a vendor would, and reads its report. */
export function assay(service: Service, task: Task): AssayResult {
  const { budget, folder, seed } = task;
  const output = join(folder, 'reports');
  const file = join(folder, 'assay.yaml');
  writeFileSync(file, stringify(configuration(service, task, output)));
  const args = ['run', '--quiet', '--config', file, '--seed', String(seed), '--budget', budget];
  const { code, said } = ran(args);
  writeFileSync(join(folder, 'assay.txt'), said);
  const run = code === 2 ? undefined : readdirSync(output).find((name) => /^\d{4}-/.test(name));
  if (run === undefined) throw new Error(`assay ended with exit code ${code}:\n${said.trim().slice(-2000)}`);
  const verified = ran(['verify', join(output, run)]);
  if (verified.code !== 0) throw new Error(`assay does not verify its own run:\n${verified.said.trim()}`);
  const report: unknown = JSON.parse(readFileSync(join(output, run, 'report.json'), 'utf8'));
  return { ...summary(report), folder: join(output, run) };
}

function configuration({ origin, callers }: Service, task: Task, output: string): unknown {
  const { contract, declares, product } = task;
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
export function program(): string {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
  const bin = isRecord(manifest) && isRecord(manifest['bin']) ? manifest['bin']['assay'] : undefined;
  return join(root, String(bin).replace(/^(\.\/)?dist\//, ''));
}

function ran(args: readonly string[]): { readonly code: number; readonly said: string } {
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  const { status, stderr, stdout } = spawnSync(process.execPath, [program(), ...args], options);
  return { code: status ?? 2, said: stdout + stderr };
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

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { list, record, records } from '../compare.ts';
import { measured } from './measured.ts';

/** A service to try, and what the tools are given for it. */
export type PeerTarget = {
  readonly url: string;
  readonly operations: readonly string[];
  readonly declares: Readonly<Record<string, unknown>>;
  readonly seed: number;
  /** An empty folder for what a tool writes. */
  readonly folder: string;
};

export type Result = {
  readonly found: readonly string[];
  /** What of it says that the service is wrong: all but advice. */
  readonly accusations: readonly string[];
  readonly requests: number;
  readonly cpuSeconds: number;
};

export type Given = {
  readonly cache: string;
  readonly assay: string;
  readonly configuration: Readonly<Record<string, unknown>>;
  /** The contract document, with the statuses added that any HTTP service may give. */
  readonly document: string;
  readonly tokens: Readonly<Record<string, string>>;
};

export type Tool = {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly run: (given: Given, target: PeerTarget) => Promise<Result>;
};

const assay: Tool = {
  name: 'Assay, quick',
  inputs: [
    'the contract document of the extended catalogue, with its `x-governed`',
    'the tokens of its configuration: 38 principals, each with permissions, scope and state',
    'no hooks: they need the embedded service',
  ],
  run: async ({ assay: program, configuration }, { url, operations, declares, seed, folder }) => {
    const file = join(folder, 'assay.yaml');
    const { hooks: _hooks, ...rest } = configuration;
    const own = {
      ...rest,
      contract: resolve('fixtures/contracts/extended-catalogue.yaml'),
      target: { ...record(rest['target']), baseUrl: url },
      declares: { ...record(rest['declares']), ...declares },
      output: join(folder, 'reports'),
    };
    writeFileSync(file, stringify(own));
    const { output, code, cpuSeconds } = await measured(
      process.execPath,
      [
        ...[program, 'run', '--quiet', '--config', file, '--budget', 'quick', '--seed', String(seed)],
        ...operations.flatMap((id) => ['--operation', id]),
      ],
      folder,
    );
    if (code === 2) throw new Error(output.trim().slice(-500));
    const run = readdirSync(join(folder, 'reports')).find((name) => /^\d{4}-/.test(name)) ?? '';
    const report = record(JSON.parse(readFileSync(join(folder, 'reports', run, 'report.json'), 'utf8')));
    const accusations = records(report['violations']).map(({ id }) => String(id));
    return {
      found: [...accusations, ...records(report['advisories']).map(({ id }) => String(id))],
      accusations,
      requests: Number(record(report['run'])['exchanges']),
      cpuSeconds,
    };
  },
};

const schemathesis: Tool = {
  name: 'Schemathesis 4.32.5',
  inputs: [
    'the contract document without approveCase, with 400, 404, 405 and 415 added to each operation',
    'two tokens with every permission, of two scopes (`--auth-wfc`)',
    '`--checks all --max-examples 100 --continue-on-failure --no-shrink --rate-limit auto`, all its phases',
  ],
  run: async ({ cache, document, tokens }, { url, operations, seed, folder }) => {
    const auth = join(folder, 'auth.yaml');
    const users = ['full', 'elsewhere'].map((name) => ({
      name,
      fixedHeaders: [{ name: 'Authorization', value: `Bearer ${tokens[name]}` }],
    }));
    writeFileSync(auth, stringify({ auth: users }));
    const report = join(folder, 'schemathesis.json');
    const { output, cpuSeconds } = await measured(
      join(cache, 'schemathesis/bin/schemathesis'),
      [
        ...['run', document, '--url', url, '--auth-wfc', auth, '--auth-wfc-user', 'full', '--checks', 'all'],
        ...['--max-examples', '100', '--seed', String(seed), '--continue-on-failure', '--no-shrink'],
        ...['--rate-limit', 'auto', '--warnings', 'off', '--report', 'json', '--report-json-path', report],
        ...operations.flatMap((id) => ['--include-operation-id', id]),
      ],
      folder,
    );
    const made = readJson(report, output);
    const found = records(made['failures']).flatMap((failure) =>
      list(failure['operations']).map((operation) => `${String(failure['title'])}: ${String(operation)}`),
    );
    return {
      found,
      accusations: found,
      requests: Number(record(made['test_cases'])['generated']),
      cpuSeconds,
    };
  },
};

const portman: Tool = {
  name: 'Portman 1.33.0',
  inputs: [
    'the contract document without approveCase, with 400, 404, 405 and 415 added to each operation',
    'a token with every permission and one with none',
    '`interop/peers/portman.json`: its contract tests, its variations for 401, 403 and 422, and where ids, keys and versions come from',
  ],
  run: async ({ cache, document, tokens }, { url, folder }) => {
    const bin = join(cache, 'portman/node_modules/.bin');
    const collection = join(folder, 'collection.json');
    const env = {
      PORTMAN_BEARER_TOKEN: tokens['full'] ?? '',
      PORTMAN_POWERLESS_TOKEN: tokens['nobody'] ?? '',
    };
    writeFileSync(
      join(folder, '.env'),
      Object.entries(env)
        .map((pair) => pair.join('='))
        .join('\n'),
    );
    const made = await measured(
      join(bin, 'portman'),
      [
        ...['--local', document, '--baseUrl', url, '--output', collection, '--envFile', '.env'],
        ...['--portmanConfigFile', resolve('interop/peers/portman.json')],
      ],
      folder,
    );
    const report = join(folder, 'newman.json');
    const ran = await measured(
      join(bin, 'newman'),
      [
        ...['run', collection, '--reporters', 'json', '--reporter-json-export', report],
        ...['--delay-request', '10'],
      ],
      folder,
    );
    const run = record(readJson(report, made.output + ran.output)['run']);
    const found = records(run['failures']).map(
      (failure) =>
        `${String(record(failure['source'])['name'])}: ${String(record(failure['error'])['test'])}`,
    );
    return {
      found,
      accusations: found,
      requests: Number(record(record(run['stats'])['requests'])['total']),
      cpuSeconds: made.cpuSeconds + ran.cpuSeconds,
    };
  },
};

export const tools: readonly Tool[] = [assay, schemathesis, portman];

function readJson(file: string, output: string): Record<string, unknown> {
  try {
    return record(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new Error(`nothing readable in ${file}:\n${output.trim().slice(-500)}`);
  }
}

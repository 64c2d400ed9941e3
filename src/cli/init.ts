import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { loadContract } from '../contract/load.ts';
import { openGate } from '../evidence/gate.ts';
import type { Contract } from '../model/contract.ts';
import { trouble } from '../model/input-error.ts';
import { packageRoot } from '../run/place.ts';
import { openSession } from '../run/session.ts';
import { writeOwnFile } from '../run/write-file.ts';
import { targetChecks } from './init-checks.ts';
import { suggestionsOf } from './proposals.ts';
import type { Output } from './terminal/output.ts';

export type InitFlags = {
  readonly baseUrl?: string | undefined;
  /** OpenAPI document; the contract of POST /cases is copied where none is given. */
  readonly contract?: string | undefined;
  readonly output: string;
  readonly force?: boolean;
};

/** Asks for what is missing; undefined where nobody can be asked. */
export type Ask = ((question: string) => Promise<string>) | undefined;

/** Writes a configuration that runs as it is, with comments. @throws InputError */
export async function init(flags: InitFlags, output: Output, ask: Ask = askingOnTerminal()): Promise<number> {
  const baseUrl = flags.baseUrl ?? (await askedBaseUrl(ask));
  const folder = dirname(resolve(flags.output));
  const contract = flags.contract ?? (await copyContract(folder));
  const read = await loadContract(contract);
  const text = configText(baseUrl, relative(folder, resolve(contract)), read);
  await write(flags, text);
  // The next run must not be the first to find a mistake in it.
  const { config, contract: whole } = await openSession(flags.output, {});
  const suggestions = suggestionsOf(whole);
  output.out(
    [
      `${flags.output}: ${read.operations.length} ${read.operations.length === 1 ? 'operation' : 'operations'} of ${read.title} ${read.version}`,
      ...(read.leftOut ?? []).map(({ id, reasons }) => `left out: ${id}: ${reasons.join('; ')}`),
      ...unnamedPermissions(read),
      ...(await targetChecks(config, whole)),
      ...(suggestions.length === 0
        ? []
        : [
            '',
            'Suggested by the contract document; add to it what is correct (docs/contract.md):',
            ...suggestions.map(({ where, text: line }) => `  ${where}: ${line}`),
          ]),
      '',
      'Next:',
      '  export ASSAY_TOKEN_FULL=...    # the token of an integration that may call every operation',
      `  assay doctor --config ${flags.output}`,
      `  assay run --config ${flags.output} --budget quick`,
      '',
    ].join('\n'),
  );
  return 0;
}

async function askedBaseUrl(ask: Ask): Promise<string> {
  const given = ask === undefined ? '' : (await ask('Base URL of the target: ')).trim();
  if (given !== '') return given;
  throw trouble(
    '--base-url',
    'a value is needed',
    'give --base-url, such as `--base-url https://staging.example.com/api`',
  );
}

function askingOnTerminal(): Ask {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  return async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  };
}

async function copyContract(folder: string): Promise<string> {
  const source = join(packageRoot(), 'fixtures/contracts/governed-command-1.27.0.yaml');
  const copy = join(folder, basename(source));
  await writeOwnFile(copy, await readFile(source));
  return copy;
}

async function write({ output, force }: InitFlags, text: string): Promise<void> {
  const { access } = await import('node:fs/promises');
  const there = await access(output).then(
    () => true,
    () => false,
  );
  if (there && force !== true)
    throw trouble(
      output,
      'the file already exists',
      'choose another with --output, or replace it with --force',
    );
  await writeOwnFile(output, openGate([], '').document(text));
}

/** Most generators write a bearer token without roles, and then no test sees who may do what. */
function unnamedPermissions({ operations }: Contract): readonly string[] {
  const unnamed = operations.filter(({ permissions }) => permissions?.length === 0);
  const [first] = unnamed;
  if (first === undefined) return [];
  const which =
    unnamed.length === operations.length
      ? 'no operation names its permission'
      : `${unnamed.length} of ${operations.length} operations, such as ${first.id}, name no permission`;
  return [
    `permissions: ${which}, so nothing tests who may do what; write it in the role list of the bearer token: security: [{ serverToken: [case.create] }]`,
  ];
}

/** The permission that most commands share, for the principal that has all but one. */
function permissionsOf({ operations }: Contract): readonly string[] {
  return [...new Set(operations.flatMap(({ permissions }) => permissions ?? []))].sort();
}

function yaml(text: string): string {
  return /^[A-Za-z][\w./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}

function configText(baseUrl: string, contract: string, read: Contract): string {
  const permissions = permissionsOf(read);
  const list = (names: readonly string[]): string => `[${names.map(yaml).join(', ')}]`;
  const hooks = read.operations.filter(({ verification }) => verification !== undefined);
  return `# Configuration of Assay for ${read.title.replaceAll(/[\r\n]/g, ' ')} ${read.version.replaceAll(/[\r\n]/g, ' ')}.
# \`assay doctor\` checks it, \`assay plan\` shows what it can test and what would test the rest.

target:
  baseUrl: ${JSON.stringify(baseUrl)}
  # test, staging or production. A run creates records; \`assay cleanup\` deletes them afterwards.
  environment: test
  # Named in the report; a certificate needs all three.
  # vendor: Example Ltd
  # product: Cases
  # version: "1.0"
  # approvedScope: order 2026-114, 14 operations
  # Headers that your gateway needs on every request.
  # headers: { X-Gateway: blue }

contract: ${JSON.stringify(contract.startsWith('.') ? contract : `./${contract}`)}

# Credentials issued to the harness. Tokens come from the environment, a file or a command. Assay writes them nowhere.
principals:
  # The one that a run cannot do without: it may call every operation.
  full:
    token: { env: ASSAY_TOKEN_FULL }
    permissions: ${list(permissions)}
    scope: tenant-a

  # Each of these tests more. Remove the # once you have the token.
  # nobody: { token: { env: ASSAY_TOKEN_NOBODY }, permissions: [], scope: tenant-a }
  # peer: { token: { env: ASSAY_TOKEN_PEER }, permissions: ${list(permissions)}, scope: tenant-a }
  # elsewhere: { token: { env: ASSAY_TOKEN_ELSEWHERE }, permissions: ${list(permissions)}, scope: tenant-b }
  # expired: { token: { env: ASSAY_TOKEN_EXPIRED }, permissions: ${list(permissions)}, state: expired }
  # throttled: { token: { env: ASSAY_TOKEN_THROTTLED }, permissions: ${list(permissions)}, scope: tenant-a, use: throttling }
${permissions.map((name) => `  # only-${name.replaceAll(/[^A-Za-z0-9]+/g, '-').toLowerCase()}: { token: { env: ASSAY_TOKEN_ONLY_${name.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()} }, permissions: ${list([name])}, scope: tenant-a }`).join('\n')}

# What your service chose where the specification leaves a point open; \`assay explain G1\` shows the readings.
# declares:
#   G1: replay
${hooks.length === 0 ? '' : `\n# ${hooks.map(({ id }) => id).join(', ')} need stronger verification: give the hook \`verify\`, see docs/hooks.md.\n`}
# Events on a test system that requests cannot cause; see docs/hooks.md.
# hooks:
#   slow: { http: { url: http://localhost:9000/test-hooks/slow } }
#   refresh: { command: ./refresh-token.sh }

budget: standard
# Named in the report.
# ranBy: release pipeline
output: ./reports
`;
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { optionsOf } from '../../bench/options.ts';
import { faults } from '../../src/reference/faults/catalogue.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { program } from '../assay.ts';
import { isRecord, record } from '../compare.ts';
import { page, type Trial } from './page.ts';
import { type Given, type PeerTarget, type Tool, tools } from './tools.ts';

/** The same seeded faults for Assay and other tools, and the service without a fault three times: docs/peers.md. */
const values = optionsOf('peers', {
  every: { type: 'string', default: '6' },
  jobs: { type: 'string', default: '2' },
  write: { type: 'string', default: 'docs/peers.md' },
});
const cache = resolve('node_modules/.cache/interop');
const extended = 'fixtures/contracts/extended.config.yaml';
mkdirSync(cache, { recursive: true });
installPeers();

const configuration = record(parse(readFileSync(extended, 'utf8')));
const given: Given = {
  cache,
  assay: program(),
  configuration,
  document: documentForPeers(),
  tokens: Object.fromEntries(
    Object.entries(record(configuration['principals'])).map(([name, principal]) => [
      name,
      String(record(record(principal)['token'])['value']),
    ]),
  ),
};

/** Nobody but the hook of Assay can obtain a stronger verification, so that faults of it alone are left out. */
const eligible = [...faults]
  .filter(({ operations }) => operations.some((id) => id !== 'approveCase'))
  .sort((a, b) => a.id.localeCompare(b.id));
const sample = eligible.filter((_, index) => index % Number(values.every) === 0);
const queue: { readonly tool: Tool; readonly fault: Fault | undefined; readonly seed: number }[] =
  tools.flatMap((tool) => [
    ...[1, 2, 3].map((seed) => ({ tool, fault: undefined, seed })),
    ...sample.map((fault) => ({ tool, fault, seed: 1 })),
  ]);
const trials: Trial[] = [];
let next = 0;
await Promise.all(
  Array.from({ length: Number(values.jobs) }, async () => {
    for (let job = queue[next]; job !== undefined; job = queue[next]) {
      next += 1;
      const trial = await attempt(job.tool, job.fault, job.seed);
      trials.push(trial);
      console.log(
        `${next} of ${queue.length}: ${trial.tool} at ${trial.fault ?? 'no fault'}: ${trial.problem ?? `${trial.found.length} findings, ${trial.requests} requests`}`,
      );
    }
  }),
);
writeFileSync(values.write, page(trials, sample, eligible.length, tools));
console.log(`written: ${values.write}`);

async function attempt(tool: Tool, fault: Fault | undefined, seed: number): Promise<Trial> {
  const folder = join(cache, 'peers', `${tool.name.replaceAll(/\W+/g, '-')}-${fault?.id ?? `none-${seed}`}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { child, url } = await served(fault);
  const target: PeerTarget = {
    url,
    operations: operationsFor(fault),
    declares: fault?.declares ?? {},
    seed,
    folder,
  };
  const base = { tool: tool.name, fault: fault?.id };
  try {
    return { ...base, ...(await tool.run(given, target)) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ...base, found: [], accusations: [], requests: 0, cpuSeconds: 0, problem };
  } finally {
    child.kill('SIGTERM');
  }
}

/** The operations at which a fault shows, with those that make and show a case; without a fault all. */
function operationsFor(fault: Fault | undefined): readonly string[] {
  const all = [
    'updateCase',
    'assignCase',
    'closeCase',
    'createContact',
    'listContacts',
    'getContact',
    'deleteContact',
  ];
  const also = ['createCase', 'getCase', 'listCases'];
  return [...new Set([...also, ...(fault?.operations ?? all).filter((id) => id !== 'approveCase')])];
}

/** The reference service in a process of its own, so that its seconds are not those of the tool. */
function served(fault: Fault | undefined): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const args = [given.assay, 'serve', '--port', '0', '--config', extended];
  const child = spawn(process.execPath, [...args, ...(fault === undefined ? [] : ['--fault', fault.id])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((done, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      if (url !== undefined) done({ child, url });
    });
    child.once('exit', () => reject(new Error(`the reference service ended:\n${said}`)));
  });
}

/** Without the operation that needs a verification; statuses of HTTP itself would else count as undocumented. */
function documentForPeers(): string {
  const document = record(parse(readFileSync('fixtures/contracts/extended-catalogue.yaml', 'utf8')));
  const { '/cases/{caseId}/approvals': _approvals, ...paths } = record(document['paths']);
  document['paths'] = paths;
  for (const item of Object.values(paths))
    for (const { responses } of Object.values(record(item)).map(record)) {
      if (!isRecord(responses)) continue;
      for (const response of Object.values(responses))
        delete record(record(response)['links'])['approveCase'];
      for (const status of ['400', '404', '405', '415']) responses[status] ??= { description: 'Refused.' };
    }
  const file = join(cache, 'catalogue-for-peers.yaml');
  writeFileSync(file, stringify(document, { aliasDuplicateObjects: false }));
  return file;
}

function installPeers(): void {
  const commands: readonly (readonly [string, string, readonly string[]])[] = [
    ['schemathesis/bin/python', 'python3', ['-m', 'venv', join(cache, 'schemathesis')]],
    [
      'schemathesis/bin/schemathesis',
      join(cache, 'schemathesis/bin/pip'),
      ['install', '--quiet', 'schemathesis==4.32.5'],
    ],
    [
      'portman/node_modules/.bin/portman',
      'npm',
      [
        'install',
        '--silent',
        '--no-audit',
        '--no-fund',
        '--prefix',
        join(cache, 'portman'),
        '@apideck/portman@1.33.0',
      ],
    ],
  ];
  for (const [made, program, args] of commands) {
    if (existsSync(join(cache, made))) continue;
    const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
    if (status !== 0) throw new Error(`${program} failed${error === undefined ? '' : `: ${error.message}`}`);
  }
}

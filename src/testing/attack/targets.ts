import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isArray, isObject, parseJson } from '../../model/json.ts';
import type { Report } from '../../report/report.ts';
import { inspect } from '../../run/inspect.ts';
import { startFaulty } from '../faulty-run.ts';
import { assayChild, terminalTroubles } from './child.ts';
import { requestName, startHostile, type Turn } from './hostile-server.ts';
import type { HostileTarget } from './target.ts';

export type Mode = 'all' | 'some';
const turns: Readonly<Record<Mode, Turn>> = {
  all: { after: 0, every: 1 },
  // Preflight passes first, so that the suites meet it.
  some: { after: 40, every: 4 },
};

export type Limits = { readonly maxSeconds: number; readonly suites: readonly string[] };

/** What a whole process may take beyond `--max-seconds` on a busy machine, start, judging and rendering included. */
const slackSeconds = 45;
/** What a run itself may take beyond them. */
const mostSecondsOver = 5;
const mostMegabytes = 300;

export type Played = {
  readonly target: HostileTarget;
  readonly mode: Mode;
  readonly code: number | undefined;
  readonly seconds: number;
  readonly megabytes: number;
  readonly accused: readonly string[];
  readonly problems: readonly string[];
};

/** Runs the harness against a hostile target, and looks at all that it left. */
export async function played(target: HostileTarget, mode: Mode, limits: Limits): Promise<Played> {
  const { config, canaries } = await canaryConfig(target.contract);
  const { reference } = await startFaulty({}, config);
  const server = await startHostile(target, turns[mode], reference.port);
  const output = await mkdtemp(join(tmpdir(), 'assay-hostile-'));
  try {
    const { code, seconds, megabytes, terminal } = await assayChild(
      [
        ...['run', '--config', config, '--base-url', `http://127.0.0.1:${server.port}`],
        ...['--budget', 'quick', '--seed', '5', '--max-seconds', String(limits.maxSeconds)],
        ...['--output', output, '--run-name', 'run'],
        ...(limits.suites.length === 0 ? [] : ['--suite', limits.suites.join(',')]),
      ],
      limits.maxSeconds + 60,
    );
    const folder = join(output, 'run');
    const files = await filesOf(folder);
    const report = files.has('report.json') ? await inspect(folder, []) : undefined;
    const accused = (report?.report?.violations ?? []).map(({ id }) => id);
    const problems = [
      ...(code === undefined ? ['it had to be killed'] : []),
      ...(code !== undefined && (code < 0 || code > 3) ? [`exit ${code}`] : []),
      ...(seconds > limits.maxSeconds + slackSeconds ? [`it took ${seconds.toFixed(1)} s`] : []),
      ...(megabytes > mostMegabytes ? [`it held ${megabytes.toFixed(0)} MB`] : []),
      ...terminalTroubles(terminal),
      ...leaks(canaries, new Map([...files, ['the terminal', terminal]])),
      ...(server.visited() > 0 ? ['it went to another host'] : []),
      ...(report?.problems ?? []).map((problem) => `verify: ${problem}`),
      ...unsupported(report?.report, textOf(files.get('evidence.jsonl')), target, server.met).map(
        (id) => `it accuses of ${id}, and no bytes support it`,
      ),
      ...overdue(report?.report, limits.maxSeconds),
    ];
    return { target, mode, code, seconds, megabytes, accused, problems };
  } finally {
    await server.close();
    await reference.close();
  }
}

/** Violations of traces in which the service behind, which conforms, sent every response; all where no bytes are a response. */
function unsupported(
  report: Report | undefined,
  evidence: string,
  { whole }: HostileTarget,
  met: ReadonlySet<string>,
): readonly string[] {
  const traces = new Set<string>();
  const traceOf = new Map<string, string>();
  for (const line of evidence.split('\n')) {
    const value = parseJson(line);
    const exchange = isObject(value) ? value['exchange'] : undefined;
    const request = isObject(exchange) ? exchange['request'] : undefined;
    if (!isObject(exchange) || !isObject(request)) continue;
    traceOf.set(String(exchange['id']), String(exchange['trace']));
    const headers = isArray(request['headers']) ? request['headers'] : [];
    const keys = headers.flatMap((pair) =>
      isArray(pair) && String(pair[0]).toLowerCase() === 'idempotency-key' ? [String(pair[1]).trim()] : [],
    );
    const body = String(request['body'] ?? '');
    // Requests that leave together may lack their last byte when the target responds.
    for (const sent of [body, body.slice(0, -1)])
      if (met.has(requestName(String(request['method']), String(request['path']), keys, sent)))
        traces.add(String(exchange['trace']));
  }
  return (report?.violations ?? [])
    .filter(({ exchanges }) => !whole || !exchanges.some(({ id }) => traces.has(traceOf.get(id) ?? '')))
    .map(({ id }) => id);
}

function overdue(report: Report | undefined, maxSeconds: number): readonly string[] {
  const seconds = (report?.run.elapsedMs ?? 0) / 1000;
  return seconds > maxSeconds + mostSecondsOver ? [`the run took ${seconds.toFixed(1)} s`] : [];
}

/** The configuration of the contract with tokens that occur nowhere else. */
async function canaryConfig(
  contract: HostileTarget['contract'],
): Promise<{ readonly config: string; readonly canaries: readonly string[] }> {
  const file = contract === 'small' ? 'harness.config.yaml' : 'fixtures/contracts/extended.config.yaml';
  const canaries: string[] = [];
  const text = (await readFile(file, 'utf8'))
    .replaceAll(/(value:\s*)("[^"]+"|Reference-Token[\w-]+)/g, (_, before: string) => {
      const canary = `Canary-${randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x')}`;
      canaries.push(canary);
      return `${before}${canary}`;
    })
    .replace(/contract: \.\/(.*)/, (_, name: string) => `contract: ${resolve(file, '..', name)}`)
    .replace(/ {2}timeoutMs: \d+\n/, '')
    .replace('target:\n', 'target:\n  timeoutMs: 1000\n  returnSeconds: 1\n');
  const config = join(await mkdtemp(join(tmpdir(), 'assay-canary-')), 'harness.config.yaml');
  await writeFile(config, text);
  return { config, canaries };
}

async function filesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder).catch(() => []);
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'latin1')] as const),
    ),
  );
}

/** Files were read byte by byte, whatever they hold. */
function textOf(bytes = ''): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** A dozen characters of a token, as text or in base64 or hexadecimal, are a leak. */
export function leaks(canaries: readonly string[], texts: ReadonlyMap<string, string>): readonly string[] {
  const needles = canaries.flatMap((canary) => {
    const tail = canary.slice('Canary-'.length);
    const parts = [tail.slice(0, 12), tail.slice(-12)];
    return [
      ...parts,
      Buffer.from(tail.slice(0, 18)).toString('hex'),
      ...[0, 1, 2].map((shift) => Buffer.from(canary.slice(shift)).toString('base64').slice(12, 28)),
    ];
  });
  return [...texts].flatMap(([name, text]) => {
    const lower = text.toLowerCase();
    return needles.some((needle) => text.includes(needle) || lower.includes(needle.toLowerCase()))
      ? [`a token in ${name}`]
      : [];
  });
}

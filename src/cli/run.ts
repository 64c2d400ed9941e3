import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clauses } from '../clauses/catalogue.ts';
import type { Overrides } from '../config/config.ts';
import type { Stage } from '../engine/attempt.ts';
import { makeSpending, usualLimits } from '../engine/budget.ts';
import { makeGovernor } from '../engine/governor.ts';
import { makePlan } from '../engine/plan.ts';
import { preflight } from '../engine/preflight.ts';
import { type RunEvent, runPlan } from '../engine/run.ts';
import { evidenceFormat } from '../evidence/log.ts';
import { makeRedactor, placeholder } from '../evidence/redact.ts';
import { openLog } from '../evidence/write.ts';
import { makeLedger } from '../judge.ts';
import { makeContext } from '../oracle/context.ts';
import { compare } from '../report/compare.ts';
import { formats } from '../report/formats.ts';
import { runId } from '../report/make-report.ts';
import type { Report } from '../report/report.ts';
import { terminalReport } from '../report/terminal.ts';
import { openWire } from '../wire/wire.ts';
import { addSignatures } from './attest.ts';
import { appendSummary, evidenceFile, readReport, writeBundle, writeFormats } from './bundle.ts';
import { machineClock } from './clock.ts';
import { judged } from './judge.ts';
import { signingKeys } from './keys.ts';
import type { Output } from './output.ts';
import { harness } from './package.ts';
import { makeProgress } from './progress.ts';
import {
  checkSelection,
  hookRunner,
  openSession,
  openTarget,
  type ReferenceChange,
  resolveTokens,
} from './session.ts';

export type RunFlags = {
  readonly overrides: Overrides;
  readonly suites: readonly string[] | undefined;
  readonly operations: readonly string[] | undefined;
  readonly quiet: boolean;
  /** Files of private keys to sign the run with. */
  readonly keys?: readonly string[] | undefined;
  /** Folder of an earlier run to compare with. */
  readonly against?: string | undefined;
  /** How the embedded reference service departs from its usual decisions. */
  readonly reference?: ReferenceChange;
  /** Hears what happens, beside the number of requests sent by then. */
  readonly tell?: (event: RunEvent, requests: number) => void;
};

/** So many requests in a row without an answer: nobody is there any more. */
const mostSilent = 40;
const silence: ReadonlySet<string> = new Set(['refused', 'reset', 'closed', 'timeout', 'dns', 'tls']);
const shrinkRequests = { quick: 30, standard: 90, thorough: 300 };

/** A conformance run from its configuration to its exit code. @throws InputError where it cannot begin (exit 2) */
export async function run(
  file: string,
  flags: RunFlags,
  output: Output,
  signal: AbortSignal,
): Promise<{ readonly exitCode: number; readonly report: Report | undefined }> {
  const clock = machineClock;
  const session = await openSession(file, flags.overrides, flags.reference?.declares);
  const { config, contract } = session;
  checkSelection(
    '--suite',
    flags.suites,
    session.suites.map((suite) => suite.name),
  );
  checkSelection(
    '--operation',
    flags.operations,
    contract.operations.map((operation) => operation.id),
  );
  const earlier = flags.against === undefined ? undefined : await readReport(flags.against);
  const keys = await signingKeys(flags.keys ?? [], process.env);
  const tokens = new Map(await resolveTokens(config, process.env));
  const planning = session.planning(tokens);
  const plan = makePlan(session.suites, planning, session.seed, {
    suites: flags.suites,
    operations: flags.operations,
  });
  const target = await openTarget(session, tokens, clock, flags.reference);
  const nonce = randomBytes(16).toString('hex');
  const redactor = makeRedactor(
    [...tokens].map(([name, value]) => ({ name, value })),
    nonce,
  );
  const url = new URL(target.baseUrl);
  const startedAt = new Date(clock.wall());
  const id = runId({ startedAt: startedAt.toISOString(), nonce });
  const folder = join(config.output, id);
  await mkdir(folder, { recursive: true });
  const log = await openLog(join(folder, evidenceFile), redactor.guard);
  // One clock for the wire and the engine: milliseconds since the start of the run.
  const zero = clock.monotonic();
  const started = { ...clock, monotonic: () => clock.monotonic() - zero };
  const wire = openWire(
    {
      origin: url.origin,
      timeoutMs: config.target.timeoutMs,
      connections: Math.max(16, config.concurrency),
      maxBodyBytes: 256 * 1024,
      ...(target.ca === undefined ? {} : { ca: target.ca }),
    },
    started,
  );
  const limits = usualLimits(config.budget, contract.operations.length);
  const most = {
    maxRequests: config.maxRequests ?? limits.maxRequests,
    maxSeconds: config.maxSeconds ?? limits.maxSeconds,
  };
  const spending = makeSpending(clock, most);
  const counters = { exchange: 0, trace: 0 };
  const trouble = new AbortController();
  const stop = AbortSignal.any([signal, trouble.signal]);
  // Every request in flight listens for the end of the run.
  setMaxListeners(0, stop);
  let broken: Error | undefined;
  let silent = 0;
  const append = async (line: Parameters<typeof log.append>[0]): Promise<void> => {
    try {
      await log.append(line);
    } catch (error) {
      // Evidence that cannot be kept ends the run: a verdict without it would be worth nothing.
      broken ??= error instanceof Error ? error : new Error(String(error));
      trouble.abort();
    }
  };
  const settle = session.declaration.G15;
  const stage: Stage = {
    contract,
    wire,
    clock: started,
    governor: makeGovernor(started, { left: spending.left }),
    spending,
    redaction: redactor,
    tokens,
    basePath: url.pathname.replace(/\/$/, ''),
    extraHeaders: Object.entries(config.target.headers),
    nonce,
    settleMs:
      typeof settle === 'object' &&
      settle !== null &&
      'seconds' in settle &&
      typeof settle['seconds'] === 'number'
        ? settle['seconds'] * 1000
        : 5000,
    retries: 3,
    maxWaitMs: config.throttling.maxWaitSeconds * 1000,
    hook: hookRunner(config, target, (name, token) => redactor.add(`hook ${name}`, token)),
    nextExchange: () => `x${++counters.exchange}`,
    record: (exchange) => {
      const { noAnswer } = exchange;
      silent = noAnswer !== undefined && silence.has(noAnswer.reason) ? silent + 1 : 0;
      if (silent >= mostSilent && !trouble.signal.aborted) {
        output.err(
          'assay: the target stopped answering; the run ends here, and what was not reached is not tested\n',
        );
        trouble.abort();
      }
      return append({ line: 'exchange', exchange });
    },
    signal: stop,
  };
  const nextTrace = (): string => `t${++counters.trace}`;
  try {
    await append({
      line: 'header',
      format: evidenceFormat,
      harness: harness(),
      contract: {
        title: contract.title,
        version: contract.version,
        digest: contract.digest,
        file: config.contract,
        text: await readFile(config.contract, 'utf8'),
      },
      configuration: { file: config.file, digest: config.digest },
      suites: { digest: session.suitesDigest, names: session.suites.map((suite) => suite.name) },
      declaration: session.declaration,
      principals: config.principals.map((principal) => ({
        ...principal,
        token: `$${placeholder(principal.name)} ${redactor.digestOf(principal.name) ?? ''}`.trim(),
      })),
      seed: session.seed,
      nonce,
      budget: config.budget,
      limits: most,
      partial: flags.suites !== undefined || flags.operations !== undefined,
      target: {
        baseUrl: target.reference === undefined ? target.baseUrl : 'reference',
        environment: config.target.environment,
        product: config.target.product,
        vendor: config.target.vendor,
        version: config.target.version,
      },
      startedAt: startedAt.toISOString(),
      throttling: {
        maxRequests: config.throttling.maxRequests,
        maxSeconds: config.throttling.maxSeconds,
        maxWaitSeconds: config.throttling.maxWaitSeconds,
      },
      hooks: [...config.hooks.keys()],
      waivers: config.waivers,
      environment: { node: process.version, platform: process.platform },
      selfTest: undefined,
    });
    await append({
      line: 'plan',
      probes: plan.probes.map(({ suite, probe, seed }) => ({
        suite,
        probe: probe.id,
        operation: probe.operation,
        seed,
        cases: probe.cases.length,
        random: probe.random?.runs ?? 0,
      })),
    });
    for (const skip of plan.skips)
      await append({
        line: 'skip',
        suite: skip.suite,
        operation: skip.operation,
        clauses: skip.clauses,
        need: skip.need,
      });

    const recordTrace = async (
      trace: Parameters<Parameters<typeof runPlan>[0]['recordTrace']>[0],
    ): Promise<void> => {
      const { exchanges, effects: _effects, ...rest } = trace;
      await append({ line: 'trace', trace: rest, exchanges: exchanges.map((exchange) => exchange.id) });
    };
    const first = await preflight(stage, planning, nextTrace);
    for (const trace of first.traces) await recordTrace(trace);
    if (first.trouble !== undefined) {
      await log.close({
        end: 'interrupted',
        counts: { exchanges: counters.exchange, traces: counters.trace },
        endedAt: new Date(clock.wall()).toISOString(),
        elapsedMs: Math.round(started.monotonic()),
        redaction: redactor.manifest(),
      });
      output.err(`assay: ${redactor.text(first.trouble)}\n`);
      return { exitCode: 2, report: undefined };
    }
    const context = makeContext({
      contract,
      declaration: session.declaration,
      principals: config.principals,
      proven: first.proven,
    });
    const ledger = makeLedger({ clauses, context });
    for (const skip of plan.skips) ledger.skip(skip);
    for (const trace of first.traces) {
      ledger.see(trace);
      await append({ line: 'effects', trace: trace.id, effects: 'none' });
      ledger.seeEffects(trace);
    }
    const progress = makeProgress(output, started.monotonic, spending.spent);
    if (!flags.quiet)
      output.err(
        `assay: ${plan.probes.length} probes on ${contract.operations.length} ${contract.operations.length === 1 ? 'operation' : 'operations'} of ${target.reference === undefined ? target.baseUrl : 'the embedded reference service'}, seed ${session.seed}, budget ${config.budget}\n`,
      );
    const end = await runPlan({
      stage,
      planning,
      plan,
      ledger,
      nextTrace,
      concurrency: config.concurrency,
      shrinkRequests: shrinkRequests[config.budget],
      recordTrace,
      recordEffects: (trace, effects) => append({ line: 'effects', trace, effects: effects ?? 'none' }),
      tell: (event) => {
        flags.tell?.(event, spending.spent());
        if (!flags.quiet) progress.tell(event);
      },
    });
    progress.end();
    const elapsedMs = Math.round(started.monotonic());
    if (broken !== undefined) {
      output.err(
        `assay: the evidence cannot be written (${broken.message}); free some space or choose another --output. The run is void.\n`,
      );
      return { exitCode: 2, report: undefined };
    }
    await log.close({
      end: end.ended,
      counts: { exchanges: counters.exchange, traces: counters.trace },
      endedAt: new Date(clock.wall()).toISOString(),
      elapsedMs,
      redaction: redactor.manifest(),
    });
    const { report: found } = await judged(join(folder, evidenceFile));
    const report = earlier === undefined ? found : { ...found, comparison: compare(earlier, found) };
    await writeBundle(folder, report, [], redactor.text);
    if (keys.length > 0) output.err(`assay: ${await addSignatures(folder, keys)}\n`);
    await writeFormats(folder, folder, report, formats, redactor.text);
    await appendSummary(folder, process.env);
    output.out(redactor.text(terminalReport(report, output.colours, folder)));
    return { exitCode: report.verdict.exitCode, report };
  } finally {
    await wire.close();
    await target.reference?.close();
  }
}

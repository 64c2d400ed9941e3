import { join } from 'node:path';
import type { Overrides } from '../config/config.ts';
import { folderOf } from '../config/folder.ts';
import { brokenHook, isUnsent, reachDetail, reachRemedy } from '../engine/out-of-reach.ts';
import { signingRemedy } from '../engine/unsigned.ts';
import { replay } from '../evidence/replay.ts';
import { isSigned } from '../evidence/signed.ts';
import type { Exchange } from '../model/exchange.ts';
import { pointerOf } from '../model/json.ts';
import { isAccepted, isThrottled } from '../model/response.ts';
import { evidenceFile } from '../run/bundle.ts';
import { conduct } from '../run/conduct.ts';
import { hookProblem } from '../run/hook-problem.ts';
import { planInTurns } from '../run/planned.ts';
import { judged } from '../run/rejudge.ts';
import { openSession, type Session } from '../run/session.ts';
import { inTemporaryFolder } from '../run/temporary-folder.ts';
import { expected, untestable } from './plan.ts';
import { suggestionsOf } from './proposals.ts';
import type { Output } from './terminal/output.ts';

/** A clock further away than this makes HTTP dates of no use. */
const mostSkewSeconds = 5;

type CheckState = 'ok' | 'warning' | 'trouble';
type Diagnosis = { readonly state: CheckState; readonly what: string; readonly remedy?: string | undefined };

/** Checks configuration, contract, target and principals; no suite runs. @throws InputError for a file that is wrong */
export async function doctor(
  file: string,
  overrides: Overrides,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const session = await openSession(file, overrides, undefined, undefined, signal);
  const findings: Diagnosis[] = [];
  const { green, yellow, red, dim } = output.colours;
  const say = (finding: Diagnosis): void => {
    findings.push(finding);
    const { state, what, remedy } = finding;
    const paint = state === 'ok' ? green : state === 'warning' ? yellow : red;
    output.out(
      `${paint(state.padEnd(8))} ${what}\n${remedy === undefined ? '' : `${dim(`         ${remedy}`)}\n`}`,
    );
  };
  for (const finding of inputFindings(session)) say(finding);
  for (const finding of await hookFindings(session)) say(finding);
  for (const finding of await targetFindings(session, signal)) say(finding);
  for (const finding of await planFindings(session, signal)) say(finding);
  const troubles = findings.filter(({ state }) => state === 'trouble').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  output.out(
    troubles > 0
      ? `\n${troubles} ${troubles === 1 ? 'thing' : 'things'} to fix before a run\n`
      : warnings > 0
        ? `\nA run can begin; ${warnings} ${warnings === 1 ? 'thing' : 'things'} would let it test more\n`
        : '\nReady: assay run\n',
  );
  return troubles > 0 ? 2 : warnings > 0 ? 3 : 0;
}

function inputFindings({ config, contract }: Session): readonly Diagnosis[] {
  const { operations, leftOut = [], warnings = [] } = contract;
  return [
    { state: 'ok', what: `configuration ${config.file}` },
    {
      state: 'ok',
      what: `contract ${contract.title} ${contract.version}: ${operations.length} ${operations.length === 1 ? 'operation' : 'operations'}`,
    },
    ...leftOut.map(
      ({ id, reasons }): Diagnosis => ({
        state: 'warning',
        what: `operation ${id} cannot be tested`,
        remedy: reasons.join('; '),
      }),
    ),
    ...warnings.map((warning): Diagnosis => ({ state: 'warning', what: warning })),
    ...suggestionsOf(contract).map(
      ({ text, where }): Diagnosis => ({
        state: 'warning',
        what: `${where} leaves out what the contract document suggests`,
        remedy: `add what is correct: ${text} (docs/contract.md)`,
      }),
    ),
    ...(config.hooks.size === 0
      ? [
          {
            state: 'warning' as const,
            what: 'hooks: none',
            remedy: 'hooks cause events that requests cannot; see docs/hooks.md',
          },
        ]
      : []),
  ];
}

function placeOf({ file, positions }: Session['config'], hook: string): string {
  const at = positions.get(pointerOf(['hooks', hook]));
  return at === undefined ? `hooks.${hook}` : `hooks.${hook} (${file}:${at.line}:${at.column})`;
}

/** Whether each hook can be called. None is: a call would change the target. */
async function hookFindings({ config }: Session): Promise<readonly Diagnosis[]> {
  return Promise.all(
    [...config.hooks].map(async ([name, hook]): Promise<Diagnosis> => {
      const problem = await hookProblem(hook, config.target.proxy, folderOf(config));
      const to = hook.kind === 'http' ? hook.url : hook.command;
      return problem === undefined
        ? { state: 'ok', what: `hook ${name}: ${to}` }
        : {
            state: 'warning',
            what: `hook ${name}: ${problem}`,
            remedy: `fix it, or remove it: ${placeOf(config, name)}`,
          };
    }),
  );
}

/** A run without a suite is a preflight: its evidence says how each principal fared. */
function targetFindings(session: Session, signal: AbortSignal): Promise<readonly Diagnosis[]> {
  return inTemporaryFolder('doctor', async (folder): Promise<readonly Diagnosis[]> => {
    const conducted = await conduct(
      { ...session, config: { ...session.config, output: folder } },
      { suites: [], runName: 'preflight' },
      signal,
    );
    const log = join(folder, 'preflight', evidenceFile);
    const seen = new Map<string, Exchange>();
    for await (const entry of replay(log).entries)
      if (entry.kind === 'exchange') seen.set(entry.exchange.principal, entry.exchange);
    const { report } = await judged(log);
    const skew = report.subject.clockSkewSeconds;
    return [
      conducted.kind === 'void'
        ? { state: 'trouble', what: 'target', remedy: conducted.because.split('\n')[0] }
        : { state: 'ok', what: `target ${report.subject.asserted.baseUrl}` },
      ...(report.subject.certificate === undefined
        ? []
        : [{ state: 'ok' as const, what: `TLS certificate, SHA-256 ${report.subject.certificate}` }]),
      ...(skew === undefined
        ? []
        : [
            Math.abs(skew) > mostSkewSeconds
              ? {
                  state: 'warning' as const,
                  what: `the target's clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}`,
                  remedy: 'set both clocks by NTP: wait guidance as an HTTP date depends on them',
                }
              : { state: 'ok' as const, what: 'the clocks agree' },
          ]),
      ...signingFindings(session, [...seen.values()]),
      ...session.config.principals.map((principal) =>
        principalFinding(principal.name, principal.state, seen, session.config),
      ),
    ];
  });
}

/** What the first request was given; where signing failed, the target is in trouble already. */
function signingFindings({ config }: Session, seen: readonly Exchange[]): readonly Diagnosis[] {
  const { sign } = config.target;
  if (sign === undefined) return [];
  const added = new Set(
    seen.flatMap(({ request }) => request.headers.filter(isSigned).map(([name]) => name)),
  );
  const by = 'module' in sign ? sign.module : sign.command;
  if (added.size > 0) return [{ state: 'ok', what: `signing: ${by} adds ${[...added].join(', ')}` }];
  return seen.length === 0
    ? []
    : [{ state: 'warning', what: `signing: ${by} adds no header`, remedy: 'return the headers to add' }];
}

function principalFinding(
  name: string,
  state: string,
  seen: ReadonlyMap<string, Exchange>,
  config: Session['config'],
): Diagnosis {
  const exchange = seen.get(name);
  if (state !== 'valid') return { state: 'ok', what: `principal ${name}: ${state}, so not tried here` };
  if (exchange === undefined)
    return {
      state: 'ok',
      what: `principal ${name}: no operation needs its permissions, so not tried here`,
    };
  const { method, path } = exchange.request;
  const { answer, noAnswer } = exchange;
  const what = `principal ${name}: ${method} ${path} returned ${answer?.status ?? `nothing (${noAnswer === undefined ? 'no response' : reachDetail(noAnswer)})`}`;
  if (isAccepted(answer)) return { state: 'ok', what };
  const hook = noAnswer === undefined ? undefined : brokenHook(noAnswer);
  if (noAnswer !== undefined && hook !== undefined)
    return {
      state: 'trouble',
      what: `principal ${name}: ${exchange.operation} was ${reachDetail(noAnswer)}`,
      remedy: `correct ${placeOf(config, hook)}`,
    };
  // The token is known, and a run tries other bodies before its tests begin.
  const unsent = noAnswer !== undefined && isUnsent(noAnswer);
  if (unsent || [400, 409, 422].includes(answer?.status ?? 0))
    return {
      state: 'warning',
      what: unsent ? `principal ${name}: ${exchange.operation} was ${reachDetail(noAnswer)}` : what,
      remedy: preparedRemedy(unsent ? 'unsent' : answer?.status === 409 ? 'conflict' : 'refused'),
    };
  return {
    state: 'trouble',
    what,
    remedy:
      signingRemedy(exchange) ??
      (noAnswer === undefined ? remedyOf(answer?.status) : reachRemedy(noAnswer, config.target.baseUrl)),
  };
}

/** What a run does about it by itself, and what to write if that does not help. */
function preparedRemedy(why: 'unsent' | 'conflict' | 'refused'): string {
  const bodies = 'give one under operations.<name>.examples, or values under operations.<name>.parameters';
  return {
    unsent:
      'a run tries other bodies; if it finds none, correct the links of the contract, or give IDs under operations.<name>.targets',
    conflict: `a run tries other commands on the record first, and other bodies; if none helps, give records that are ready under operations.<name>.targets, or a body under operations.<name>.examples`,
    refused: `a run tries other bodies; if it finds none, ${bodies}`,
  }[why];
}

function remedyOf(status: number | undefined): string {
  if (status === undefined) return 'check the base URL, and that the service is running';
  if (status === 401) return 'check the token: the target does not know it, or it has expired';
  if (status === 403) return 'grant the permissions that the configuration names, or correct them there';
  if (status >= 300 && status < 400) return 'write the address that it redirects to in target.baseUrl';
  if (status === 404 || status === 405) return 'check the path of target.baseUrl';
  if (isThrottled({ status }))
    return 'wait until the limit allows further requests, or raise it for this integration';
  return 'look at the log of the target';
}

async function planFindings(session: Session, signal: AbortSignal): Promise<readonly Diagnosis[]> {
  const { probes, skips } = await planInTurns(session, session.planning(new Map()), {}, signal);
  const remedies = new Set(untestable(skips).map(({ need }) => need.remedy));
  const { cost, warnings } = expected(session, probes);
  return [
    {
      state: probes.length > 0 ? 'ok' : 'trouble',
      what: `plan: ${probes.length} probes at the ${session.config.budget} budget, ${cost}; \`assay plan\` shows them`,
    },
    ...warnings.map((warning): Diagnosis => {
      const [what = '', remedy] = warning.split('; ');
      return { state: 'warning', what, remedy };
    }),
    ...[...remedies].map((remedy): Diagnosis => ({ state: 'warning', what: 'not testable yet', remedy })),
  ];
}

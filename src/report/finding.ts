import type { Clause } from '../model/clause.ts';
import type { Exchange, Trace } from '../model/exchange.ts';
import { isAccepted } from '../model/response.ts';
import { type Scenario, type Step, type StepId, stepsOf, type Wave } from '../model/scenario.ts';
import { firstCharacters } from '../model/text.ts';
import type { Cell } from '../model/verdict.ts';
import type { Waiver } from '../model/waiver.ts';
import { type Reproducing, reproduction } from './curl.ts';
import { rounded } from './figures.ts';
import type { Excerpt, Finding } from './report.ts';

export type Setting = Reproducing & {
  readonly configuration: string;
  readonly seed: number;
  readonly budget: string;
  /** Whether a run has to be allowed with a flag. */
  readonly production?: boolean;
};

/** Stable over runs: `IDM-6/createCase`. */
export function findingId(cell: Pick<Cell, 'clause' | 'operation'>): string {
  return `${cell.clause}/${cell.operation}`;
}

/** The finding that a violated cell amounts to; undefined for any other. */
export function findingOf(
  cell: Cell,
  clause: Clause,
  setting: Setting,
  waiver: Waiver | undefined,
): Finding | undefined {
  if ((cell.verdict !== 'fail' && cell.verdict !== 'unstable') || cell.example === undefined)
    return undefined;
  const { trace, ruling } = cell.example;
  const steps = new Map(stepsOf(trace.scenario.waves).map((step) => [step.id, step]));
  const history = historyOf(trace, steps, ruling.exchanges, setting.contract);
  const control = controlOf(trace, steps, ruling.exchanges);
  const effects = trace.effects !== undefined && clause.judges.some(({ over }) => over === 'effects');
  return {
    id: findingId(cell),
    clause: cell.clause,
    level: cell.level,
    operation: cell.operation,
    verdict: cell.verdict,
    text: clause.text,
    source: clause.source,
    expected: ruling.expected,
    actual: ruling.actual,
    because: ruling.because,
    fix: clause.fix,
    requestIds: [...new Set(history.flatMap((exchange) => exchange.requestIds))],
    repeats: cell.repeats,
    scenario: situationOf(trace.scenario, ruling.exchanges, trace),
    suite: trace.suite,
    probe: trace.probe,
    purpose: trace.purpose,
    seed: trace.seed,
    exchanges: history.map((exchange) => excerpt(exchange, steps)),
    control: control === undefined ? undefined : excerpt(control, steps),
    curl: reproduction(trace, history, setting, effects),
    reproduce: [
      `${setting.program ?? 'assay'} run --config ${word(setting.configuration)} --base-url ${word(setting.baseUrl)}`,
      `--seed ${setting.seed} --budget ${setting.budget} --suite ${trace.suite} --operation ${word(cell.operation)}`,
      ...(setting.production === true ? ['--allow-production'] : []),
    ].join(' '),
    waiver,
  };
}

/** What the scenario is about; of a body with another fault than the first one, that fault. */
function situationOf({ title, waves }: Scenario, ids: readonly string[], { exchanges }: Trace): string {
  const faulty = stepsOf(waves).flatMap((step) => {
    const fault = step.deviations.find(({ kind }) => kind === 'body');
    return step.role === 'test' && fault?.kind === 'body' ? [{ id: step.id, fault }] : [];
  });
  const accused = exchanges.find(({ id }) => id === ids[0])?.step;
  const found = faulty.find(({ id }) => id === accused);
  const [first] = faulty;
  if (found === undefined || first === undefined || found.id === first.id) return title;
  const { at, keyword } = found.fault;
  const isSame = at === first.fault.at && keyword === first.fault.keyword;
  return isSame ? title : `${at === '' ? 'the body' : at} breaks ${keyword}, in the scenario: ${title}`;
}

function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

type Steps = ReadonlyMap<string, Step>;

const mostShown = 14;

/** The exchanges of a ruling and those that they build on: first uses of keys, makers of targets, conditions. */
function historyOf(
  trace: Trace,
  steps: Steps,
  ids: readonly string[],
  { operations }: Setting['contract'],
): readonly Exchange[] {
  const commands = new Set(operations.filter(({ kind }) => kind === 'command').map(({ id }) => id));
  const conditions = conditionsIn(trace.scenario.waves);
  const wanted = new Set<string>();
  const add = (id: string): void => {
    const step = steps.get(id);
    if (step === undefined || wanted.has(id)) return;
    wanted.add(id);
    for (const deviation of step.deviations) if (deviation.kind === 'key-reuse') add(deviation.of);
    for (const ref of Object.values(step.target ?? {})) if ('step' in ref) add(ref.step);
    const condition = conditions.get(id);
    if (condition !== undefined && commands.has(steps.get(condition)?.operation ?? '')) add(condition);
  };
  const named = trace.exchanges.filter((exchange) => ids.includes(exchange.id));
  for (const exchange of named) add(exchange.step);
  const also = trace.exchanges.filter((exchange) => exchange.ordinal === 0 && wanted.has(exchange.step));
  return [...new Set([...named, ...also])]
    .sort((one, other) => one.startedAt - other.startedAt)
    .slice(0, mostShown);
}

function conditionsIn(waves: readonly Wave[]): ReadonlyMap<StepId, StepId> {
  return new Map(
    waves.flatMap((wave) => {
      if (!('when' in wave)) return [];
      const { step, was } = wave.when;
      const within = was === 'accepted' ? stepsOf(wave.waves).map(({ id }) => [id, step] as const) : [];
      return [...within, ...conditionsIn(wave.waves)];
    }),
  );
}

/** The control of the test requests that a ruling names, where it succeeded. */
function controlOf(trace: Trace, steps: Steps, ids: readonly string[]): Exchange | undefined {
  const tests = new Set(
    trace.exchanges.filter((exchange) => ids.includes(exchange.id)).map((exchange) => exchange.step),
  );
  return trace.exchanges.find((exchange) => {
    const step = steps.get(exchange.step);
    return (
      step?.role === 'control' &&
      step.controls !== undefined &&
      (step.controls === '*' || tests.has(step.controls)) &&
      isAccepted(exchange.answer)
    );
  });
}

const bodyShown = 2000;

function excerpt(exchange: Exchange, steps: Steps): Excerpt {
  return {
    id: exchange.id,
    step: exchange.step,
    operation: exchange.operation,
    role: steps.get(exchange.step)?.role ?? 'readback',
    principal: exchange.principal,
    time: exchange.time,
    startedAt: rounded(exchange.startedAt),
    endedAt: rounded(exchange.endedAt),
    request: `${exchange.request.method} ${exchange.request.path}`,
    status: exchange.answer?.status,
    noAnswer:
      exchange.noAnswer === undefined
        ? undefined
        : `${exchange.noAnswer.reason}: ${exchange.noAnswer.detail}`,
    requestIds: exchange.requestIds,
    requestHeaders: exchange.request.headers,
    requestBody: exchange.request.body?.slice(0, bodyShown),
    responseHeaders: exchange.answer?.headers ?? [],
    responseBody:
      exchange.answer === undefined ? undefined : firstCharacters(exchange.answer.body, bodyShown),
    earlierTries: exchange.earlier.length,
  };
}

import { cellOf } from '../../engine/pursuits.ts';
import type { RunEvent } from '../../engine/run.ts';
import { visibleLine } from '../../model/visible.ts';
import { lineStart, type Output } from './output.ts';

export type Progress = {
  readonly show: (event: RunEvent) => void;
  readonly end: () => void;
  /** Names each violation that was shown and is not among the findings of the whole run (`IDM-4/createCase`). */
  readonly settle: (findings: ReadonlySet<string>) => void;
};

type Violated = Extract<RunEvent, { readonly kind: 'violation' }>;

/** Progress on standard error: one line drawn again on a terminal, plain lines elsewhere. Violations are shown as they are found. */
export function makeProgress(output: Output, now: () => number, spent: () => number): Progress {
  const start = now();
  const violated = new Set<string>();
  const doubted = new Map<string, Violated>();
  let current = '';
  const suites = new Set<string>();
  let share = 0;
  let left = { ms: 0, at: start };
  let drawn = 0;
  const clear = (): void => {
    if (output.live) output.err(lineStart);
  };
  const verdict = (): string =>
    violated.size === 0 ? 'not fully verified (0 violations)' : `violations (${violated.size})`;
  const rest = (): string => {
    const seconds = (now() - start) / 1000;
    const secondsLeft = (left.ms - (now() - left.at)) / 1000;
    return [
      ...(share > 0.03 && secondsLeft >= 1 ? [`${Math.round(secondsLeft)} s left`] : []),
      `${Math.min(99, Math.round(share * 100))}%`,
      `${spent()} requests`,
      `${Math.round(spent() / Math.max(0.1, seconds))}/s`,
      current,
    ].join(', ');
  };
  // What matters comes first: a narrow terminal cuts the rest. Cut before it is painted, for colours have no width.
  const status = (width: number): string => {
    const [start, word] = ['so far: ', verdict()];
    const end = `, ${rest()}`.slice(0, Math.max(0, width - start.length - word.length));
    return `${start}${violated.size === 0 ? word : output.colours.red(word)}${end}`;
  };
  const draw = (): void => {
    if (!output.live || now() - drawn < 100) return;
    drawn = now();
    clear();
    output.err(status(output.columns - 1));
  };
  const line = (text: string): void => {
    clear();
    output.err(`${visibleLine(text)}\n`);
  };
  const report = ({ trace, violation }: Violated): void => {
    const { clause, ruling } = violation;
    const cell = `${clause.code}/${ruling.operation}`;
    if (violated.has(cell)) return;
    violated.add(cell);
    const ids = trace.exchanges
      .filter((exchange) => ruling.exchanges.includes(exchange.id))
      .flatMap((exchange) => exchange.requestIds);
    line(
      `${output.colours.red('violation')} ${clause.code} ${ruling.operation}: ${clause.text} Got ${ruling.actual.slice(0, 80)} ${output.colours.dim(`[${ids[0] ?? 'no request ID'}]`)}`,
    );
  };
  return {
    show: (event) => {
      if (event.kind === 'probe-started') {
        current = `${event.operation}: ${event.suite}/${event.probe}`;
        if (!suites.has(event.suite) && !output.live) line(`assay: ${event.suite}`);
        suites.add(event.suite);
      } else if (event.kind === 'advanced') {
        share = event.of === 0 ? 0 : event.done / event.of;
        left = { ms: event.leftMs, at: now() };
      } else if (event.kind === 'waiting') {
        if (event.milliseconds > 1000)
          line(`assay: waiting ${(event.milliseconds / 1000).toFixed(0)} s ${event.why}`);
      } else if (event.kind === 'violation') {
        // One response 5xx may be a passing failure: it is shown once repeats confirm it.
        if (event.violation.passing) doubted.set(cellOf(event.violation), event);
        else report(event);
      } else if (event.kind === 'confirmed') {
        const before = doubted.get(event.cell);
        if (before !== undefined) report(before);
      }
      draw();
    },
    end: clear,
    settle: (findings) => {
      for (const cell of violated)
        if (!findings.has(cell))
          line(`assay: withdrawn ${cell.replace('/', ' ')}: later responses of the run explain it`);
    },
  };
}

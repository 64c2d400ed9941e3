import type { Fault } from '../../src/reference/faults/fault.ts';
import type { Result, Tool } from './tools.ts';

export type Trial = Result & {
  readonly tool: string;
  /** Undefined where the service has none. */
  readonly fault: string | undefined;
  readonly problem?: string;
};

/** What a tool reports of a fault that it does not report of the service without one. */
export function news(trial: Trial, trials: readonly Trial[]): readonly string[] {
  const usual = new Set(
    trials
      .filter(({ tool, fault }) => tool === trial.tool && fault === undefined)
      .flatMap(({ found }) => found),
  );
  return [...new Set(trial.found)].filter((finding) => !usual.has(finding));
}

/** Assay must name a clause that the fault breaks; of the others any new finding counts. */
export function caught(trial: Trial, fault: Fault, trials: readonly Trial[]): boolean {
  const fresh = news(trial, trials);
  if (!trial.tool.startsWith('Assay')) return fresh.length > 0;
  return fresh.some((finding) => fault.breaks.some((clause) => finding.startsWith(`${clause}/`)));
}

export function page(
  trials: readonly Trial[],
  sample: readonly Fault[],
  eligible: number,
  tools: readonly Tool[],
): string {
  const rows = tools.map((tool) => {
    const own = trials.filter((trial) => trial.tool === tool.name);
    const tried = own.filter(({ fault }) => fault !== undefined);
    const plain = own.filter(({ fault }) => fault === undefined);
    const hits = sample.filter((fault) =>
      tried.some((one) => one.fault === fault.id && caught(one, fault, trials)),
    );
    const accused = new Set(plain.flatMap(({ accusations }) => accusations));
    return [
      tool.name,
      `${hits.length} of ${sample.length} (${((100 * hits.length) / sample.length).toFixed(0)}%)`,
      String(accused.size),
      median(tried.map(({ requests }) => requests)).toFixed(0),
      median(tried.map(({ cpuSeconds }) => cpuSeconds)).toFixed(1),
      median(tried.map(({ requests, cpuSeconds }) => (1000 * cpuSeconds) / requests)).toFixed(1),
    ];
  });
  const faultRows = sample.map((fault) => [
    fault.id,
    fault.describes,
    ...tools.map((tool) => {
      const trial = trials.find((one) => one.tool === tool.name && one.fault === fault.id);
      if (trial === undefined || trial.problem !== undefined) return 'no result';
      return caught(trial, fault, trials) ? 'caught' : '-';
    }),
  ]);
  return [
    '# Other tools on the same faults',
    '',
    `Written by \`npm run peers\`. ${sample.length} of the ${eligible} seeded faults that the reference service had at the time of this measurement, at regular intervals of the sorted list, are tried with three tools. Each tool runs with one seed, on the operations where the fault shows. The service without a fault is tried with three seeds. Every service runs in its own process. Faults that concern only stronger verification are left out, since no other tool can obtain a verification.`,
    '',
    'Assay catches a fault if it reports a clause that the fault breaks. Another tool catches it if the tool reports anything that it does not report about the service without a fault. Each distinct finding on the service without a fault is a false accusation. Advisories of Assay do not count.',
    '',
    ...table(
      [
        'tool',
        'faults caught',
        'false accusations',
        'requests (median)',
        'CPU seconds (median)',
        'CPU ms per request',
      ],
      rows,
    ),
    '',
    'The tools have different aims. Schemathesis and Portman know the OpenAPI document alone. Neither claims to test idempotency, permissions or races. Their findings can differ by chance from one run to the next. Such a difference counts as a fault caught.',
    '',
    '## Inputs',
    '',
    ...tools.flatMap(({ name, inputs }) => [`- ${name}`, ...inputs.map((input) => `  - ${input}`)]),
    '',
    '## False accusations',
    '',
    ...tools.flatMap(({ name }) => {
      const found = trials
        .filter(({ tool, fault }) => tool === name && fault === undefined)
        .flatMap(({ accusations }) => accusations);
      const distinct = [...new Set(found)].sort();
      return [
        `- ${name}: ${distinct.length === 0 ? 'none' : ''}`.trimEnd(),
        ...distinct.map((one) => `  - ${one}`),
      ];
    }),
    '',
    '## Faults',
    '',
    ...table(['fault', '', ...tools.map(({ name }) => name)], faultRows),
    '',
  ].join('\n');
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

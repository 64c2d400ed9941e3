import type { Accuracy, Line } from './accuracy.ts';

/** The value below which a share of the sorted values lies; undefined where there are none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

/** What a self-test amounts to: each figure, and its value. */
export function figures({ faults, took, variants }: Accuracy): readonly (readonly [string, string])[] {
  const wrong = (lines: readonly Line[]): number => lines.filter((line) => line.unexpected.length > 0).length;
  return [
    ...[...new Set(faults.map((line) => line.budget))].flatMap((budget) => {
      const own = faults.filter((line) => line.budget === budget);
      const caught = own.filter((line) => line.missed.length === 0).length;
      const requests = own.flatMap((line) => line.firstRequest ?? []);
      const text = `median ${quantile(requests, 0.5) ?? '-'}, 95th percentile ${quantile(requests, 0.95) ?? '-'}`;
      return [
        [
          `faults caught with the ${budget} budget`,
          `${caught} of ${own.length} trials (${share(caught, own.length)})`,
        ],
        [`requests to the first violation, ${budget} budget`, text],
      ] as const;
    }),
    ['trials in which a clause fired that the fault does not name', `${wrong(faults)}`],
    ['variants and combinations accused', `${wrong(variants)} of ${variants.length}`],
    ...(took === undefined
      ? []
      : ([['minutes', `${(took.seconds / 60).toFixed(1)} with ${took.workers} workers`]] as const)),
  ];
}

/** docs/accuracy.md: the figures and tables of a self-test. */
export function accuracyPage(accuracy: Accuracy, digest: string): string {
  const { faults, variants } = accuracy;
  const accused = variants.filter((line) => line.unexpected.length > 0);
  return `${[
    '# Accuracy',
    '',
    `Written by \`assay selftest\` (${accuracy.harness.name} ${accuracy.harness.version}, budget ${accuracy.budget}, ${accuracy.seeds} ${accuracy.seeds === 1 ? 'seed' : 'seeds'}); build \`${accuracy.build.slice(0, 16)}\`; SHA-256 of its JSON: \`${digest}\`.`,
    '',
    'Each seeded fault is the reference service with one decision changed for the worse; each variant takes another allowed reading of the contract. A fault is caught if every clause that it breaks fires. For an advisory clause, its note counts. Clauses that fire must be ones that the fault breaks, or true consequences that it names.',
    '',
    'Each trial runs the suites on the operations of the extended catalogue where the fault or variant shows. Each fault is tried once with the whole quick plan, to see which other clauses fire. Then it is tried at the budget named above, with each seed, until every clause that it breaks has fired. Combinations of variants are drawn with a fixed seed and run with the quick budget.',
    '',
    '| | |',
    '|---|---|',
    ...figures(accuracy).map(([what, text]) => `| ${what} | ${text} |`),
    '',
    '## Faults',
    '',
    '| fault | | breaks | fired | requests (and seconds) to the first violation |',
    '|---|---|---|---|---|',
    ...groups(faults).map(
      ([, lines]) =>
        `| ${lines[0]?.id} | ${lines[0]?.describes} | ${lines[0]?.breaks.join(' ')} | ${fired(lines)} | ${lines.map(first).join(', ')} |`,
    ),
    '',
    '## Variants',
    '',
    '| variant | | accused |',
    '|---|---|---|',
    ...variants
      .filter((line) => !line.id.includes('+') && line.id !== '(none)')
      .map((line) => `| ${line.id} | ${line.describes} | ${line.unexpected.join(' ') || 'no'} |`),
    '',
    `Combinations tried: ${variants.filter((line) => line.id.includes('+') || line.id === '(none)').length}; accused: ${
      accused
        .filter((line) => line.id.includes('+'))
        .map((line) => `${line.id} (${line.unexpected.join(' ')})`)
        .join(', ') || 'none'
    }.`,
  ].join('\n')}\n`;
}

function first({ firstRequest, firstSeconds }: Line): string {
  return firstRequest === undefined ? '-' : `${firstRequest} (${(firstSeconds ?? 0).toFixed(1)})`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`;
}

function groups(lines: readonly Line[]): readonly (readonly [string, readonly Line[]])[] {
  const found = new Map<string, Line[]>();
  for (const line of lines) found.set(line.id, [...(found.get(line.id) ?? []), line]);
  return [...found];
}

function fired(lines: readonly Line[]): string {
  const whole = lines.find((line) => line.budget === 'quick') ?? lines[0];
  const missed = lines.filter((line) => line.missed.length > 0);
  return [
    whole?.fired.join(' ') || '(advisory)',
    ...missed.map(
      (line) => `**missed ${line.missed.join(' ')} with seed ${line.seed}, ${line.budget} budget**`,
    ),
    ...lines
      .filter((line) => line.unexpected.length > 0)
      .map((line) => `**not a consequence: ${line.unexpected.join(' ')}, seed ${line.seed}**`),
  ].join('; ');
}

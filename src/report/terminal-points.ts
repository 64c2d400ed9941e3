import { canonicalJson } from '../model/json.ts';
import type { OpenPoint } from '../model/open-point.ts';
import { cut, timesWords } from '../model/text.ts';
import type { Paint } from './paint.ts';
import type { Report } from './report.ts';

const mostKinds = 3;
const mostText = 70;

/** The register of the open points: what was declared, what was seen, and whether they agree. */
export function pointLines({ openPoints }: Report, paint: Paint): readonly string[] {
  const shown = openPoints.filter((point) => point.state !== 'not observed' || point.declared !== undefined);
  if (shown.length === 0) return [];
  const silent = openPoints.filter((point) => !shown.includes(point)).map(({ point }) => point);
  return [
    paint.bold('Open points of the contract (`assay explain G1` shows the readings of G1)'),
    ...shown.flatMap((point) => lines(point, paint)),
    ...(silent.length === 0 ? [] : [paint.dim(`  Neither declared nor observed: ${silent.join(', ')}`)]),
    '',
  ];
}

function lines(point: OpenPoint, paint: Paint): readonly string[] {
  const declared = point.declared === undefined ? '' : ` declared ${valueText(point.declared)};`;
  const line = `  ${point.point.padEnd(4)}${point.title}:${declared} ${seenText(point)}`;
  const state = {
    'not observed': paint.dim('(not observed)'),
    observed: '',
    mixed: paint.yellow('(mixed)'),
    'as declared': paint.green('(consistent)'),
    'contradicts the declaration': paint.bold(
      `(not consistent: violates ${point.clauses[0] ?? 'its clause'})`,
    ),
  }[point.state];
  const painted = point.state === 'contradicts the declaration' ? paint.red(line) : line;
  return [`${painted} ${state}`.trimEnd(), ...point.notes.map((note) => `      ${note}`)];
}

function seenText({ observed }: OpenPoint): string {
  if (observed.length === 0) return 'nothing seen';
  const kinds = observed.slice(0, mostKinds).map(({ text, count, requestIds, exchanges }) => {
    const example = requestIds[0] ?? exchanges[0];
    const such = count === 1 ? '' : 'such as ';
    return `${cut(text, mostText)} (${timesWords(count)}${example === undefined ? '' : `, ${such}${example}`})`;
  });
  const more = observed.length > mostKinds ? `, and ${observed.length - mostKinds} more kinds` : '';
  return `seen ${kinds.join(', ')}${more}`;
}

function valueText(declared: Exclude<OpenPoint['declared'], undefined>): string {
  return typeof declared === 'object' && declared !== null ? canonicalJson(declared) : String(declared);
}

import { randomBytes } from 'node:crypto';
import pc from 'picocolors';
import type { Contract } from '../../model/contract.ts';
import { visible } from '../../model/visible.ts';

/** Where a command writes, and how: the edge that tests replace. */
export type Output = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether standard error is a terminal on which a line can be drawn again. */
  readonly live: boolean;
  readonly columns: number;
  readonly colours: Colours;
};

type ColourName = 'red' | 'green' | 'yellow' | 'bold' | 'dim' | 'cyan';
export type Colours = Readonly<Record<ColourName, (text: string) => string>>;

/** Empties the line that is drawn again. */
export const lineStart = '\r\u001b[2K';

function marked(colours: Colours, mark: string): Colours {
  const paint =
    (name: ColourName) =>
    (text: string): string =>
      colours[name](visible(text)).replaceAll('\u001b', mark);
  return {
    red: paint('red'),
    green: paint('green'),
    yellow: paint('yellow'),
    bold: paint('bold'),
    dim: paint('dim'),
    cyan: paint('cyan'),
  };
}

/** Standard output and error; colour only on a terminal, and never with NO_COLOR. */
export function processOutput(env: Readonly<Record<string, string | undefined>>): Output {
  const terminal = process.stdout.isTTY === true;
  const colour =
    (terminal && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb') ||
    (env['FORCE_COLOR'] !== undefined && env['NO_COLOR'] === undefined);
  // Only this process knows it: an escape sequence from elsewhere is text.
  const mark = `<${randomBytes(12).toString('hex')}>`;
  const shown = (text: string): string => visible(text).replaceAll(mark, '\u001b');
  return {
    out: (text) => void process.stdout.write(shown(text)),
    err: (text) => void process.stderr.write(text === lineStart ? text : shown(text)),
    live: process.stderr.isTTY === true && env['CI'] === undefined,
    columns: process.stderr.columns ?? 100,
    colours: marked(pc.createColors(colour), mark),
  };
}

/** Warns of what the document says in a way that is read differently, and of each operation that cannot be tested. */
export function warnOfContract({ warnings = [], leftOut = [] }: Contract, output: Output): void {
  for (const warning of warnings) output.err(`assay: ${warning}\n`);
  for (const { method, path, reasons } of leftOut)
    output.err(`assay: ${method} ${path} is left out: ${reasons.join('; ')}\n`);
}

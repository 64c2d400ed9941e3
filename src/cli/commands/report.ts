import type { Command } from 'commander';
import { formatList } from '../../report/format-list.ts';
import type { CommandContext } from '../context.ts';
import { collect } from '../options.ts';
import type { ReportFlags } from '../report.ts';

const formats = Object.values(formatList);

export function addReport(program: Command, { guarded, output }: CommandContext): void {
  program
    .command('report')
    .description('render the report of a run again from its report.json and evidence; sends nothing')
    .argument('<run>', 'folder of a run, such as reports/<run>')
    .option(
      '-f, --format <names>',
      `formats, repeatable or a list with commas (default: all): ${formats.map(({ name }) => name).join(', ')}`,
      collect,
    )
    .option('--output <folder>', 'where to write (default: the folder of the run)')
    .option('--against <run>', 'folder of an earlier run, to show what changed since')
    .option(
      '--support <finding>',
      'print what to send to the vendor about a finding, such as IDM-6/createCase; writes nothing',
    )
    .option('--finding <finding>', 'write a bundle of this finding alone into --output, to contest it')
    .addHelpText(
      'after',
      `\nFiles:\n${formats.map(({ file, describes }) => `  ${file.padEnd(14)} ${describes}`).join('\n')}\n\nExit codes: 0 rendered, 2 there is no such run, format or finding.`,
    )
    .action((folder: string, options: ReportFlags) =>
      guarded(async () => (await import('../report.ts')).report(folder, options, output)),
    );
}

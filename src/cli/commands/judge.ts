import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function addJudge(program: Command, { guarded, output }: CommandContext): void {
  program
    .command('judge')
    .description('rejudge the log of an earlier run with the clauses of this version; sends nothing')
    .argument('<run>', 'folder of a run, such as reports/<run>')
    .addHelpText(
      'after',
      '\nExit codes: 0 conformant, 1 violations, 2 there is no log, 3 not fully verified.',
    )
    .action((folder: string) => guarded(async () => (await import('../judge.ts')).judge(folder, output)));
}

import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function addDiff(program: Command, { guarded, output }: CommandContext): void {
  program
    .command('diff')
    .description(
      'show what changed from one run to another: regressions, fixed, newly covered, coverage lost, not comparable',
    )
    .argument('<before>', 'folder of the earlier run')
    .argument('<after>', 'folder of the later run')
    .option('--json', 'print JSON, in the form of docs/comparison.schema.json')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing is worse, 1 something is violated that was not before, 2 a run cannot be read,\n3 coverage was lost, or the runs cannot be compared (another contract, or other declarations).',
    )
    .action((before: string, after: string, options: { readonly json?: boolean }) =>
      guarded(async () =>
        (await import('../diff.ts')).diff(before, after, { json: options.json === true }, output),
      ),
    );
}

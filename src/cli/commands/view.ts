import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { whole } from '../options.ts';
import type { ViewFlags } from '../view.ts';

export function addView(program: Command, { guarded, output, signal }: CommandContext): void {
  program
    .command('view')
    .description(
      'show the runs of a folder as a local page: by vendor and product, with what changed over time',
    )
    .argument('[folder]', 'where the runs are', 'reports')
    .option('-p, --port <number>', 'port on 127.0.0.1 (0: any free port)', whole(0), 0)
    .option('--write', 'write the page into the folder, as index.html, in place of serving it')
    .addHelpText(
      'after',
      '\nIt reads only this folder, and only this machine can open it.\nExit codes: 0 served or written, 2 there are no runs.',
    )
    .action((folder: string, options: ViewFlags) =>
      guarded(async () => (await import('../view.ts')).view(folder, options, output, signal)),
    );
}

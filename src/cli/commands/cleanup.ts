import type { Command } from 'commander';
import type { Overrides } from '../../config/config.ts';
import type { CleanupFlags } from '../cleanup.ts';
import type { CommandContext } from '../context.ts';

export function addCleanup(program: Command, { guarded, output, signal }: CommandContext): void {
  program
    .command('cleanup')
    .description('print how to delete each record that a run created, or delete them with --run')
    .argument('<run>', 'folder of a run, such as reports/<run>')
    .option('--run', 'delete them: with target.cleanup, or else with the DELETE operation of the contract')
    .option('-c, --config <file>', 'configuration (default: that of the run)')
    .option('-u, --base-url <url>', 'target (default: that of the run)')
    .option('--allow-production', 'allow a target whose environment is production')
    .addHelpText(
      'after',
      '\nExit codes: 0 all are deleted (or can be, without --run), 2 there is no such run, 3 some remain.',
    )
    .action((folder: string, { config, run, ...overrides }: Overrides & Omit<CleanupFlags, 'overrides'>) =>
      guarded(async () =>
        (await import('../cleanup.ts')).cleanup(folder, { config, overrides, run }, output, signal),
      ),
    );
}

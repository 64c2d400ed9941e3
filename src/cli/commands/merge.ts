import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import {
  collect,
  type EndingOptions,
  endingOf,
  failOnOption,
  formatOption,
  unstableOption,
} from '../options.ts';

export function addMerge(program: Command, { guarded, output }: CommandContext): void {
  program
    .command('merge')
    .description('combine the shards of a plan into one run with one verdict; sends nothing')
    .usage('[options] --out <folder> <shards...>')
    .argument('<shards...>', 'folders of runs with --shard')
    .requiredOption('--out <folder>', 'new folder for the bundle')
    .option('--against <run>', 'folder of an earlier run, to show in the reports what changed since')
    .option('-k, --key <files>', 'private keys (PEM, ed25519) to sign the run with (repeatable)', collect)
    .addOption(failOnOption('which violations make the exit code 1, as for run'))
    .addOption(unstableOption('ends'))
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 conformant, 1 violations, 2 the shards do not belong together, 3 not fully verified, or a shard is missing.',
    )
    .action((folders: readonly string[], options: EndingOptions & { readonly out: string }) =>
      guarded(async () =>
        (await import('../merge.ts')).merge(folders, options.out, endingOf(options), output),
      ),
    );
}

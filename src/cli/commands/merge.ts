import { type Command, Option } from 'commander';
import { type FailOn, failOnPolicies } from '../../report/gate.ts';
import type { CommandContext } from '../context.ts';
import { collect } from '../options.ts';

export function addMerge(program: Command, { guarded, output }: CommandContext): void {
  program
    .command('merge')
    .description('combine the shards of a plan into one run with one verdict; sends nothing')
    .argument('<shards...>', 'folders of runs with --shard')
    .requiredOption('--out <folder>', 'new folder for the bundle')
    .option('--against <run>', 'folder of an earlier run, to show in the reports what changed since')
    .option('-k, --key <files>', 'private keys (PEM, ed25519) to sign the run with (repeatable)', collect)
    .addOption(
      new Option('--fail-on <policy>', 'which violations end with 1, as for run')
        .choices(failOnPolicies)
        .default('any'),
    )
    .addOption(
      new Option('--unstable <policy>', 'whether a violation that no repeat reproduced ends with 1')
        .choices(['fail', 'pass'])
        .default('fail'),
    )
    .addOption(
      new Option('--format <name>', 'what standard output shows').choices(['text', 'json']).default('text'),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 conformant, 1 violations, 2 the shards do not belong together, 3 not fully verified, or a shard is missing.',
    )
    .action(
      (
        folders: readonly string[],
        options: {
          readonly out: string;
          readonly against?: string;
          readonly key?: readonly string[];
          readonly failOn: FailOn;
          readonly unstable: 'fail' | 'pass';
          readonly format: 'text' | 'json';
        },
      ) =>
        guarded(async () => {
          const { against, failOn, format, key, out, unstable } = options;
          return (await import('../merge.ts')).merge(
            folders,
            out,
            {
              against,
              keys: key,
              json: format === 'json',
              gate: failOn === 'any' && unstable === 'fail' ? undefined : { failOn, unstable },
            },
            output,
          );
        }),
    );
}

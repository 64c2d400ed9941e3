import { type Command, Option } from 'commander';
import type { Overrides } from '../../config/config.ts';
import { caseFormats } from '../../report/case-formats.ts';
import type { CommandContext } from '../context.ts';
import type { ReproduceFlags } from '../reproduce.ts';

export function addReproduce(program: Command, { guarded, output, signal }: CommandContext): void {
  program
    .command('reproduce')
    .description('send the smallest scenario of a violation again, and report whether it still fails')
    .argument('<run>', 'folder of a run, such as reports/<run>')
    .argument('[finding]', 'finding, such as IDM-6/createCase (default: the first one)')
    .option('-c, --config <file>', 'configuration (default: that of the run)')
    .option('-u, --base-url <url>', 'target (default: that of the run)')
    .option('--output <folder>', 'folder for the evidence; each call gets a folder of its own')
    .option('--allow-production', 'allow a target whose environment is production')
    .addOption(new Option('--as <format>', 'print the scenario and send nothing').choices(caseFormats))
    .addHelpText(
      'after',
      '\nRaces and unstable findings are sent ten times.\nExit codes: 0 not reproduced (or printed), 1 reproduced, 2 it could not be sent, 3 inconclusive.',
    )
    .action(
      (
        folder: string,
        finding: string | undefined,
        { as, config, ...overrides }: Overrides & Omit<ReproduceFlags, 'overrides'>,
      ) =>
        guarded(async () =>
          (await import('../reproduce.ts')).reproduce(
            folder,
            finding,
            { as, config, overrides },
            output,
            signal,
          ),
        ),
    );
}

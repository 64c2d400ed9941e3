import { type Command, Option } from 'commander';
import { type CaseFormat, caseFormats } from '../report/case-formats.ts';
import type { Output } from './terminal/output.ts';

type Edge = {
  readonly guarded: (work: () => Promise<number>) => Promise<void>;
  readonly output: Output;
  readonly signal: AbortSignal;
};

/** Commands that start from the folder of an earlier run. */
export function addRunCommands(program: Command, { guarded, output, signal }: Edge): void {
  program
    .command('reproduce')
    .description('send the smallest case that showed a violation again, and say whether it is still there')
    .argument('<run>', 'folder of a run, such as reports/<run>')
    .argument('[finding]', 'finding, such as IDM-6/createCase (default: the first one)')
    .option('-c, --config <file>', 'configuration (default: that of the run)')
    .option('-u, --base-url <url>', 'target (default: that of the run)')
    .option('--output <folder>', 'where the evidence is written, in a folder of its own')
    .option('--allow-production', 'allow a target whose environment is production')
    .addOption(new Option('--as <format>', 'print the case and send nothing').choices(caseFormats))
    .addHelpText(
      'after',
      '\nA race, and what no repeat showed again, is sent ten times.\nExit codes: 0 not reproduced (or printed), 1 reproduced, 2 it could not be sent, 3 inconclusive.',
    )
    .action(
      (
        folder: string,
        finding: string | undefined,
        options: {
          readonly config?: string;
          readonly baseUrl?: string;
          readonly output?: string;
          readonly allowProduction?: boolean;
          readonly as?: CaseFormat;
        },
      ) =>
        guarded(async () => {
          const { as, config, ...overrides } = options;
          return (await import('./reproduce.ts')).reproduce(
            folder,
            finding,
            { as, config, overrides },
            output,
            signal,
          );
        }),
    );

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
      '\nExit codes: 0 all can be or were deleted, 2 there is no such run, 3 some remain.',
    )
    .action(
      (
        folder: string,
        options: {
          readonly run?: boolean;
          readonly config?: string;
          readonly baseUrl?: string;
          readonly allowProduction?: boolean;
        },
      ) =>
        guarded(async () => {
          const { config, run, ...overrides } = options;
          return (await import('./cleanup.ts')).cleanup(
            folder,
            { config, overrides, run: run === true },
            output,
            signal,
          );
        }),
    );
}

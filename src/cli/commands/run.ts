import type { Command } from 'commander';
import type { Overrides } from '../../config/config.ts';
import { trouble } from '../../model/input-error.ts';
import { builtInConfig, configFile } from '../../run/place.ts';
import type { Resumable } from '../../run/resume.ts';
import type { Shard } from '../../run/shard.ts';
import type { CommandContext } from '../context.ts';
import {
  budgetOption,
  challengeText,
  collect,
  type EndingOptions,
  endingOf,
  type Filters,
  failOnOption,
  formatOption,
  narrowing,
  runName,
  seedNumber,
  unstableOption,
  whole,
  withFilters,
  withoutFilters,
} from '../options.ts';
import { exitCodeOf } from '../terminal/ending.ts';

type RunCommandOptions = Filters &
  Overrides &
  EndingOptions & {
    readonly config?: string;
    readonly challenge?: string;
    readonly runName?: string;
    readonly quiet?: boolean;
    readonly lastFailed?: boolean;
    readonly bail?: number | true;
    readonly watch?: boolean;
    readonly resume?: string;
    readonly shard?: string;
    readonly runId?: string;
  };

export function addRun(program: Command, { guarded, output, signal }: CommandContext): void {
  withFilters(
    program
      .command('run')
      .description('run the suites against a target and report every violation with its request IDs'),
  )
    .option(
      '-c, --config <file>',
      'configuration (default: ./harness.config.yaml; with --base-url reference the built-in one)',
    )
    .option(
      '-u, --base-url <url>',
      'target, in place of target.baseUrl; `reference` starts the embedded service',
    )
    .option('--last-failed', 'only what the last run in the output folder violated; PARTIAL too')
    .option('--resume <run>', 'continue a run that was cut short, with the options in its log')
    .option(
      '--shard <i/n>',
      'one part of the plan, such as 2/3; last: the part that must run after all others; auto: the part with the job number of the CI engine (auto/3: one of three)',
    )
    .option(
      '--run-id <id>',
      'with --shard: ID of the run to which all shards belong (default: ASSAY_RUN_ID, or the ID of the CI pipeline)',
    )
    .option('--bail [n]', 'end after n violations (1 if n is left out)', whole(1))
    .option('--watch', 'run again when a key is pressed (q ends)')
    .option('--seed <number>', 'seed of the plan (default: random, shown in the report)', seedNumber)
    .addOption(budgetOption())
    .option('--max-requests <n>', 'maximum number of requests', whole(1))
    .option('--max-seconds <n>', 'maximum duration in seconds', whole(1))
    .option('--concurrency <n>', 'maximum number of requests in flight', whole(1, 256))
    .option('--output <folder>', 'folder for reports; each run gets a folder of its own')
    .option('--allow-production', 'allow a target whose environment is production')
    .option('--against <run>', 'folder of an earlier run, to show in the reports what changed since')
    .option('-k, --key <files>', 'private keys (PEM, ed25519) to sign the run with (repeatable)', collect)
    .option(
      '--challenge <nonce>',
      'text from an auditor; it goes into the evidence and every key, and proves that the run is not older than the text',
      challengeText,
    )
    .addOption(
      failOnOption(
        'which violations make the exit code 1: any; stated (of stated clauses); unwaived; new (not in the run given with --against). Waived violations count only for `any`. The verdict stays the same',
      ),
    )
    .addOption(unstableOption('ends the run'))
    .addOption(formatOption())
    .option('--run-name <name>', "name of the run's folder (default: its start and a random part)", runName)
    .option('-q, --quiet', 'no progress on standard error')
    .addHelpText(
      'after',
      '\nExit codes: 0 conformant, 1 violations, 2 the harness or its configuration failed, 3 not fully verified.\nTokens come from the environment, from files or from commands, as the configuration says.',
    )
    .action((options: RunCommandOptions) =>
      guarded(async () => {
        const { run } = await import('../run.ts');
        const resumed = options.resume === undefined ? undefined : await resumedRun(options.resume, options);
        const file = resumed?.header.configuration.file ?? configFile(options);
        const {
          lastFailed,
          bail,
          watch,
          resume: _resume,
          shard,
          runId,
          quiet,
          key: _key,
          against: _against,
          challenge,
          failOn: _failOn,
          unstable: _unstable,
          format: _format,
          runName: name,
          config: _config,
          ...overrides
        } = withoutFilters(options);
        const once = async (): Promise<number> =>
          (
            await run(
              file,
              {
                // The built-in configuration belongs to the package: its runs go to the working directory.
                overrides: {
                  ...(file === builtInConfig() ? { output: 'reports' } : {}),
                  ...overrides,
                  ...(resumed === undefined ? {} : overridesOf(resumed)),
                },
                resume: resumed,
                shard: await shardOf(shard, runId),
                ...narrowing(options),
                lastFailed: lastFailed === true,
                bail: bail === true ? 1 : bail,
                quiet: quiet === true,
                ...endingOf(options),
                challenge,
                runName: name,
              },
              output,
              signal,
            )
          ).exitCode;
        if (watch !== true) return once();
        return (await import('../watch.ts')).watch(
          () => exitCodeOf(once, output, process.env),
          process.stdin,
          output,
          signal,
        );
      }),
    );
}

/** The part of a plan that the options name. */
async function shardOf(text: string | undefined, runId: string | undefined): Promise<Shard | undefined> {
  if (text !== undefined) return (await import('../shard.ts')).shardOf(text, runId, process.env);
  if (runId === undefined) return undefined;
  throw trouble('--run-id', 'it needs --shard', 'leave it out, or name the shard');
}

/** What a resumed run was begun with: the log says it, so that nothing else may. */
async function resumedRun(folder: string, options: RunCommandOptions): Promise<Resumable> {
  const given = (
    [
      ['--config', options.config],
      ['--base-url', options.baseUrl],
      ['--seed', options.seed],
      ['--budget', options.budget],
      ['--max-requests', options.maxRequests],
      ['--max-seconds', options.maxSeconds],
      ['--challenge', options.challenge],
      ['--run-name', options.runName],
      ['--last-failed', options.lastFailed],
      ['--watch', options.watch],
      ['--shard', options.shard],
      ['--run-id', options.runId],
      ...Object.entries(narrowing(options)).map(([name, value]) => [`the filter of ${name}`, value] as const),
    ] as const
  ).find(([, value]) => value !== undefined);
  if (given !== undefined)
    throw trouble(
      '--resume',
      `it does not go with ${given[0]}: a resumed run keeps its options`,
      'leave one of them out',
    );
  return (await import('../../run/resume.ts')).readResumable(folder);
}

function overridesOf({ header }: Resumable): Overrides {
  const { baseUrl } = header.target;
  return { baseUrl, seed: header.seed, budget: header.budget, ...header.limits };
}

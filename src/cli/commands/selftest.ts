import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { budgetOption, collect, whole } from '../options.ts';

export function addSelftest(program: Command, { guarded, output, signal }: CommandContext): void {
  program
    .command('selftest')
    .description(
      'run the suites against seeded faults and variants: each fault must be caught, and no variant accused',
    )
    .option('--fault <id>', 'only these faults (repeatable, or a list with commas)', collect)
    .option('--variant <id>', 'only these variants (repeatable, or a list with commas)', collect)
    .option(
      '--class <letter>',
      'only faults whose ID begins with one of: R, A, P, V, I, C, S, T, G, M, E (repeatable, or a list with commas)',
      collect,
    )
    .option('--seeds <n>', 'try each fault with the seeds 1 to n', whole(1), 1)
    .addOption(budgetOption())
    .option('--combinations <n>', 'how many random combinations of variants to try', whole(0), 0)
    .option('--contracts <n>', 'instead, test random contracts with random variants', whole(1))
    .option(
      '--contract-faults <n>',
      'with --contracts: trials of a seeded fault on a random contract',
      whole(0),
      0,
    )
    .option('--seed <number>', 'with --contracts: seed of the contracts', whole(0), 1)
    .option('--skip <n>', 'with --contracts: how many contracts of the seed to skip', whole(0), 0)
    .option('--jobs <n>', 'worker threads (default: one for each processor)', whole(1))
    .option(
      '--from <file>',
      'run nothing: write an earlier result again (--json, --write), with the consequences that the faults name now',
    )
    .option('--keep <folder>', 'keep the evidence of each fault, and of each failed trial, in this folder')
    .option(
      '--rejudge <folder>',
      'send nothing: judge kept evidence again without each clause in turn; each clause must be missed',
    )
    .option(
      '--without <code>',
      'with --rejudge: only these clauses (repeatable, or a list with commas)',
      collect,
    )
    .option('--json <file>', 'write the results as JSON')
    .option('--write <file>', 'write the page of figures and tables, such as docs/accuracy.md')
    .addHelpText(
      'after',
      '\nExit codes: 0 every fault is caught and no variant accused, 1 otherwise, 2 a flag is wrong.',
    )
    .action(
      (options: {
        readonly fault?: readonly string[];
        readonly variant?: readonly string[];
        readonly class?: readonly string[];
        readonly seeds: number;
        readonly budget?: 'quick' | 'standard' | 'thorough';
        readonly combinations: number;
        readonly jobs?: number;
        readonly json?: string;
        readonly write?: string;
        readonly keep?: string;
        readonly rejudge?: string;
        readonly from?: string;
        readonly without?: readonly string[];
        readonly contracts?: number;
        readonly contractFaults: number;
        readonly skip: number;
        readonly seed: number;
      }) =>
        guarded(async () => {
          if (options.contracts !== undefined)
            return (await import('../../selftest/contracts.ts')).contractsSelftest(
              {
                contracts: options.contracts,
                contractFaults: options.contractFaults,
                seed: options.seed,
                jobs: options.jobs,
                json: options.json,
                skip: options.skip,
              },
              output,
              signal,
            );
          if (options.from !== undefined)
            return (await import('../../selftest/selftest.ts')).reread(options.from, {
              json: options.json,
              write: options.write,
            });
          if (options.rejudge !== undefined)
            return (await import('../../selftest/removal.ts')).removal(
              options.rejudge,
              options.without,
              output,
            );
          return (await import('../../selftest/selftest.ts')).selftest(
            {
              faults: options.fault,
              variants: options.variant,
              classes: options.class,
              seeds: options.seeds,
              budget: options.budget ?? 'quick',
              combinations: options.combinations,
              jobs: options.jobs,
              json: options.json,
              write: options.write,
              keep: options.keep,
            },
            output,
            signal,
          );
        }),
    );
}

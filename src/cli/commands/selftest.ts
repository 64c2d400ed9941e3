import type { Command } from 'commander';
import type { ContractsFlags } from '../../selftest/contracts.ts';
import type { SelfTestFlags } from '../../selftest/selftest.ts';
import type { CommandContext } from '../context.ts';
import { budgetOption, collect, whole } from '../options.ts';
import { requireFolder, requireWritable } from '../writable.ts';

type SelfTestOptions = Omit<ContractsFlags, 'contracts'> &
  Omit<SelfTestFlags, 'budget'> &
  Partial<Pick<ContractsFlags, 'contracts'> & Pick<SelfTestFlags, 'budget'>> & {
    readonly from?: string;
    readonly rejudge?: string;
    readonly without?: readonly string[];
  };

export function addSelftest(program: Command, { guarded, output, signal }: CommandContext): void {
  program
    .command('selftest')
    .description(
      'run the suites against seeded faults and variants: each fault must be caught, and no variant accused',
    )
    .option(
      '--fault <id>',
      'only these faults, with --contracts too (repeatable, or a list with commas)',
      collect,
    )
    .option('--variant <id>', 'only these variants (repeatable, or a list with commas)', collect)
    .option(
      '--class <letter>',
      'only faults whose ID begins with one of: R, A, P, V, I, C, S, T, G, M, E (repeatable, or a list with commas)',
      collect,
    )
    .option(
      '--seeds <n>',
      'try each fault, and each variant of --variant, with the seeds 1 to n',
      whole(1),
      1,
    )
    .addOption(budgetOption('quick'))
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
    .option('--http', 'send over HTTP and in real time (default: within the process, in virtual time)')
    .option(
      '--from <file>',
      'run nothing: read an earlier --json file, and write its figures again (--json, --write) with the clauses that each fault may break now',
    )
    .option(
      '--keep <folder>',
      'keep the evidence of each fault, and of each failed trial, in this folder (with --contracts: also their contracts)',
    )
    .option(
      '--rejudge <folder>',
      'send nothing: judge kept evidence again without each clause in turn; without a clause, its fault must be missed',
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
    .action((options: SelfTestOptions) =>
      guarded(async () => {
        const { contracts, from, rejudge } = options;
        await requireWritable('--json', options.json);
        await requireWritable('--write', options.write);
        await requireFolder('--keep', options.keep);
        if (contracts !== undefined)
          return (await import('../../selftest/contracts.ts')).contractsSelftest(
            { ...options, contracts },
            output,
            signal,
          );
        const { reread, selftest } = await import('../../selftest/selftest.ts');
        if (from !== undefined) return reread(from, options);
        if (rejudge !== undefined)
          return (await import('../../selftest/removal.ts')).removal(rejudge, options.without, output);
        return selftest({ ...options, budget: options.budget ?? 'quick' }, output, signal);
      }),
    );
}

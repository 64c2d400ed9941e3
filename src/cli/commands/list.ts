import { Argument, type Command } from 'commander';
import { configFile } from '../../run/place.ts';
import type { CommandContext } from '../context.ts';

const listable = ['clauses', 'suites', 'operations', 'principals', 'open-points'] as const;

export function addList(program: Command, { guarded, output }: CommandContext): void {
  program
    .command('list')
    .description('list clauses, suites, operations, principals or the open points of the contract')
    .addArgument(new Argument('<what>', 'what to list').choices([...listable]))
    .option('-c, --config <file>', 'configuration (default: as for run)')
    .option('-u, --base-url <url>', 'target, in place of target.baseUrl')
    .addHelpText('after', '\nExit codes: 0 listed, 2 the configuration or a flag is wrong.')
    .action(
      (what: (typeof listable)[number], options: { readonly config?: string; readonly baseUrl?: string }) =>
        guarded(async () => (await import('../list.ts')).list(what, () => configFile(options), output)),
    );
}

import type { Command } from 'commander';
import type { Overrides } from '../../config/config.ts';
import { configFile } from '../../run/place.ts';
import type { CommandContext } from '../context.ts';
import {
  budgetOption,
  type Filters,
  narrowing,
  seedNumber,
  withFilters,
  withoutFilters,
} from '../options.ts';

type PlanOptions = Filters & Overrides & { readonly config?: string; readonly shard?: string };

export function addPlan(program: Command, { guarded, output, signal }: CommandContext): void {
  withFilters(
    program
      .command('plan')
      .description('show what a run would send, and what cannot be tested and why; sends nothing'),
  )
    .option('-c, --config <file>', 'configuration (default: as for run)')
    .option('-u, --base-url <url>', 'target, in place of target.baseUrl')
    .option('--seed <number>', 'seed of the plan', seedNumber)
    .addOption(budgetOption())
    .option('--shard <i/n>', 'only this part, such as 2/3, last or auto; shows all parts')
    .addHelpText('after', '\nExit codes: 0 shown, 2 the configuration or a flag is wrong.')
    .action((options: PlanOptions) =>
      guarded(async () => {
        const { plan } = await import('../plan.ts');
        const { config: _config, shard, ...overrides } = withoutFilters(options);
        const part =
          shard === undefined ? undefined : (await import('../shard.ts')).partOf(shard, process.env);
        return plan(configFile(options), { overrides, part, ...narrowing(options) }, output, signal);
      }),
    );
}

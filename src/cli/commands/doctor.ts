import type { Command } from 'commander';
import type { Overrides } from '../../config/config.ts';
import { configFile } from '../../run/place.ts';
import type { CommandContext } from '../context.ts';

export function addDoctor(program: Command, { guarded, output, signal }: CommandContext): void {
  program
    .command('doctor')
    .description('check configuration, contract, target and tokens with one request for each principal')
    .option('-c, --config <file>', 'configuration (default: ./harness.config.yaml)')
    .option('-u, --base-url <url>', 'target, in place of target.baseUrl')
    .option('--allow-production', 'allow a target whose environment is production')
    .addHelpText(
      'after',
      '\nExit codes: 0 ready, 2 something must be fixed first, 3 a run can begin and could test more.',
    )
    .action((options: Overrides & { readonly config?: string }) =>
      guarded(async () => {
        const { config: _config, ...overrides } = options;
        return (await import('../doctor.ts')).doctor(configFile(options), overrides, output, signal);
      }),
    );
}

import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import type { InitFlags } from '../init.ts';

export function addInit(program: Command, { guarded, output }: CommandContext): void {
  program
    .command('init')
    .description('write a configuration from an OpenAPI document; it can run unchanged')
    .option('-u, --base-url <url>', 'base URL of the target (default: init asks for it on a terminal)')
    .option(
      '--contract <file>',
      'OpenAPI document of the operations (default: a copy of the contract of POST /cases)',
    )
    .option('--output <file>', 'file to write', 'harness.config.yaml')
    .option('--force', 'replace an existing file')
    .addHelpText('after', '\nExit codes: 0 written, 2 the contract or a flag is wrong, or the file exists.')
    .action((options: InitFlags) => guarded(async () => (await import('../init.ts')).init(options, output)));
}

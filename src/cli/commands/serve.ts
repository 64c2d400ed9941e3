import type { Command } from 'commander';
import { servedConfig } from '../../run/place.ts';
import type { CommandContext } from '../context.ts';
import { whole } from '../options.ts';
import type { ServeFlags } from '../serve.ts';

export function addServe(program: Command, { guarded, output, signal }: CommandContext): void {
  program
    .command('serve')
    .description('serve the reference service, and print its URL and its test tokens')
    .option('-p, --port <number>', 'port on 127.0.0.1 (0: any free port)', whole(0), 8787)
    .option(
      '-c, --config <file>',
      'configuration with the principals of the service (default with --fault: that of the extended catalogue)',
    )
    .option('--contract <file>', 'contract document to serve (default: that of the configuration)')
    .option('--fault <id>', 'seed a fault, such as I07')
    .addHelpText('after', '\nExit codes: 0 served until Ctrl-C, 2 the configuration or a flag is wrong.')
    .action((options: ServeFlags & { readonly config?: string }) =>
      guarded(async () => {
        const file = servedConfig(options.config, options.fault);
        return (await import('../serve.ts')).serve(file, options, output, signal);
      }),
    );
}

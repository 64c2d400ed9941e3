import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';
import { challengeText, collect } from '../options.ts';

export function addVerify(program: Command, { guarded, output }: CommandContext): void {
  program
    .command('verify')
    .description(
      'verify that a run is unaltered: log, report, renderings and signatures; recomputes every verdict; sends nothing',
    )
    .argument('<run>', 'folder of a run, such as reports/<run>')
    .option('-k, --key <files>', 'public keys (PEM) of signers that must have signed (repeatable)', collect)
    .option(
      '--challenge <nonce>',
      'text that you gave before the run; the evidence must have it',
      challengeText,
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 everything holds, 1 something does not, 2 there is nothing to verify.',
    )
    .action((folder: string, options: { readonly key?: readonly string[]; readonly challenge?: string }) =>
      guarded(async () =>
        (await import('../verify.ts')).verify(folder, options.key ?? [], output, options.challenge),
      ),
    );
}

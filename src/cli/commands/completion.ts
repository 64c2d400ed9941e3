import { Argument, type Command } from 'commander';
import { completion, type Shell, shells } from '../completion.ts';
import type { CommandContext } from '../context.ts';

export function addCompletion(program: Command, { guarded, output }: CommandContext): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell, or all of them as JSON')
    .addArgument(new Argument('<shell>', 'shell, or json').choices([...shells]))
    .addHelpText(
      'after',
      '\nbash and zsh: source <(assay completion bash); fish: assay completion fish | source\nExit codes: 0 printed, 2 there is no such shell.',
    )
    .action((shell: Shell) =>
      guarded(async () => {
        const { commandLineOf } = await import('../command-line.ts');
        output.out(completion(shell, commandLineOf(program)));
        return 0;
      }),
    );
}

import type { Command } from 'commander';
import type { CommandContext } from '../context.ts';

export function addExplain(program: Command, { guarded, output }: CommandContext): void {
  program
    .command('explain')
    .description(
      'show what a clause requires, how it is tested, what a violation looks like and how to fix it',
    )
    .argument('[code]', 'code of a clause or of an open point, such as IDM-8 or G1')
    .option('--spec', 'print the whole specification, each sentence with the clauses that test it')
    .option('--json', 'with --spec: print JSON')
    .addHelpText('after', '\nExit codes: 0 shown, 2 there is no such clause or open point.')
    .action((code: string | undefined, options: { readonly spec?: boolean; readonly json?: boolean }) =>
      guarded(async () => {
        const { explain, explainSpecification } = await import('../explain.ts');
        return options.spec === true || code === undefined
          ? explainSpecification(options.json === true, output)
          : explain(code, output);
      }),
    );
}

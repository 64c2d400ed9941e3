import { inspect } from '../run/inspect.ts';
import { verifyingKeys } from '../run/keys.ts';
import type { Output } from './terminal/output.ts';

/** Checks that a bundle is what it was: log, report and signatures; every verdict is reached anew. @throws InputError */
export async function verify(folder: string, keyFiles: readonly string[], output: Output): Promise<number> {
  const keys = await verifyingKeys(keyFiles);
  const { problems, holds, unchecked } = await inspect(folder, keys);
  const { green, red, yellow, bold } = output.colours;
  for (const line of holds) output.out(`${green('holds')}        ${line}\n`);
  for (const line of unchecked) output.out(`${yellow('not checked')}  ${line}\n`);
  for (const line of problems) output.out(`${red('broken')}       ${line}\n`);
  output.out(
    problems.length === 0
      ? `${green(bold('Verified'))}\n`
      : `${red(bold('Not verified'))}: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}\n`,
  );
  return problems.length === 0 ? 0 : 1;
}

import { type Inspection, inspect } from '../run/inspect.ts';
import { verifyingKeys } from '../run/keys.ts';
import type { Output } from './terminal/output.ts';

/** Checks that a bundle is unaltered: log, report, renderings and signatures; recomputes every verdict. @throws InputError */
export async function verify(
  folder: string,
  keyFiles: readonly string[],
  output: Output,
  challenge?: string,
): Promise<number> {
  const keys = await verifyingKeys(keyFiles);
  const inspection = await inspect(folder, keys, challenge);
  const { problems, holds, unchecked } = inspection;
  const { green, red, yellow, bold } = output.colours;
  for (const line of holds) output.out(`${green('holds')}        ${line}\n`);
  for (const line of unchecked) output.out(`${yellow('not checked')}  ${line}\n`);
  for (const line of problems) output.out(`${red('broken')}       ${line}\n`);
  const paint = problems.length > 0 ? red : unchecked.length > 0 ? yellow : green;
  output.out(`${paint(bold(conclusion(inspection)))}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** The bare word `Verified` is for a bundle in which nothing was left unchecked, signed by a key of the caller's. */
function conclusion({ problems, unchecked, origin }: Inspection): string {
  const count = problems.length;
  if (count > 0) return `Not verified: ${count} ${count === 1 ? 'problem' : 'problems'}`;
  if (origin === 'not checked') return 'Consistent; origin not checked';
  return unchecked.length === 0
    ? 'Verified'
    : `Consistent and signed by the keys given; ${unchecked.length} ${unchecked.length === 1 ? 'item' : 'items'} not checked`;
}

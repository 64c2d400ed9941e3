import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError } from '../model/input-error.ts';
import { bombs } from '../testing/attack/bombs.ts';
import { loadContract } from './load.ts';

test.each((await bombs()).map((bomb) => ({ name: bomb.name, bomb })))(
  '$name is read, or refused with one error',
  async ({ bomb }) => {
    const folder = join(await mkdtemp(join(tmpdir(), 'assay-bomb-')), 'contract');
    await mkdir(folder);
    const file = join(folder, 'contract.yaml');
    await writeFile(file, Buffer.from(bomb.text, bomb.place === 'schema' ? 'utf8' : 'latin1'));
    const said = await loadContract(file).then(
      () => '',
      (error: unknown) =>
        error instanceof InputError ? error.message : `not an InputError: ${String(error)}`,
    );
    if (bomb.refused === undefined) expect(said).not.toContain('not an InputError');
    else expect(said).toMatch(bomb.refused);
    expect(said.split('\n').length, said.slice(0, 300)).toBe(1);
  },
  // Where many run at once each takes ten times as long.
  180_000,
);

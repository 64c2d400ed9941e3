import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { deletionText } from '../run/cleanup.ts';
import { createdFile, isCreatedRight } from '../run/created.ts';
import { capture } from '../testing/captured.ts';
import { startFaulty } from '../testing/faulty-run.ts';
import { cleanup } from './cleanup.ts';
import { run } from './run.ts';

const config = 'fixtures/contracts/extended.config.yaml';
const never = new AbortController().signal;

test('created.jsonl lists what a run created; cleanup prints how to delete it, and does it', async () => {
  const { reference, principals } = await startFaulty({}, config);
  try {
    const output = await mkdtemp(join(tmpdir(), 'assay-cleanup-'));
    const { exitCode } = await run(
      config,
      {
        overrides: { baseUrl: reference.url, output, budget: 'quick', seed: 3 },
        suites: ['missing-keys'],
        operations: ['createContact', 'createCase'],
        quiet: true,
      },
      capture().output,
      never,
    );
    expect([0, 3]).toContain(exitCode);
    const folder = join(output, 'latest');
    const text = await readFile(join(folder, createdFile), 'utf8');
    const records = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.length).toBeGreaterThan(1);
    for (const { id, operation, read, time } of records) {
      expect(text.split(`"${id}"`)).toHaveLength(2);
      expect(read).toBe(operation === 'createContact' ? `/contacts/${id}` : `/cases/${id}`);
      expect(Date.parse(time)).toBeGreaterThan(0);
    }
    expect(await isCreatedRight(folder)).toBe(true);

    const call = async (given: string, more: { readonly run: boolean }) => {
      const captured = capture();
      const code = await cleanup(folder, { config: given, overrides: {}, ...more }, captured.output, never);
      return { code, text: captured.text() };
    };
    // Cases have no DELETE in the contract: they remain, each by name.
    const contacts = records.filter(({ operation }) => operation === 'createContact').length;
    const printed = await call(config, { run: false });
    expect(printed.code).toBe(3);
    expect(printed.text.match(/^curl -fsS -X DELETE 'http.*\/contacts\/.*$/gm)).toHaveLength(contacts);
    expect(printed.text).toMatch(
      /^# createCase "\S+": the contract has no DELETE for it; set target\.cleanup$/m,
    );
    const done = await call(config, { run: true });
    expect(done).toEqual({
      code: 3,
      text: expect.stringContaining(`${contacts} of ${records.length} records deleted`),
    });
    const [contact] = records.filter(({ operation }) => operation === 'createContact');
    const token = principals.find(({ name }) => name === 'full')?.token ?? '';
    const gone = await fetch(`${reference.url}${contact.read}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(gone.status).toBe(404);

    const own = join(output, 'own.yaml');
    const deleted = join(output, 'deleted.txt');
    await writeFile(
      own,
      (await readFile(config, 'utf8'))
        .replace(
          'environment: test',
          `environment: test\n  cleanup: printf '%s\\n' "$ASSAY_ID" >> ${deleted}`,
        )
        .replace(/^contract: .*$/m, `contract: ${resolve('fixtures/contracts/extended-catalogue.yaml')}`),
    );
    const shell = await call(own, { run: false });
    expect(shell.code).toBe(0);
    expect(shell.text.match(/^\(cd '\S+' && ASSAY_OPERATION=.*\)$/gm)).toHaveLength(records.length);
    expect(shell.text).toContain(`(cd '${output}' && `);
    expect((await call(own, { run: true })).code).toBe(0);
    expect((await readFile(deleted, 'utf8')).trim().split('\n')).toEqual(records.map(({ id }) => id));
  } finally {
    await reference.close();
  }
}, 240_000);

test('what a target calls its records is never read by a shell', () => {
  const hostile = "x'; touch /tmp/owned; '";
  const env = { ASSAY_ID: hostile };
  const command = { kind: 'command', command: './delete.sh "$ASSAY_ID"', folder: "/it's here", env } as const;
  // As a command of the configuration, it runs in the folder of that.
  expect(deletionText(command, 'http://t')).toBe(
    `(cd '/it'\\''s here' && ASSAY_ID='x'\\''; touch /tmp/owned; '\\''' sh -c './delete.sh "$ASSAY_ID"')`,
  );
});

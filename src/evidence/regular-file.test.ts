import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readReport } from '../run/bundle.ts';
import { judged } from '../run/rejudge.ts';
import { readResumable } from '../run/resume.ts';
import { regularText } from './regular-file.ts';
import { replay } from './replay.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-regular-'));
  await mkdir(join(folder, 'folder/evidence.jsonl'), { recursive: true });
  await mkdir(join(folder, 'folder/report.json'), { recursive: true });
  await mkdir(join(folder, 'pipe'));
  await writeFile(join(folder, 'text'), 'a');
  if (process.platform !== 'win32')
    for (const name of ['evidence.jsonl', 'report.json'])
      execFileSync('mkfifo', [join(folder, 'pipe', name)]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the text of a file is read', async () => {
  expect(await regularText(join(folder, 'text'))).toBe('a');
  expect(await regularText(join(folder, 'nowhere'))).toBeUndefined();
});

describe.each(process.platform === 'win32' ? ['folder'] : ['folder', 'pipe'])(
  'a %s in the place of a file is one clear error at once',
  (kind) => {
    const log = (): string => join(folder, kind, 'evidence.jsonl');

    test('of the log', async () => {
      await expect(judged(log())).rejects.toThrow('evidence.jsonl: there is no such log; name the folder');
      await expect(replay(log()).entries[Symbol.asyncIterator]().next()).rejects.toThrow(
        'evidence.jsonl: there is no such log; name the folder',
      );
      await expect(readResumable(join(folder, kind))).rejects.toThrow(
        'there is no such log; name the folder',
      );
    });

    test('of the report', async () => {
      await expect(readReport(join(folder, kind))).rejects.toThrow(
        'report.json: there is no such report; name',
      );
      expect(await regularText(join(folder, kind, 'report.json'))).toBeUndefined();
    });
  },
);

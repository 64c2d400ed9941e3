import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { describe, expect, test } from 'vitest';
import { reportText } from '../report/read.ts';
import type { Report } from '../report/report.ts';
import { cellWith, findingWith, reportWith } from '../testing/sample-report.ts';
import type { Output } from './terminal/output.ts';
import { view } from './view.ts';

const run = (day: number, verdict: 'pass' | 'fail', product = 'Cases'): Report => {
  const base = reportWith({
    cells: [cellWith({ clause: 'IDM-6', verdict })],
    violations: verdict === 'fail' ? [findingWith({})] : [],
  });
  return {
    ...base,
    verdict: { ...base.verdict, outcome: verdict === 'fail' ? 'violations' : 'conformant' },
    run: { ...base.run, startedAt: `2026-01-0${day}T10:00:00.000Z` },
    subject: { ...base.subject, asserted: { ...base.subject.asserted, vendor: 'Ada & Sons', product } },
  };
};

async function folderWith(runs: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-view-'));
  for (const [name, text] of Object.entries(runs)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'report.json'), text);
  }
  return folder;
}

const three = {
  '2026-01-01T10-00-00-000Z-aaaaaa': reportText(run(1, 'fail')),
  '2026-01-02T10-00-00-000Z-bbbbbb': reportText(run(2, 'pass')),
  '2026-01-03T10-00-00-000Z-cccccc': reportText(run(3, 'pass', 'Contacts')),
  '2026-01-04T10-00-00-000Z-dddddd': '{"format":"assay-report/1"}',
};

function captured(onOut: (text: string) => void = () => undefined): Output {
  return { out: onOut, err: () => undefined, live: false, columns: 100, colours: pc.createColors(false) };
}

type Got = { readonly status: number | undefined; readonly text: string; readonly type: string | undefined };

function get(
  url: string,
  options: { readonly method?: string; readonly host?: string; readonly path?: string } = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: options.method ?? 'GET',
        headers: options.host === undefined ? {} : { host: options.host },
        ...(options.path === undefined ? {} : { path: options.path }),
      },
      (response) => {
        let text = '';
        response.on('data', (part) => {
          text += String(part);
        });
        response.on('end', () =>
          resolve({ status: response.statusCode, text, type: response.headers['content-type'] }),
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

/** Serves a folder for the time of `during`. */
async function served(folder: string, during: (url: string) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  let ended: Promise<number> = Promise.resolve(0);
  const url = await new Promise<string>((resolve, reject) => {
    ended = view(
      folder,
      { port: 0, write: false },
      captured((text) => resolve(text.trim())),
      stop.signal,
    );
    ended.catch(reject);
  });
  try {
    await during(url);
  } finally {
    stop.abort();
  }
  expect(await ended).toBe(0);
}

describe('the list of runs', () => {
  test('names subjects, runs in time, what changed, and folders that cannot be read', async () => {
    const folder = await folderWith(three);
    await served(folder, async (url) => {
      const { status, text, type } = await get(url);
      expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toContain('<h1>3 runs of 2 subjects</h1>');
      expect(text).toContain('Ada &amp; Sons');
      expect(text.indexOf('href="/runs/2026-01-02T10-00-00-000Z-bbbbbb"')).toBeLessThan(
        text.indexOf('href="/runs/2026-01-01T10-00-00-000Z-aaaaaa"'),
      );
      expect(text).toContain('<li class="toned good">1 fixed</li>');
      expect(text).toContain('<code>2026-01-04T10-00-00-000Z-dddddd</code>: it is not a report of format');
    });
  });

  test('shows a report from report.json, and never a page that somebody put next to it', async () => {
    const folder = await folderWith(three);
    const [first = ''] = Object.keys(three);
    await writeFile(join(folder, first, 'report.html'), '<script>alert(1)</script>');
    await served(folder, async (url) => {
      const { status, text } = await get(`${url}runs/${first}`);
      expect(status).toBe(200);
      expect(text).toContain('<title>Violations found: Cases 1.0, Assay report</title>');
      expect(text).not.toContain('alert(1)');
    });
  });

  test('is for this machine alone, to be read alone, and shows only the runs', async () => {
    const folder = await folderWith(three);
    await writeFile(join(folder, 'report.json'), reportText(run(1, 'pass')));
    await served(folder, async (url) => {
      expect((await get(url, { host: 'rebound.example' })).status).toBe(403);
      expect((await get(url, { method: 'POST' })).status).toBe(405);
      for (const path of [
        'runs/..',
        'runs/.',
        'runs/%2e%2e',
        'runs/../report.json',
        'runs/none',
        'nothing',
        'runs/',
      ])
        expect((await get(url, { path: `/${path}` })).status, path).toBe(404);
    });
  });

  test('can be written as a file that leads to the reports next to it', async () => {
    const folder = await folderWith(three);
    const [first = ''] = Object.keys(three);
    await writeFile(join(folder, first, 'report.html'), 'x');
    expect(await view(folder, { port: 0, write: true }, captured(), new AbortController().signal)).toBe(0);
    const text = await readFile(join(folder, 'index.html'), 'utf8');
    expect([...text.matchAll(/href="([^"#]*\.html)"/g)].map((match) => match[1])).toEqual([
      `${first}/report.html`,
    ]);
    expect(await readdir(folder)).toHaveLength(5);
  });
});

test.each<[string, () => Promise<string>, string]>([
  ['no folder', async () => '/nowhere/at/all', '/nowhere/at/all: there is no such folder'],
  ['an empty one', () => folderWith({}), 'there are no runs in it'],
  [
    'one with old reports alone',
    () => folderWith({ old: '{"format":"assay-report/1"}' }),
    'there are no runs with a report of this version in it (old: it is not a report of format',
  ],
])('%s is reported in one line', async (_, make, problem) => {
  const folder = await make();
  await expect(
    view(folder, { port: 0, write: false }, captured(), new AbortController().signal),
  ).rejects.toThrow(problem);
});

test('a folder that is not served is not listed, and neither is a link to one', async () => {
  const folder = await folderWith({
    ...three,
    '.hidden': reportText(run(5, 'pass', 'Hidden')),
    'a b': reportText(run(5, 'pass', 'Spaced')),
  });
  const elsewhere = await folderWith({ secret: reportText(run(5, 'pass', 'Linked')) });
  await symlink(join(elsewhere, 'secret'), join(folder, 'linked'));
  await view(folder, { port: 0, write: true }, captured(), new AbortController().signal);
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  for (const name of ['Hidden', 'Spaced', 'Linked']) expect(page).not.toContain(name);
  expect(page).toContain('Contacts');
});

test('the page is not written through a link', async () => {
  const folder = await folderWith(three);
  const other = join(await mkdtemp(join(tmpdir(), 'assay-other-')), 'precious.txt');
  await writeFile(other, 'precious');
  await symlink(other, join(folder, 'index.html'));
  await expect(
    view(folder, { port: 0, write: true }, captured(), new AbortController().signal),
  ).rejects.toThrow('it is a symbolic link, and is not written through; remove the link');
  expect(await readFile(other, 'utf8')).toBe('precious');
});

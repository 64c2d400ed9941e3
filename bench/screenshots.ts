import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { report } from '../src/cli/report.ts';
import { view } from '../src/cli/view.ts';
import { faults } from '../src/reference/faults/catalogue.ts';
import { openBrowser } from '../src/testing/browser.ts';
import { capture } from '../src/testing/captured.ts';
import { faultyRun } from '../src/testing/faulty-run.ts';

/** Pictures of reports for the documentation, made of runs against the reference service with seeded faults. */
const into = resolve(process.argv[2] ?? 'docs/screenshots');
const mostBytes = 150_000;
const config = 'fixtures/contracts/extended.config.yaml';

type Shot = {
  readonly name: string;
  readonly file: string;
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  /** What is to be seen: from the top of the page, or of the element, so many pixels. */
  readonly of: string | undefined;
  readonly height: number;
};

async function runWith(fault: string, suites: readonly string[] | undefined): Promise<string> {
  const found = faults.find(({ id }) => id === fault);
  const {
    folder,
    terminal,
    report: made,
  } = await faultyRun(found?.change ?? {}, {
    config,
    operations: ['createCase'],
    ...(suites === undefined ? {} : { suites }),
  });
  if (made === undefined) throw new Error(`the run against fault ${fault} has no report: ${terminal}`);
  process.stdout.write(`fault ${fault}: ${made.verdict.outcome}\n`);
  if (made.verdict.outcome !== 'violations') throw new Error(`fault ${fault} was not caught: ${terminal}`);
  return folder;
}

async function shoot(browser: Browser, shot: Shot): Promise<void> {
  const context = await browser.newContext({
    colorScheme: shot.colorScheme,
    viewport: { width: shot.width, height: shot.height },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(pathToFileURL(shot.file).href);
  const clip = { ...(await partOf(page, shot.of)), height: shot.height };
  const path = join(into, `${shot.name}.png`);
  await page.screenshot({ path, fullPage: true, clip });
  await context.close();
  const { size } = await stat(path);
  process.stdout.write(`${relative('.', path)}  ${Math.round(size / 1000)} kB\n`);
  if (size > mostBytes) {
    process.stdout.write(`it has more than ${mostBytes / 1000} kB\n`);
    process.exitCode = 1;
  }
}

/** Where the picture begins, and how wide it is: the element with a margin, or the page. */
async function partOf(
  page: Page,
  selector: string | undefined,
): Promise<{ readonly x: number; readonly y: number; readonly width: number }> {
  const whole = { x: 0, y: 0, width: page.viewportSize()?.width ?? 0 };
  if (selector === undefined) return whole;
  const box = await page.locator(selector).first().boundingBox();
  return box === null
    ? whole
    : { x: Math.max(0, box.x - 16), y: Math.max(0, box.y - 16), width: box.width + 32 };
}

await mkdir(into, { recursive: true });
const folder = join(await mkdtemp(join(tmpdir(), 'assay-screenshots-')), 'reports');
await mkdir(folder);
const runs: string[] = [];
for (const [fault, suites] of [
  ['P02', ['wrong-permissions', 'lost-responses']],
  ['I07', undefined],
] as const) {
  const made = await runWith(fault, suites);
  const at = join(folder, made.split('/').at(-1) ?? fault);
  await rename(made, at);
  runs.push(at);
}
const [before = '', after = ''] = runs;
await report(
  after,
  { format: ['html'], output: undefined, against: before, support: undefined },
  capture().output,
);
// The page of the runs names their folder as it was given.
const home = process.cwd();
process.chdir(join(folder, '..'));
await view('reports', { port: 0, write: true }, capture().output, new AbortController().signal);
process.chdir(home);

const file = join(after, 'report.html');
const runsPage = join(folder, 'index.html');
const browser = await openBrowser();
try {
  const both = (shot: Pick<Shot, 'name' | 'of'>, wide: number): readonly Shot[] =>
    (['light', 'dark'] as const).flatMap((colorScheme) => [
      { ...shot, name: `${shot.name}-${colorScheme}`, file, colorScheme, width: 1280, height: wide },
      { ...shot, name: `${shot.name}-390-${colorScheme}`, file, colorScheme, width: 390, height: 844 },
    ]);
  const shots: readonly Shot[] = [
    ...both({ name: 'decision', of: undefined }, 640),
    ...both({ name: 'violation', of: '.clause' }, 760),
    { name: 'throttling', file, colorScheme: 'light', width: 1280, of: '#throttling', height: 640 },
    { name: 'view', file: runsPage, colorScheme: 'light', width: 1280, of: undefined, height: 680 },
  ];
  for (const shot of shots) await shoot(browser, shot);
} finally {
  await browser.close();
  await rm(join(folder, '..'), { recursive: true });
}

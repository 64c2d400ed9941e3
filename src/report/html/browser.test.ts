import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, noBrowser, openBrowser } from '../../testing/browser.ts';
import { faultyRun, faultyServices } from '../../testing/faulty-run.ts';
import { excerptWith, findingWith } from '../../testing/sample-report.ts';
import type { Report } from '../report.ts';
import { renderHtml } from './html.tsx';
import { makeShelf } from './runs.ts';
import { renderRuns } from './runs-page.tsx';

/** What the page says about the violations of the run that it is made of. */
type Opened = { readonly page: Page; readonly complaints: string[]; readonly requests: string[] };

/** Each kind of what a report says of a target that stopped responding. */
const stop = {
  exchange: 'x43',
  operation: 'createCase',
  request: `POST /cases, body of 1100 bytes: {"subject":"${'a'.repeat(68)}...`,
  scenario: 'the body is not JSON',
  suite: 'schema-violations',
  probe: 'malformed',
  stops: 3,
};
const stops: NonNullable<Report['run']['stops']> = [
  { ...stop, there: 3, again: 3, stopped: 3 },
  { ...stop, exchange: 'x44', there: 1, again: 0, stopped: 0 },
  { ...stop, exchange: 'x45', there: 1, again: 1, stopped: 0 },
];

const required = process.env['ASSAY_BROWSER'] === 'required';

// A machine without a browser says so by name; CI has one, and must.
if (chromiumPath === undefined && !required) describe.skip(noBrowser, () => test('the report in a browser'));
else
  describe('the report in Chromium', () => {
    let browser: Browser;
    let folder: string;
    let report: Report;
    let file: string;
    beforeAll(async () => {
      browser = await openBrowser();
      folder = await mkdtemp(join(tmpdir(), 'assay-html-'));
      const run = await faultyRun(faultyServices['no permissions'] ?? {}, {
        suites: ['missing-keys', 'wrong-permissions', 'duplicate-keys', 'credentials', 'throttling'],
      });
      if (run.report === undefined) throw new Error(run.terminal);
      // A cursor is one long word, and the page is narrow.
      const violations = run.report.violations.map((finding) => ({
        ...finding,
        exchanges: finding.exchanges.map((one) => ({
          ...one,
          request: `${one.request}?cursor=${'a'.repeat(90)}`,
        })),
      }));
      report = { ...run.report, violations, run: { ...run.report.run, stops } };
      file = join(run.folder, 'report.html');
      await writeFile(file, renderHtml(report));
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await rm(folder, { recursive: true, force: true });
    });

    const open = async (of: string, options: BrowserContextOptions = {}): Promise<Opened> => {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(pathToFileURL(of).href);
      return { page, complaints, requests };
    };

    test('opens from a file, without a complaint, and asks for nothing else', async () => {
      const { page, complaints, requests } = await open(file);
      await page.locator('summary').first().click();
      expect(complaints).toEqual([]);
      expect(requests.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(file).href]);
      expect(await page.title()).toBe('Violations found: Reference service 1.27.0, Assay report');
      await page.context().close();
    });

    test.each([
      ['light', 1280, true],
      ['dark', 1280, true],
      ['light', 390, true],
      ['dark', 390, true],
      ['light', 1280, false],
      ['dark', 390, false],
    ] as const)(
      'axe-core finds nothing: %s, %d wide, scripts of the page: %s',
      async (colorScheme, width, scripts) => {
        // axe-core is a script itself: the page is read as it is where scripts are off, by leaving its own out.
        const plain = join(folder, 'plain.html');
        await writeFile(plain, (await readFile(file, 'utf8')).replace(/<script>[\s\S]*<\/script>/, ''));
        const { page } = await open(scripts ? file : plain, {
          colorScheme,
          viewport: { width, height: 900 },
          bypassCSP: true,
        });
        expect(await page.getByRole('button', { name: 'Close all' }).count()).toBe(scripts ? 1 : 0);
        await page.evaluate(() => {
          for (const box of document.querySelectorAll('details')) box.open = true;
        });
        await page.addScriptTag({ content: axe.source });
        const found: unknown = await page.evaluate(axeFindings);
        expect(found).toEqual([]);
        // Tables and drawings scroll on their own; the page does not.
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
        // Only a matrix has columns for as many operations as there are, and is moved sideways.
        if (width === 390) expect(await page.evaluate(cutParts)).toEqual([]);
        await page.context().close();
      },
      120_000,
    );

    test.each([true, false])(
      'every violation is reached by keyboard (scripts: %s)',
      async (javaScriptEnabled) => {
        const { page } = await open(file, { javaScriptEnabled });
        expect(report.violations.length).toBeGreaterThan(3);
        const reached = new Set<string>();
        let focused = '';
        for (let presses = 0; presses < 2000 && focused !== 'BODY'; presses += 1) {
          await page.keyboard.press('Tab');
          focused = await page.evaluate(describeFocus);
          reached.add(focused);
        }
        for (const { id } of report.violations) {
          expect(reached).toContain(`link to ${id}`);
          expect(reached).toContain(`finding ${id}`);
        }
        await page.context().close();
      },
      120_000,
    );

    test('Enter on a link opens the violation that it names', async () => {
      const { page } = await open(file);
      const last = report.violations[report.violations.length - 1]?.id ?? '';
      const article = page.locator('article.finding', {
        has: page.getByRole('heading', { name: last, exact: true }),
      });
      await page.getByRole('button', { name: 'Close all' }).click();
      expect(await article.locator(':scope > details').getAttribute('open')).toBeNull();
      const id = await article.getAttribute('id');
      await page.locator(`#attention a[href="#${id}"]`).focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction((of) => document.querySelector(`#${of} > details[open]`) !== null, id);
      expect(await article.locator('svg.sequence:not(.slim)').isVisible()).toBe(true);
      await page.context().close();
    });

    test('the short form has at most six sheets', async () => {
      const path = join(folder, 'short.html');
      await writeFile(path, renderHtml(spread(report, 30)));
      const { page } = await open(path);
      const shown = async (): Promise<readonly string[]> =>
        page
          .locator('main > section')
          .evaluateAll((all) =>
            all.filter((element) => element.getBoundingClientRect().height > 0).map(({ id }) => id),
          );
      expect(await shown()).not.toContain('short');
      await page.getByRole('link', { name: 'Short form for print' }).click();
      expect(await shown()).toEqual(['decision', 'short', 'verify']);
      expect(await page.locator('#short caption').first().textContent()).toMatch(
        /^\d+ violations of \d+ clauses$/,
      );
      const pdf = await page.pdf({ preferCSSPageSize: true });
      const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
      expect(sheets).toBeGreaterThan(0);
      expect(sheets).toBeLessThanOrEqual(6);
      await page.getByRole('link', { name: 'Show the full report' }).click();
      expect(await shown()).toContain('matrix');
      await page.context().close();
    }, 120_000);

    test.each([1, 12, 30])(
      'in print nothing is folded, and no table is cut: operations %i',
      async (operations) => {
        const path = join(folder, `print-${operations}.html`);
        await writeFile(path, renderHtml(spread(report, operations)));
        // The width of an A4 sheet between its margins.
        const { page } = await open(path, {
          viewport: { width: Math.round((186 / 25.4) * 96), height: 1000 },
        });
        await page.emulateMedia({ media: 'print' });
        const cut = await page.evaluate(() =>
          [...document.querySelectorAll('table, pre, svg')].flatMap((element) => {
            const { right, width } = element.getBoundingClientRect();
            const box = element.closest('.wide');
            const clipped = box !== null && getComputedStyle(box).overflowX !== 'visible';
            return right > document.documentElement.clientWidth + 1 || clipped
              ? [
                  `${element.tagName} ${element.outerHTML.slice(0, 80)} ${Math.round(right)} ${Math.round(width)}`,
                ]
              : [];
          }),
        );
        expect(cut).toEqual([]);
        // A verdict in a box of its own is on one line, and is not broken letter by letter.
        const broken = await page
          .locator('.badge')
          .evaluateAll((all) =>
            all
              .filter((element) => element.getBoundingClientRect().height > 28)
              .map((element) => element.textContent ?? ''),
          );
        expect(broken).toEqual([]);
        const folded = await page
          .locator('details .inside, details .sides, details table')
          .evaluateAll((all) =>
            all
              .filter((element) => element.getBoundingClientRect().height === 0)
              .map(({ outerHTML }) => outerHTML.slice(0, 80)),
          );
        expect(folded).toEqual([]);
        const pdf = await page.pdf({ preferCSSPageSize: true });
        expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
        expect(pdf.length).toBeGreaterThan(50_000);
        await page.context().close();
      },
      120_000,
    );

    test.each(['light', 'dark'] as const)(
      'the list of runs: axe-core finds nothing, %s',
      async (colorScheme) => {
        const shelf = makeShelf();
        shelf.put('one', report);
        shelf.put('two', { ...report, violations: [] });
        const path = join(folder, 'index.html');
        const unreadable = [{ name: 'three', problem: 'there is no report.json' }];
        await writeFile(
          path,
          renderRuns({
            folder,
            subjects: shelf.subjects(),
            unreadable,
            reportOf: (name) => `${name}/report.html`,
          }),
        );
        const { page, complaints } = await open(path, { colorScheme, bypassCSP: true });
        await page.addScriptTag({ content: axe.source });
        const found: unknown = await page.evaluate(axeFindings);
        expect(found).toEqual([]);
        expect(complaints).toEqual([]);
        await page.context().close();
      },
    );

    test('what a hostile service answers stays text', async () => {
      const hostile =
        '</script></style><script>alert(1)</script><img src=http://127.0.0.1:9/x onerror=alert(2)>';
      const exchange = excerptWith({ responseBody: hostile, requestIds: [hostile], principal: hostile });
      const finding = findingWith({ actual: hostile, exchanges: [exchange], curl: [hostile], fix: hostile });
      const page = join(folder, 'hostile.html');
      await writeFile(page, renderHtml({ ...report, violations: [finding] }));
      const { page: opened, complaints, requests } = await open(page);
      expect(await opened.locator('.versus .bad p').textContent()).toBe(hostile);
      expect(await opened.locator('img').count()).toBe(0);
      expect(complaints).toEqual([]);
      expect(requests).toHaveLength(1);
      await opened.context().close();
    });

    test('the policy stops what would be loaded or run all the same', async () => {
      const broken = (await readFile(file, 'utf8')).replace(
        '<main',
        '<script>document.title = "run"</script><img src="http://127.0.0.1:9/x"><main',
      );
      const path = join(folder, 'broken.html');
      await writeFile(path, broken);
      const { page, complaints } = await open(path);
      expect(await page.title()).not.toBe('run');
      expect(complaints.filter((text) => text.includes('Content Security Policy'))).toHaveLength(2);
      await page.context().close();
    });
  });

/** The report as if every operation of so many had answered as the first did. */
function spread(report: Report, operations: number): Report {
  const [first] = report.scope.operations;
  if (first === undefined) return report;
  const ids = Array.from({ length: operations }, (_, index) => `${first.id}${index === 0 ? '' : index}`);
  return {
    ...report,
    scope: { ...report.scope, operations: ids.map((id) => ({ ...first, id })) },
    cells: ids.flatMap((operation) => report.cells.map((cell) => ({ ...cell, operation }))),
    operations: ids.flatMap((operation) => report.operations.map((figures) => ({ ...figures, operation }))),
  };
}

/** Runs in the page: parts that are wider than their place, once all is unfolded. */
const cutParts = `(() => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  return [...document.querySelectorAll('.wide:not(:has(.matrix)), pre, dd, td, .card')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.outerHTML.slice(0, 200));
})()`;

/** Runs in the page: what axe-core finds, and what it could not decide but the contrast of colours in drawings. */
const axeFindings = `axe.run().then(({ violations, incomplete }) =>
  [...violations, ...incomplete.filter(({ id }) => id !== 'color-contrast')].map(
    ({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`;

/** Runs in the page. */
function describeFocus(): string {
  const element = document.activeElement;
  if (element === null || element.tagName === 'BODY') return 'BODY';
  const at = element.closest('article.finding');
  if (element.tagName === 'SUMMARY' && at !== null)
    return `finding ${at.querySelector('h4')?.textContent ?? ''}`;
  const target = element instanceof HTMLAnchorElement ? document.querySelector(element.hash) : null;
  if (target?.matches('article.finding') === true)
    return `link to ${target.querySelector('h4')?.textContent ?? ''}`;
  return element.tagName;
}

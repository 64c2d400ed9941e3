import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser } from './browser.ts';
import { faultyRun, faultyServices } from './faulty-run.ts';

const run = await faultyRun(faultyServices['no permissions'] ?? {}, {});
console.log(run.folder, run.exitCode);
const b = await openBrowser();
for (const scheme of ['light', 'dark'] as const) {
  const p = await b.newPage({ colorScheme: scheme, viewport: { width: 1280, height: 900 } });
  await p.goto(pathToFileURL(join(run.folder, 'report.html')).href);
  await p.screenshot({ path: `/tmp/shots/top-${scheme}.png` });
  const f = p.locator('article.finding').first();
  await f.scrollIntoViewIfNeeded();
  await f.screenshot({ path: `/tmp/shots/finding-${scheme}.png` });
  await p.locator('#matrix').screenshot({ path: `/tmp/shots/matrix-${scheme}.png` });
  await p.locator('#throttling').screenshot({ path: `/tmp/shots/throttling-${scheme}.png` });
}
await b.close();

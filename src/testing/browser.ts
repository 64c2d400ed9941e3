import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The Chromium of this machine: the one that CHROMIUM names, or one at the usual places. */
export const chromiumPath = [process.env['CHROMIUM'], ...usual].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
);

export const noBrowser =
  'there is no Chromium on this machine, so no page was opened in one: install it (apt-get install chromium) or name it in CHROMIUM';

/** Starts it without a window. @throws Error where there is none */
export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(noBrowser);
  return chromium.launch({
    executablePath: chromiumPath,
    // Inside containers Chromium cannot make its sandbox; it opens nothing but pages of ours.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}

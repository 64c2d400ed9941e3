import { blocks } from './style-blocks.ts';
import { plots } from './style-plots.ts';
import { print } from './style-print.ts';

const tones = `
:root {
  color-scheme: light dark;
  --page: #f6f7f8; --surface: #ffffff; --sunken: #f0f2f4; --ink: #17202a; --soft: #4d5966; --line: #dde2e7;
  --strong-line: #8a96a3; --link: #0b57b0; --focus: #0b57b0;
  --good: #0f6b3a; --good-tint: #e4f4ea; --good-mark: #2e9e63;
  --bad: #a61b1b; --bad-tint: #fdeaea; --bad-mark: #d64545;
  --warn: #7f4c00; --warn-tint: #fdf1d8; --warn-mark: #d18b12;
  --doubt: #5b3aa6; --doubt-tint: #f0ebfb; --doubt-mark: #8a68d4;
  --open: #3d5166; --open-tint: #e8eef4; --open-mark: #7d93a8;
  --quiet: #5a6570; --quiet-tint: #f0f2f4; --quiet-mark: #c9d1d9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1318; --surface: #161c23; --sunken: #1e262f; --ink: #e7ecf1; --soft: #a5b1bd; --line: #2b3540;
    --strong-line: #6b7885; --link: #8abaff; --focus: #8abaff;
    --good: #6fd49b; --good-tint: #12301f; --good-mark: #35a468;
    --bad: #ff9b94; --bad-tint: #3d1717; --bad-mark: #e05a52;
    --warn: #f2c063; --warn-tint: #36270a; --warn-mark: #cf9426;
    --doubt: #c7b2ff; --doubt-tint: #271d42; --doubt-mark: #8f73dd;
    --open: #b3c6d8; --open-tint: #1d2a37; --open-mark: #6b8399;
    --quiet: #9ba7b3; --quiet-tint: #1e262f; --quiet-mark: #3b4753;
  }
}
.good { --tone: var(--good); --tint: var(--good-tint); --mark: var(--good-mark); }
.bad { --tone: var(--bad); --tint: var(--bad-tint); --mark: var(--bad-mark); }
.warn { --tone: var(--warn); --tint: var(--warn-tint); --mark: var(--warn-mark); }
.doubt { --tone: var(--doubt); --tint: var(--doubt-tint); --mark: var(--doubt-mark); }
.open { --tone: var(--open); --tint: var(--open-tint); --mark: var(--open-mark); }
.quiet { --tone: var(--quiet); --tint: var(--quiet-tint); --mark: var(--quiet-mark); }
`;

const page = `
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  font-variant-numeric: tabular-nums;
}
h1, h2, h3, h4 { line-height: 1.25; margin: 0; text-wrap: balance; }
h1 { font-size: 1.7rem; font-weight: 680; letter-spacing: -0.015em; }
h2 { font-size: 1.25rem; font-weight: 660; letter-spacing: -0.01em; }
h3 { font-size: 1rem; font-weight: 640; }
h4 { font-size: 0.875rem; font-weight: 640; margin: 1.4rem 0 0.5rem; }
p { margin: 0.5rem 0; max-width: 75ch; }
a { color: var(--link); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code, pre, .mono { font-family: ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace; font-size: 0.875em; }
code { overflow-wrap: anywhere; unicode-bidi: isolate; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.skip { position: absolute; left: -999rem; top: 0; background: var(--surface); color: var(--link); padding: 0.6rem 1rem; z-index: 9; }
.skip:focus { left: 0; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.masthead, .frame, .colophon { max-width: 80rem; margin: 0 auto; padding: 0 1.5rem; }
.masthead { padding-top: 2rem; padding-bottom: 1.5rem; }
.brand { display: flex; gap: 0.6rem; align-items: baseline; color: var(--soft); font-size: 0.8125rem; margin: 0 0 0.6rem; max-width: none; flex-wrap: wrap; }
.brand b { color: var(--ink); letter-spacing: 0.01em; }
.masthead .where { color: var(--soft); margin: 0.35rem 0 0; max-width: none; overflow-wrap: anywhere; }
.frame { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; }
main { min-width: 0; }
.contents ol { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-size: 0.875rem; }
.contents a { display: flex; gap: 0.5rem; justify-content: space-between; color: var(--soft); text-decoration: none; padding: 0.22rem 0.6rem; border-radius: 6px; }
.contents a:hover { background: var(--sunken); color: var(--ink); }
.contents .count { font-size: 0.8125rem; }
@media (min-width: 68rem) {
  .frame { grid-template-columns: 12.5rem minmax(0, 1fr); gap: 2.5rem; }
  .contents ol { display: block; position: sticky; top: 1.25rem; margin-left: -0.6rem; max-height: calc(100vh - 2.5rem); overflow-y: auto; }
}
main > section { margin: 0 0 3rem; }
section h2 { padding-bottom: 0.35rem; }
.lead { color: var(--soft); margin-top: 0; margin-bottom: 1rem; }
.colophon { color: var(--soft); font-size: 0.8125rem; padding-top: 1rem; padding-bottom: 3rem; border-top: 1px solid var(--line); margin-top: 1rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .masthead, .frame, .colophon { padding-left: 1rem; padding-right: 1rem; }
}
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}
`;

/** The style of every page. It holds none of the characters that HTML escapes. */
export const style = [tones, page, blocks, plots, print].join('');

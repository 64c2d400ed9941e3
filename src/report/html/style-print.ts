/** On paper: black on white, nothing folded, no table cut. The short form is the page while `#short` is its target. */
export const print = `
#short { display: none; scroll-margin-top: 100rem; }
#short:target { display: block; }
:root:has(#short:target) main section:not(:is(#decision, #short, #verify), :is(#decision, #short, #verify) section),
:root:has(#short:target) .contents, :root:has(#short:target) .forms { display: none; }
@page { margin: 14mm 12mm; }
@media print {
  :root {
    color-scheme: light;
    --page: #ffffff; --surface: #ffffff; --sunken: #f2f4f6; --ink: #000000; --soft: #3c4650; --line: #cfd5db;
    --strong-line: #77828d; --link: #000000;
    --good: #0f6b3a; --good-tint: #e4f4ea; --good-mark: #2e9e63; --bad: #a61b1b; --bad-tint: #fdeaea; --bad-mark: #d64545;
    --warn: #7f4c00; --warn-tint: #fdf1d8; --warn-mark: #d18b12; --doubt: #5b3aa6; --doubt-tint: #f0ebfb; --doubt-mark: #8a68d4;
    --open: #3d5166; --open-tint: #e8eef4; --open-mark: #7d93a8; --quiet: #5a6570; --quiet-tint: #f0f2f4; --quiet-mark: #c9d1d9;
  }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { font-size: 10pt; }
  .contents, .skip, .folds, .forms, .copy, button, #short .lead a { display: none; }
  .masthead, .frame, .colophon { max-width: none; padding-left: 0; padding-right: 0; }
  .frame { display: block; }
  main > section { margin-bottom: 1.6rem; }
  h2, h3, h4, h5, summary { break-after: avoid; }
  .card, .verdict, blockquote, figure, .versus, tr, .facts > div { break-inside: avoid; }
  .wide, .wide.tall { overflow: visible; max-height: none; border-radius: 0; }
  .tall thead th, .tall tbody .row { position: static; }
  thead { display: table-header-group; }
  table { font-size: 8.5pt; }
  th, td { padding: 0.25rem 0.4rem; }
  thead th, .cell { white-space: normal; }
  .badge, .cell, thead th, td details.rest, th details.rest { font-size: inherit; }
  .clip, .narrow, td.broad, th.broad, tbody th.narrow, .tall tbody th.row { min-width: 6rem; max-width: none; }
  .matrix { font-size: 6.5pt; line-height: 1.35; }
  .matrix th, .matrix td { padding: 0.15rem 0.2rem; }
  .matrix thead th { overflow-wrap: anywhere; }
  .matrix td .cell, .matrix td .cell .note { display: inline; font-size: inherit; white-space: normal; }
  .matrix.by-operation { table-layout: fixed; }
  .matrix.by-operation .row { width: 24%; }
  .matrix td .cell .note { margin-left: 0.25em; }
  .matrix td .cell .icon { vertical-align: -0.1em; margin-right: 0.25em; }
  .matrix.by-operation tbody.group tr:first-child > * { font-size: inherit; }
  #open-points th.narrow { width: 42%; }
  #attention td.clip { width: 34%; }
  .grid { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem; }
  details.rest summary { display: none; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; }
  svg.sequence { min-width: 0; }
  .bar.thin { width: 3.5rem; }
  .histogram { width: 5rem; }
  a { text-decoration: none; }
}
`;

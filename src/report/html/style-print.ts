/** On paper: black on white, nothing folded, no table cut. */
export const print = `
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
  .contents, .skip, .folds, .copy, button { display: none; }
  .masthead, .frame, .colophon { max-width: none; padding-left: 0; padding-right: 0; }
  .frame { display: block; }
  main > section { margin-bottom: 1.6rem; }
  h2, h3, h4, h5, summary { break-after: avoid; }
  .card, .verdict, blockquote, figure, .versus, tr, .facts > div { break-inside: avoid; }
  .wide, .wide.tall { overflow: visible; max-height: none; border-radius: 0; }
  .tall thead th, .tall tbody .row { position: static; }
  thead { display: table-header-group; }
  table { font-size: 8.5pt; }
  th, td { padding: 0.3rem 0.45rem; overflow-wrap: anywhere; }
  td.n, th.n, td.tight, th.tight, thead th, .badge, .cell { white-space: normal; }
  .clip, .narrow, td.broad, tbody th.narrow, .tall tbody th.row { min-width: 0; max-width: none; }
  details.rest summary { display: none; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; }
  svg.sequence { min-width: 0; }
  .bar.thin { width: 3.5rem; }
  .histogram { width: 5rem; }
  a { text-decoration: none; }
}
`;

export const blocks = `
.icon { width: 1em; height: 1em; flex: none; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.badge { display: inline-flex; align-items: center; gap: 0.35em; padding: 0.08em 0.6em 0.08em 0.45em; border-radius: 99px; background: var(--tint); color: var(--tone); font-size: 0.8125rem; font-weight: 600; white-space: nowrap; }
.badge .note { font-weight: 450; }
.toned { color: var(--tone); }
.muted { color: var(--soft); }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem 1.5rem; }
.card + .card { margin-top: 1rem; }
.verdict { padding: 0; overflow: hidden; }
.verdict .head { background: var(--tint); color: var(--tone); padding: 1.4rem 1.5rem; display: flex; gap: 1rem; align-items: flex-start; }
.verdict .seal { width: 2.75rem; height: 2.75rem; border-radius: 50%; background: var(--tone); color: var(--tint); display: grid; place-items: center; font-size: 1.5rem; flex: none; }
.verdict .head h2 { font-size: 1.5rem; padding: 0; color: inherit; }
.verdict .head p { color: var(--ink); margin: 0.3rem 0 0; }
.verdict .inside { padding: 1.25rem 1.5rem 1.4rem; }
.partial { display: inline-block; font-size: 0.75rem; font-weight: 700; letter-spacing: 0.06em; border: 1.5px solid currentColor; border-radius: 5px; padding: 0.1em 0.5em; margin-left: 0.7rem; vertical-align: 0.2em; }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 13.5rem), 1fr)); gap: 1.25rem 2rem; }
.grid h3 { font-size: 0.8125rem; font-weight: 600; color: var(--soft); margin-bottom: 0.25rem; }
.grid .answer { font-size: 1.05rem; font-weight: 640; display: flex; gap: 0.4rem; align-items: center; margin: 0 0 0.25rem; color: var(--tone, var(--ink)); }
.grid ul { margin: 0.25rem 0 0; padding-left: 1.1rem; font-size: 0.875rem; }
.grid p { font-size: 0.875rem; margin: 0.15rem 0; }
.tally { margin: 1.4rem 0 1.2rem; }
.tally .key { display: flex; flex-wrap: wrap; gap: 0.3rem 1.4rem; list-style: none; margin: 0.6rem 0 0; padding: 0; font-size: 0.875rem; }
.tally .key li { display: inline-flex; gap: 0.4rem; align-items: center; color: var(--tone); }
.tally .key b { color: var(--ink); font-weight: 660; }
.facts { margin: 0; display: grid; gap: 0; }
.facts > div { display: grid; grid-template-columns: minmax(8rem, 13rem) minmax(0, 1fr); gap: 0.25rem 1.5rem; padding: 0.45rem 0; border-top: 1px solid var(--line); }
.facts > div:first-child { border-top: 0; }
.facts dt { color: var(--soft); font-size: 0.875rem; }
.facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.digest { font-size: 0.8125rem; color: var(--soft); }
@media (max-width: 40rem) { .facts > div { grid-template-columns: minmax(0, 1fr); } }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.wide.tall { overflow: auto; max-height: 85vh; }
.wide + .wide, .wide + p, p + .wide, .wide + h3, .card + .wide, .wide + .card { margin-top: 1rem; }
section h3.part { margin: 1.6rem 0 0.6rem; }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: 0.875rem; }
caption { text-align: left; padding: 0.8rem 1rem 0.4rem; color: var(--soft); }
th, td { text-align: left; vertical-align: top; padding: 0.55rem 1rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: 0.8125rem; font-weight: 600; color: var(--soft); white-space: nowrap; background: var(--sunken); }
caption + thead th { border-top: 1px solid var(--line); }
tbody th { font-weight: 500; }
td .cell { font-size: 0.8125rem; }
.tall thead th { position: sticky; top: 0; z-index: 2; }
.tall tbody .row { position: sticky; left: 0; background: var(--surface); z-index: 1; }
.tall thead .row { left: 0; z-index: 3; }
tbody.group tr:first-child > * { background: var(--page); font-weight: 640; color: var(--soft); font-size: 0.8125rem; }
td.n, th.n { text-align: right; white-space: nowrap; padding-left: 0.4rem; }
td.tight, th.tight { white-space: nowrap; }
.clip { min-width: 14rem; max-width: 34rem; overflow-wrap: anywhere; }
.narrow { min-width: 8rem; overflow-wrap: anywhere; }
.zero { color: var(--soft); }
time { white-space: nowrap; }
ul.inline { list-style: none; margin: 0; padding: 0; display: inline-flex; flex-wrap: wrap; gap: 0.15rem 0.6rem; }
ul.plain { list-style: none; margin: 0; padding: 0; }
ul.plain li + li { margin-top: 0.3rem; }
summary { cursor: pointer; }
details.rest { font-size: 0.875rem; }
details.rest summary { color: var(--link); width: fit-content; }
.alert { display: flex; gap: 0.7rem; align-items: flex-start; background: var(--tint); color: var(--tone); border-radius: 10px; padding: 0.8rem 1rem; margin: 0 0 1rem; }
.alert .icon { margin-top: 0.25em; }
.alert p { margin: 0; color: var(--ink); }
button { font: inherit; font-size: 0.8125rem; color: var(--ink); background: var(--surface); border: 1px solid var(--strong-line); border-radius: 7px; padding: 0.15rem 0.7rem; cursor: pointer; }
button:hover { background: var(--sunken); }
.folds { display: flex; gap: 0.5rem; margin: 0 0 1rem; }
.folds:empty { display: none; }
.copy { float: right; margin: 0.9rem 0.5rem 0.3rem 0.8rem; position: relative; z-index: 1; }
tbody th.narrow { min-width: 12rem; }
td.broad, th.broad { min-width: 15rem; overflow-wrap: anywhere; }
td p, th p { margin: 0.2rem 0 0; }
.tall tbody th.row { min-width: 14rem; }
pre { background: var(--sunken); border-radius: 8px; padding: 0.8rem 1rem; margin: 0.4rem 0; white-space: pre-wrap; overflow-wrap: anywhere; max-width: 100%; line-height: 1.5; font-size: 0.8125rem; }
pre code { font-size: inherit; }
.clause { margin: 2rem 0 0; }
.clause > h3 { display: flex; gap: 0.6rem; align-items: baseline; font-size: 1.0625rem; }
.clause > h3 > code { color: var(--soft); font-weight: 600; flex: none; }
blockquote { margin: 0.6rem 0 1rem; padding: 0 0 0 1rem; border-left: 3px solid var(--line); color: var(--ink); max-width: 75ch; }
blockquote p { margin: 0; }
blockquote footer { color: var(--soft); font-size: 0.8125rem; margin-top: 0.2rem; }
.finding { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; margin-top: 0.8rem; scroll-margin-top: 1rem; }
.finding:target { border-color: var(--focus); }
.finding > details > summary { display: flex; gap: 0.4rem 0.9rem; align-items: center; flex-wrap: wrap; padding: 0.85rem 1.25rem; border-radius: 12px; }
.finding > details > summary::before { content: ''; border: solid var(--soft); border-width: 0 2px 2px 0; padding: 3px; transform: rotate(-45deg); margin-right: 0.1rem; }
.finding > details[open] > summary::before { transform: rotate(45deg); }
.finding > details > summary::-webkit-details-marker { display: none; }
.finding summary h4 { margin: 0; font-size: 0.9375rem; }
.finding summary .tail { color: var(--soft); font-size: 0.875rem; }
.finding .inside { padding: 0.25rem 1.25rem 1.4rem; border-top: 1px solid var(--line); }
.versus { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0.8rem; margin: 1rem 0; }
.versus > div { border-radius: 10px; padding: 0.7rem 1rem 0.8rem; background: var(--tint); }
.versus h5 { margin: 0 0 0.2rem; font-size: 0.8125rem; color: var(--tone); }
.versus p { margin: 0; overflow-wrap: anywhere; }
.exchange { border: 1px solid var(--line); border-radius: 10px; }
.exchange + .exchange { margin-top: 0.5rem; }
.exchange > summary { padding: 0.5rem 0.9rem; display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; align-items: baseline; font-size: 0.875rem; }
.exchange > summary > * { min-width: 0; overflow-wrap: anywhere; }
.exchange > summary::before { content: '+'; color: var(--soft); font-weight: 700; width: 0.7em; }
.exchange[open] > summary::before { content: '\\2212'; }
.exchange > summary::-webkit-details-marker { display: none; }
.exchange .sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 0.5rem 1rem; padding: 0 0.9rem 0.9rem; }
.exchange h5 { margin: 0.3rem 0 0; font-size: 0.8125rem; color: var(--soft); }
.exchanges { list-style: none; margin: 0; padding: 0; }
.exchanges li + li { margin-top: 0.5rem; }
.cell { display: inline-flex; gap: 0.35em; align-items: center; color: var(--tone); white-space: nowrap; }
.cell a { color: inherit; }
.cell.bad, .cell.warn { font-weight: 640; }
.cell .note { color: var(--soft); font-weight: 400; font-size: 0.8125rem; }
@media screen and (max-width: 40rem) {
  .wide table:not(.matrix), .wide table:not(.matrix) :is(caption, tbody, tr, th, td) { display: block; min-width: 0; max-width: none; }
  .wide table:not(.matrix) thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .wide table:not(.matrix) tr { border-top: 1px solid var(--line); padding: 0.5rem 1rem; }
  .wide table:not(.matrix) thead + tbody tr:first-child { border-top: 0; }
  .wide table:not(.matrix) caption + thead + tbody tr:first-child { border-top: 1px solid var(--line); }
  .wide table:not(.matrix) tbody :is(th, td) { border: 0; padding: 0.15rem 0; text-align: left; white-space: normal; overflow-wrap: anywhere; }
  .wide table:not(.matrix) tbody .badge { white-space: normal; }
  [data-column]::before { content: attr(data-column); display: block; font-size: 0.75rem; font-weight: 600; color: var(--soft); }
  .wide.tall:not(:has(.matrix)) { max-height: none; }
}
`;

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { clauses } from '../clauses/catalogue.ts';
import { isArray, isObject, parseJson } from '../model/json.ts';
import { faults } from '../reference/faults/catalogue.ts';

/** A line of the sources; `of` names the fault or the suite. */
export type SourceLine = { readonly file: string; readonly line: number; readonly of?: string };

/** Where a newcomer finds the code of a clause, the faults that break it, its literal traces and its suites. */
export type SourceLines = {
  readonly clause: readonly SourceLine[];
  readonly faults: readonly SourceLine[];
  readonly traces: readonly SourceLine[];
  readonly suites: readonly SourceLine[];
};

type Text = { readonly file: string; readonly lines: readonly string[] };

/** The lines of every clause, by its code, as the sources under `root` have them. */
export function sourceLines(root: string): Readonly<Record<string, SourceLines>> {
  const read = (folder: string): readonly Text[] =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(test\.ts|snap)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => ({
        file: relative(root, path).replaceAll('\\', '/'),
        lines: readFileSync(path, 'utf8').split('\n'),
      }));
  const ofClauses = read('src/clauses');
  const judges = ofClauses.filter(({ file }) => !file.includes('/cases/'));
  const traces = [...ofClauses.filter((text) => !judges.includes(text)), ...read('fixtures/traces')];
  const [broken, suites] = [read('src/reference/faults'), read('suites')];
  return Object.fromEntries(
    clauses.map(({ code }) => [
      code,
      {
        clause: matching(judges, new RegExp(`^    code: '${code}'`)),
        faults: faults.flatMap(({ breaks, id }) =>
          breaks.includes(code) ? faultLine(broken, id, code) : [],
        ),
        traces: matching(traces, new RegExp(`['"]${code}['"]`)),
        suites: matching(suites, asWord(code)).map((line) => ({
          ...line,
          of: line.file.replace(/^suites\/([^/.]+).*/, '$1'),
        })),
      },
    ]),
  );
}

const asWord = (code: string): RegExp => new RegExp(`(?<![\\w-])${code}(?![\\w-])`);

function matching(texts: readonly Text[], wanted: RegExp): readonly SourceLine[] {
  return texts.flatMap(({ file, lines }) =>
    lines.flatMap((text, index) => (wanted.test(text) ? [{ file, line: index + 1 }] : [])),
  );
}

function faultLine(texts: readonly Text[], id: string, code: string): readonly SourceLine[] {
  return texts.flatMap(({ file, lines }) => {
    const start = lines.findIndex((text) => text.includes(`id: '${id}'`));
    const line = lines.findIndex((text, index) => index > start && text.includes('breaks: '));
    return start < 0 || !asWord(code).test(lines[line] ?? '') ? [] : [{ file, line: line + 1, of: id }];
  });
}

/** The lines as a build wrote them down, for a package that comes without its sources. */
export function writtenLines(text: string, code: string): SourceLines | undefined {
  const all = parseJson(text);
  const its = isObject(all) ? all[code] : undefined;
  if (!isObject(its)) return undefined;
  const lines = (name: string): readonly SourceLine[] => {
    const listed = its[name];
    return (isArray(listed) ? listed : []).flatMap((one) =>
      isObject(one) && typeof one['file'] === 'string' && typeof one['line'] === 'number'
        ? [
            {
              file: one['file'],
              line: one['line'],
              ...(typeof one['of'] === 'string' ? { of: one['of'] } : {}),
            },
          ]
        : [],
    );
  };
  return {
    clause: lines('clause'),
    faults: lines('faults'),
    traces: lines('traces'),
    suites: lines('suites'),
  };
}

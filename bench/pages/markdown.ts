const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map(cell).join(' | ')} |`.replaceAll('|  |', '| |').replaceAll('|  |', '| |');
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

const begin = (name: string): string => `<!-- begin: ${name} (npm run docs) -->`;
const end = (name: string): string => `<!-- end: ${name} -->`;

/** The page with the text between the marks of each part replaced. @throws where the marks are missing */
export function filled(page: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const from = text.indexOf(begin(name));
    const to = text.indexOf(end(name));
    if (from < 0 || to < from) throw new Error(`the page lacks ${begin(name)} and ${end(name)}`);
    return `${text.slice(0, from + begin(name).length)}\n${part.trim()}\n${text.slice(to)}`;
  }, page);
}

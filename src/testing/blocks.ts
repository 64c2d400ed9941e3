/** A fenced block of a page. */
export type Block = {
  readonly page: string;
  /** Line of its fence, one-based. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The comment on the line before, such as `output: npm start`. */
  readonly mark: string | undefined;
};

export function blocksOf(page: string, text: string): readonly Block[] {
  return [...text.matchAll(/(?:^<!-- ([^\n]*) -->\n\n?)?^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    language: match[2] ?? '',
    text: match[3] ?? '',
    mark: match[1],
  }));
}

/** The commands of a shell script, each as its words: comments, assignments and redirections are left out. */
export function commandsOf(script: string): readonly (readonly string[])[] {
  const joined = script.replaceAll(/\\\n\s*/g, ' ');
  const inner = [...joined.matchAll(/[<$]\(([^()]*)\)/g)].flatMap(([, text = '']) => commandsOf(text));
  return [...partsOf(joined), ...inner]
    .map(withoutAssignments)
    .map((words) => {
      const redirected = words.findIndex((one) => /^\d?[<>]/.test(one) && !/^<[a-z]/.test(one));
      return redirected < 0 ? words : words.slice(0, redirected);
    })
    .filter((words) => words.length > 0);
}

function withoutAssignments(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  return first < 0 ? [] : words.slice(first);
}

/** Split at line ends, `&&`, `||`, `;` and `|` outside of quotes. */
function partsOf(script: string): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  let word: string | undefined;
  let quote = '';
  let comment = false;
  const end = (): void => {
    if (word !== undefined) parts.at(-1)?.push(word);
    word = undefined;
  };
  for (const letter of script) {
    if (comment) comment = letter !== '\n';
    if (comment) continue;
    if (quote !== '') {
      if (letter === quote) quote = '';
      else word = `${word ?? ''}${letter}`;
    } else if (letter === "'" || letter === '"') {
      quote = letter;
      word ??= '';
    } else if (letter === '#' && word === undefined) comment = true;
    else if (
      letter === '\n' ||
      letter === ';' ||
      ((letter === '&' || letter === '|') && word === undefined)
    ) {
      end();
      parts.push([]);
    } else if (/\s/.test(letter)) end();
    else word = `${word ?? ''}${letter}`;
  }
  end();
  return parts;
}

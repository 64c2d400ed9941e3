import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import writeGood from 'write-good';

/** Words that read like a translation, and what the field says in their place. */
const banned: readonly (readonly [RegExp, string])[] = [
  [/\b(told|tells)\b/i, 'reports, shows'],
  [/\banew\b/i, 'again, new'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bbeside\b/i, 'alongside, next to'],
  [/\bbears?\b/i, 'has, carries'],
  [/\b(is|are|never) answered\b/i, 'returns, gets'],
  [/\bsubjects? (of|to) the test\b/i, 'target'],
  [/\bstands? in\b/i, 'is in'],
  [/\bsee it yourself\b/i, 'reproduce'],
  [/\bwhat came of\b/i, 'results'],
  [/\b(the|an|no|any|each|every|its|first|last) answers?\b/i, 'response'],
  [/\b(this|it|that|which) is no (?!longer)[a-z]/i, 'is not a'],
  [/\bonce more\b/i, 'again'],
  [/\bseen from\b/i, 'relative to'],
  [/\b([Aa]n|[Tt]he|[Nn]o|[Ii]ts|[Aa]nother|same|[Tt]his|[Rr]equest|[Rr]ecord|new) ids?\b/, 'ID'],
  [/\btaken in \(/i, 'queued'],
  [/\d %(?!\w)/, '5%'],
];

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'harness.config.yaml',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md') && name !== 'accuracy.md' && name !== 'peers.md')
    .map((name) => join('docs', name)),
];

/** Prose alone: code and output are quoted as they are. */
function proseOf(page: string): string {
  return page.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
}

/** The texts of a module: its string literals and JSX that have more than one word, without what they insert. */
function textsOf(module: string): string {
  const code = module.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g, '');
  const literals =
    code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|>[^<>{}=;]+</g) ?? [];
  return literals
    .map((literal) => literal.replaceAll(/\$\{[^{}]*\}/g, '').replaceAll(/\s+/g, ' '))
    .filter((literal) => literal.slice(1, -1).trim().includes(' '))
    .join('\n');
}

function foundIn(text: string): readonly string[] {
  return text.split('\n').flatMap((line) =>
    banned.flatMap(([word, instead]) => {
      const match = word.exec(line);
      return match === null ? [] : [`'${match[0]}' in "${line.trim()}"; write: ${instead}`];
    }),
  );
}

const modules = ['src', 'suites'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => /\.(tsx?|yaml)$/.test(path) && !/\.test\.tsx?$|\/(literal|cases)\//.test(path)),
);

test('what users see of clauses, reports, help and errors is written in plain English', () => {
  const found = modules.flatMap((path) =>
    foundIn(textsOf(readFileSync(path, 'utf8'))).map((line) => `${path}: ${line}`),
  );
  expect(found).toEqual([]);
  expect(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a module.
    foundIn(textsOf("fail(`the keys of ${told.id} are mended`); // told\nconst name = 'told';")),
  ).toHaveLength(1);
});

/** The comments of a module. */
function commentsOf(module: string): string {
  return (module.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g) ?? []).join('\n');
}

test('comments are written in plain English', () => {
  const found = modules.flatMap((path) =>
    foundIn(commentsOf(readFileSync(path, 'utf8'))).map((line) => `${path}: ${line}`),
  );
  expect(found).toEqual([]);
  expect(foundIn(commentsOf("const text = 'told'; // told\n/** As told. */\nconst told = 1;"))).toHaveLength(
    2,
  );
});

test('names in the code are words of the field', () => {
  const name = /\b\w*(?:[tT]old|[aA]new|[lL]ookout|[gG]athering|[wW]orkshop|[aA]midst|[bB]eside(?!s))\w*/g;
  const found = modules.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(name)].map(([word]) => `${path}: ${word}`),
  );
  // Members of the format of logs.
  expect(found.filter((line) => !/: (amidst|beside)$/.test(line))).toEqual([]);
});

test.each(pages)('%s is written in plain English', (page) => {
  expect(foundIn(proseOf(readFileSync(page, 'utf8')))).toEqual([]);
});

/** Sentences of the prose: tables, headings and quotations are left out. */
function sentencesOf(page: string): readonly string[] {
  const blocks = page.replaceAll(/```[\s\S]*?```/g, '\n\n').replaceAll(/`[^`\n]*`/g, 'code');
  return blocks
    .replaceAll(/^\s*[|#>].*$/gm, '\n')
    .replaceAll(/^\s*([-*]|\d+\.) /gm, '\n\n')
    .split(/\n\s*\n/)
    .flatMap((block) => block.replaceAll(/\s+/g, ' ').split(/(?<=[.!?:;])\s+/))
    .filter((sentence) => /\w \w/.test(sentence));
}

test.each(pages)('the sentences of %s have at most 20 words on average', (page) => {
  const sentences = sentencesOf(readFileSync(page, 'utf8'));
  const words = sentences.reduce((sum, sentence) => sum + sentence.split(' ').length, 0);
  expect(words / Math.max(1, sentences.length)).toBeLessThanOrEqual(20);
});

/** Words that the linter finds empty, and that have a meaning here: limits, counts and conditions. */
const meant = new Set([
  'only',
  'many',
  'few',
  'several',
  'exactly',
  'just',
  'early',
  'it is',
  'it was',
  'all of',
  'obtain',
]);

function lint(prose: string): readonly string[] {
  return writeGood(prose, { passive: false, adverb: false })
    .filter(({ index, offset }) => !meant.has(prose.slice(index, index + offset).toLowerCase()))
    .map(({ index, reason }) => `${reason}: ${prose.slice(Math.max(0, index - 40), index + 40)}`);
}

test.each(pages)('the prose linter finds nothing in %s', (page) => {
  // Each piece of code is a word of its own: a list of them repeats none.
  let codes = 0;
  const prose = sentencesOf(readFileSync(page, 'utf8'))
    .map((sentence) => sentence.replaceAll('code', () => `x${codes++}`))
    .join('\n\n');
  expect(lint(prose)).toEqual([]);
});

test('at most one sentence in six is passive', () => {
  const sentences = pages.flatMap((page) => sentencesOf(readFileSync(page, 'utf8')));
  const passive = sentences.filter((sentence) =>
    writeGood(sentence).some(({ reason }) => reason.includes('passive')),
  );
  expect(passive.length / sentences.length, passive.join('\n')).toBeLessThanOrEqual(1 / 6);
});

test('the prose linter knows wordy and passive sentences', () => {
  expect(lint('There is a number of ways in order to to do it.').length).toBeGreaterThan(1);
  expect(lint('Only one key is used.')).toEqual([]);
  expect(writeGood('The key was stored.')).not.toEqual([]);
});

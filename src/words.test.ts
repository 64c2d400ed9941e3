import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Words that read like a translation, and what the field says in their place. */
const banned: readonly (readonly [RegExp, string])[] = [
  [/\b(told|tells)\b/i, 'reports, shows'],
  [/\banew\b/i, 'again, new'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bbeside\b/i, 'alongside, next to'],
  [/\bbears?\b/i, 'has, carries'],
  [/\b(is|are) answered\b/i, 'returns, gets'],
  [/\bstands? in\b/i, 'is in'],
  [/\bsee it yourself\b/i, 'reproduce'],
  [/\bwhat came of\b/i, 'results'],
];

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md') && name !== 'accuracy.md' && name !== 'peers.md')
    .map((name) => join('docs', name)),
];

/** Prose alone: code and output are quoted as they are. */
function proseOf(page: string): string {
  return page.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
}

test.each(pages)('%s is written in plain English', (page) => {
  const lines = proseOf(readFileSync(page, 'utf8')).split('\n');
  const found = lines.flatMap((line) =>
    banned.flatMap(([word, instead]) => {
      const match = word.exec(line);
      return match === null ? [] : [`'${match[0]}' in "${line.trim()}"; write: ${instead}`];
    }),
  );
  expect(found).toEqual([]);
});

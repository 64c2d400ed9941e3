import { made, pages } from './list-lines.ts';
import { says } from './says.ts';
import { type Case, type Line, page } from './trace.ts';

const ab = [made('a'), made('b')];
/** So many pages of 40 records, each of which begins so many records behind the one before. */
const inSteps = (of: number, count: number): readonly Line[] =>
  pages(
    ...Array.from({ length: count }, (_, index) =>
      page(
        Array.from({ length: 40 }, (__, at) => `case_o${index * of + at}`),
        'x',
      ),
    ),
  );
const allOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => `page-${index}`).join(' ');
const unread = `inconclusive ${allOf(6)}`;
export const overlapCases: readonly Case[] = [
  says(
    'RDS-4',
    'each page begins behind the first record of the one before',
    [...ab, ...inSteps(1, 6)],
    unread,
    `violated ${allOf(5)}`,
  ),
  says(
    'RDS-4',
    'two thirds of each page were on the one before',
    [...ab, ...inSteps(14, 6)],
    unread,
    `violated ${allOf(5)}`,
  ),
  says(
    'RDS-4',
    'most of a few pages was on the one before, as others make records',
    [...ab, ...inSteps(1, 4)],
    `inconclusive ${allOf(4)}`,
  ),
  says(
    'RDS-4',
    'half of each page was on the one before, as others make records',
    [...ab, ...inSteps(20, 6)],
    unread,
  ),
];

import type { BodySpec } from '../../src/model/scenario.ts';

/** Bodies that are not JSON. */
export const malformed: readonly BodySpec[] = [
  ...['{"subject":', '', '{subject: unquoted}', '{"subject":"$' + '{marker}",}', '<xml/>', '\u0000'].map(
    (text): BodySpec => ({ use: 'text', text, name: 'faulty' }),
  ),
  { use: 'named', name: 'faulty', form: 'cut' },
  { use: 'named', name: 'faulty', form: 'followed' },
];

/** Bodies of which parsers think differently. */
export const disputed = [
  ['commented', 'extension'],
  ['not-a-number', 'extension'],
  ['infinite', 'extension'],
  ['invalid-utf8', 'extension'],
  ['byte-order-mark', 'open'],
  ['duplicated', 'open'],
] as const;
/** The same, of which one service has one parser: sent where no target is needed for each. */
export const disputedOnce = [['comma-ended', 'extension']] as const;

/** Something could not be found out, as a pattern that takes too long: what depends on it is inconclusive. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
}

export const unkept =
  'The response is longer than what was kept of it, so nothing follows from what is missing.';

import type { Finding } from './report.ts';

/** What a finding rests on: its repeats, or the one trace that proves it. */
export function repeatWords({
  level,
  repeats: { of, violated },
  verdict,
}: Pick<Finding, 'level' | 'repeats' | 'verdict'>): string {
  const counted = `reproduced in ${violated} of ${of} repeats`;
  if (of > 0 && (verdict === 'unstable' || violated > 0)) return counted;
  // Advisory clauses steer nothing, so nobody repeats them.
  const proof = level === 'advisory' || verdict === 'unstable' ? 'seen, not repeated' : 'proved by one trace';
  return of === 0 ? proof : `${proof}, ${counted}`;
}

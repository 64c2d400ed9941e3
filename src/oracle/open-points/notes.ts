import type { PointCode } from '../../model/declaration.ts';
import type { Observation, OpenPoint } from '../../model/open-point.ts';

/** What is worth saying about what was seen at a point; it fails nothing. */
export function notesOn(
  point: PointCode,
  state: OpenPoint['state'],
  observed: readonly Observation[],
  run: {
    /** How often another body under a used key was refused with 422, as the IETF draft has it. */
    readonly otherBody422: number;
    /** The default reading, and those seen that are not. */
    readonly standard: string | undefined;
    readonly departures: readonly string[];
  },
): readonly string[] {
  const notes: string[] = [];
  const [departure] = run.departures;
  if (departure !== undefined && run.standard !== undefined && state !== 'mixed')
    notes.push(
      `${point}: the responses follow the reading ${run.departures.join(' or ')}, which is allowed. Declare \`${point}: ${departure}\`, and later runs test it.`,
    );
  if (state === 'mixed')
    notes.push(
      'The responses are mixed. Each of them is allowed, but a client cannot rely on one. Always return the same, and declare which.',
    );
  const missing400 = point === 'G2' && observed.some(({ text }) => text === '400');
  const draftHas =
    'Off-the-shelf idempotency middleware follows the IETF draft on Idempotency-Key (400 for a missing key, 422 for another body under the same key)';
  if (missing400)
    notes.push(
      `${draftHas}. This contract names no class of its own for the first, and 409 for the second (POST /cases, rule 4).`,
    );
  if (point === 'G1' && run.otherBody422 > 0)
    notes.push(
      `${draftHas}. This contract says otherwise for the second: 409 (POST /cases, rule 4). The 422 seen here to another body under a used key violates IDM-6.`,
    );
  return notes;
}

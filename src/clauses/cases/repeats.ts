import type { Json } from '../../model/json.ts';
import { type Case, type Line, reuse } from './trace.ts';

/** A command under a key. */
export const first: Line = { id: 'first', status: 201, key: 'key', result: 'case_1' };
/** The same again. */
export const again = (status: number | undefined, more: Partial<Line> = {}): Line => ({
  id: 'again',
  role: 'test',
  key: 'key',
  status,
  result: 'case_1',
  deviations: [reuse('first')],
  ...more,
});
export const thrice = (status: number, more: Partial<Line> = {}): Line =>
  again(status, { id: 'thrice', ...more });
/** Another body under the same key. */
export const mismatch: Line = {
  ...again(409),
  id: 'mismatch',
  name: 'other',
  deviations: [reuse('first', 'request')],
};
/** Another command, and what it may be repeated with. */
export const second: Line = { ...first, id: 'second', key: 'k', name: 'b', result: 'case_2' };
export const secondAgain: Line = again(201, {
  id: 'b',
  key: 'k',
  name: 'b',
  result: 'case_2',
  deviations: [reuse('second')],
});
export const form = { deviations: [reuse('first', 'form')] };
export const token = { deviations: [reuse('first', 'token')], as: 'renewed' };

/** A target, and the command on it that closes it. */
export const made: Line = { id: 'made', role: 'setup', status: 201, result: 'case_7' };
export const closed = { operation: 'closeCase', on: 'made' } as const;

export function declaring(point: 'G1' | 'G13' | 'G18' | 'G19', declared: Json, one: Case): Case {
  return { ...one, declares: { [point]: declared } };
}

import { expect, test } from 'vitest';
import type { Deviation } from '../../model/scenario.ts';
import { judged } from '../cases/judged.ts';
import type { Line } from '../cases/trace.ts';

const absent: readonly Deviation[] = [{ kind: 'target', how: 'absent' }];
const open = { id: 'case_7', status: 'open', subject: 'a' };

const look = (id: string, status: number): Line => ({
  ...{ id, operation: 'getCase', on: 'a', role: 'readback', status },
  ...(status === 200 ? { body: open } : { deviations: absent, body: {} }),
});
const patch: Partial<Line> = { operation: 'updateCase', body: { ...open, subject: 'b' } };
const close: Partial<Line> = { operation: 'closeCase', body: { ...open, status: 'closed' } };

type Parts = {
  readonly command?: Partial<Line>;
  readonly control?: Partial<Line>;
  readonly deletion?: Partial<Line>;
  readonly between?: readonly Line[];
  readonly reads?: readonly [number, number, number];
};

/** The verdict on a command that is sent again on the record that was deleted after it. */
function verdictOf({ between = [], command = patch, control = {}, deletion, reads }: Parts): string {
  const [kept, gone, again] = reads ?? [200, 404, 404];
  const { outcome } = judged({
    clause: 'ERR-1',
    kind: 'silent',
    when: '',
    trace: [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      { id: 'control', controls: '*', on: 'a', status: 200, ...command, ...control },
      look('kept', kept),
      { id: 'removal', operation: 'wipeCase', on: 'a', role: 'setup', status: 204, ...deletion },
      look('gone', gone),
      ...between,
      { id: 'removed', on: 'a', role: 'test', status: 200, ...command, deviations: absent },
      look('again', again),
    ],
  });
  return outcome.kind;
}

test('a change of a record that was deleted, and that no read finds, is refused', () => {
  expect(verdictOf({})).toBe('violates');
  expect(verdictOf({ command: { ...patch, status: 404 } })).not.toBe('violates');
  expect(verdictOf({ command: { ...patch, status: 409 } })).not.toBe('violates');
});

test('nothing follows where the record may still be there, or may be back', () => {
  // Soft deletion leaves it readable, a change may make it again, and what is queued is done later.
  expect(verdictOf({ reads: [200, 200, 200] })).toBe('silent');
  expect(verdictOf({ reads: [200, 404, 200] })).toBe('silent');
  expect(verdictOf({ reads: [404, 404, 404] })).toBe('silent');
  expect(verdictOf({ deletion: { status: 202 } })).toBe('silent');
  expect(verdictOf({ deletion: { status: 409 } })).toBe('silent');
  expect(verdictOf({ command: { ...patch, status: 202 } })).toBe('silent');
  const restored: Line = { id: 'restored', operation: 'approveCase', on: 'a', role: 'setup', status: 200 };
  expect(verdictOf({ between: [{ ...restored, body: open }] })).toBe('silent');
});

test('an action may be about what was deleted, unless its result is the record as it was before', () => {
  expect(verdictOf({ command: close })).toBe('violates');
  expect(verdictOf({ command: { ...close, body: { id: 'refund_1', status: 'paid' } } })).toBe('silent');
  expect(verdictOf({ command: { ...close, body: { id: 'case_7', erased: true } } })).toBe('silent');
  // One that was never accepted on a record that is there may be what restores or erases one.
  expect(verdictOf({ command: close, control: { status: 409 } })).toBe('silent');
});

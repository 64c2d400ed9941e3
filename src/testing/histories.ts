import type { Choices, Command, CommandResult } from '../oracle/key-service.ts';

export const open: Choices = { duplicates: undefined, keySpace: undefined, equalBodies: false };
export const ok = (result: string): CommandResult => ({ kind: 'accepted', result });
export const conflict: CommandResult = { kind: 'conflict' };
export const unknown: CommandResult = { kind: 'unknown' };
export const refused: CommandResult = { kind: 'other', status: 422 };
/** Accepted, but the result has no ID. */
export const blind: CommandResult = { kind: 'accepted', result: undefined };

/** Commands in sequence, each in a wave of its own; what a line leaves out is the same for all. */
export function history(
  ...lines: readonly (Partial<Command> & { readonly outcome: CommandResult })[]
): readonly Command[] {
  return lines.map((line, index) => ({
    id: `c${index}`,
    wave: index,
    key: 'k',
    caller: 'a',
    scope: 's',
    operation: 'op',
    body: 'b',
    ...line,
  }));
}

import { expect, test, vi } from 'vitest';
import { processOutput } from './output.ts';

test('colours of our own reach the terminal, and nothing that steers it from elsewhere', () => {
  const written: string[] = [];
  const take = (chunk: unknown): boolean => written.push(String(chunk)) > 0;
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(take),
  );
  const output = processOutput({ FORCE_COLOR: '1' });
  const hostile = '\u001b[32mconformant\u001b[0m\u001b]0;x\u0007\u202e';
  output.out(`${output.colours.red(hostile)}\n`);
  output.err(`assay: ${hostile}\n`);
  for (const spy of spies) spy.mockRestore();
  const shown = '\\x1b[32mconformant\\x1b[0m\\x1b]0;x\\x07\\u{202e}';
  expect(written).toEqual([`\u001b[31m${shown}\u001b[39m\n`, `assay: ${shown}\n`]);
});

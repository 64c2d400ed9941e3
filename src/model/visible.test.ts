import { expect, test } from 'vitest';
import { InputError } from './input-error.ts';
import { visible, visibleLine, visibleValue } from './visible.ts';

const hostile = 'a\u001b[2J\u001b]0;title\u0007b\u009b31m\u007f\u202eevil\u2066\u2028c\rd\u200b\u{e0041}';

test('nothing that steers a terminal or hides text stays', () => {
  expect(visible(hostile)).toBe(
    'a\\x1b[2J\\x1b]0;title\\x07b\\x9b31m\\x7f\\u{202e}evil\\u{2066}\\u{2028}c\\rd\\u{200b}\\u{e0041}',
  );
  expect(visible('über 日本 😀\nnext')).toBe('über 日本 😀\nnext');
  expect(visibleLine('a\nassay: conformant')).toBe('a\\nassay: conformant');
  expect(visibleValue({ a: ['x\ny'], curl: ['x\ny\u001b'] }, new Set(['curl']))).toEqual({
    a: ['x\\ny'],
    curl: ['x\ny\\x1b'],
  });
});

test('an error about an input shows it in one line', () => {
  const error = new InputError({
    file: 'a\u001b.yaml',
    position: undefined,
    problem: `key '${hostile}'\n`,
    remedy: 'r',
  });
  expect(error.message).toBe(`a\\x1b.yaml: key '${visible(hostile)}'\\n; r`);
});

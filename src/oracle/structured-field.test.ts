import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { structuredMembers } from './structured-field.ts';

const shape = (text: string) =>
  structuredMembers(text)?.map(({ key, value, parameters }) => [key, value, Object.fromEntries(parameters)]);

describe('structured fields', () => {
  it.each([
    ['', []],
    ['"default";r=0;t=5', [[undefined, 'default', { r: 0, t: 5 }]]],
    ['"a \\"b\\" \\\\c"', [[undefined, 'a "b" \\c', {}]]],
    [
      'limit=100, reset=-2.5',
      [
        ['limit', 100, {}],
        ['reset', -2.5, {}],
      ],
    ],
    [
      'tok/en;flag;on=?0;at=@1700000000',
      [[undefined, 'tok/en', { flag: true, on: false, at: 1_700_000_000 }]],
    ],
    ['k=:aGk=:;x=%"f%c3%bc"', [['k', '', { x: 'fü' }]]],
    [
      '("a" 5;p=1);t=3 , b',
      [
        [undefined, '', { t: 3 }],
        [undefined, 'b', {}],
      ],
    ],
    ['  a  ', [[undefined, 'a', {}]]],
    ['2.5', [[undefined, 2.5, {}]]],
    ['a;b=1.5;c', [[undefined, 'a', { b: 1.5, c: true }]]],
    [
      'a,  \tb',
      [
        [undefined, 'a', {}],
        [undefined, 'b', {}],
      ],
    ],
    [
      'a\t,\tb',
      [
        [undefined, 'a', {}],
        [undefined, 'b', {}],
      ],
    ],
    ['a;b; c; d=5', [[undefined, 'a', { b: true, c: true, d: 5 }]]],
    [
      'a;b="x,y", c',
      [
        [undefined, 'a', { b: 'x,y' }],
        [undefined, 'c', {}],
      ],
    ],
    ['a;b;b=2', [[undefined, 'a', { b: 2 }]]],
    ['a-b_c.d*=1', [['a-b_c.d*', 1, {}]]],
    ['*a=1;*b-_.*9=2', [['*a', 1, { '*b-_.*9': 2 }]]],
    [
      'a1=?1, b=?0',
      [
        ['a1', true, {}],
        ['b', false, {}],
      ],
    ],
    ['123456789012345', [[undefined, 123456789012345, {}]]],
    ['-123456789012.125', [[undefined, -123456789012.125, {}]]],
    ['@-5', [[undefined, -5, {}]]],
    [':aGk+/w==:', [[undefined, '', {}]]],
    ['::', [[undefined, '', {}]]],
    ['""', [[undefined, '', {}]]],
    ['%""', [[undefined, '', {}]]],
    ['*', [[undefined, '*', {}]]],
    ["A!#$%&'*+-.^`|~:/0", [[undefined, "A!#$%&'*+-.^`|~:/0", {}]]],
    ['()', [[undefined, '', {}]]],
    ['( a  b;c )', [[undefined, '', {}]]],
    ['k=(a b);c', [['k', '', { c: true }]]],
    [
      'a=1, b;x, c=2, a=(1)',
      [
        ['a', '', {}],
        ['b', true, { x: true }],
        ['c', 2, {}],
      ],
    ],
    [':YQ:', [[undefined, '', {}]]],
    ['Key=5', undefined],
  ])('%s', (text, members) => {
    expect(shape(text)).toEqual(members);
  });

  it.each([
    '"open',
    '5,',
    '5 , ',
    '1.',
    '1.2.3',
    '1.2345',
    '1234567890123.5',
    '1234567890123456',
    '--5',
    '(1 2',
    '(1, 2)',
    'a b',
    'a,,b',
    'a, =',
    '=5',
    'a=',
    'a;=5',
    'a;B',
    '"a";t=,',
    '"a\\x"',
    '"a\u0001"',
    '"a\u007f"',
    '?2',
    '?',
    ':a b:',
    ':abc',
    '@x',
    '@',
    '%"abc',
    '-',
    '-a',
    '_a',
    '\u00e4',
    '"\u00e4"',
    '\ta',
    'a ;b',
    'a\t;b',
    'a;\tb',
    '(1"a")',
    '( \t )',
    ':Y:',
    ':YQ===:',
    '@1.5',
    '%"%C3%BC"',
    '%"%ff"',
    '%"\u00fc"',
    '01a b',
    'a=1, B=2',
  ])('%s is none', (text) => {
    expect(structuredMembers(text)).toBeUndefined();
  });

  it('longer than 8 KiB are not read', () => {
    expect(shape('a'.repeat(8192))).toEqual([[undefined, 'a'.repeat(8192), {}]]);
    expect(structuredMembers('a'.repeat(8193))).toBeUndefined();
  });

  it('of any text are read or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z"?:@%();,=\d. -]{0,40}$/), (text) => {
        const members = structuredMembers(text);
        if (members === undefined) return;
        for (const member of members) expect(['string', 'number', 'boolean']).toContain(typeof member.value);
      }),
    );
  });
});

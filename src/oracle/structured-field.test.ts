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
    ['k=:aGk=:;x=%"f%c3%bc"', [['k', 'aGk=', { x: 'f%c3%bc' }]]],
    [
      '("a" 5;p=1);t=3 , b',
      [
        [undefined, '', { t: 3 }],
        [undefined, 'b', {}],
      ],
    ],
  ])('%s', (text, members) => {
    expect(shape(text)).toEqual(members);
  });

  it.each(['"open', '5,', '1.', '1.2.3', '(1 2', 'a b', '=5', '"a";t=,', '\u00e4'])('%s is none', (text) => {
    expect(structuredMembers(text)).toBeUndefined();
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

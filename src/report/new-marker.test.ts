import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { MarkerForm } from '../model/marker.ts';
import { newMarker } from './shell.ts';

test.each<[string, MarkerForm | undefined, RegExp]>([
  ['the usual one', undefined, /^asy-[0-9a-f]{16}$/],
  ['one with text around it', { kind: 'text', before: '', after: '@example.com' }, /^asy-[0-9a-f]{16}$/],
  [
    'characters',
    {
      kind: 'characters',
      sets: [
        ["'", 1],
        ['$', 2],
        ['0123456789ABCDEF', 9],
      ],
    },
    /^'\$\$[0-9A-F]{9}$/,
  ],
  [
    'a number',
    { kind: 'number', least: 100_000_000_000, step: 2, count: 450_000_000_000 },
    /^\d{11}[02468]$/,
  ],
])('a shell makes a new marker: %s', (_, form, expected) => {
  const make = (): string =>
    execFileSync('/bin/sh', ['-c', `MARKER=${newMarker(form)}\nprintf %s "$MARKER"`], { encoding: 'utf8' });
  expect(make()).toMatch(expected);
  expect(make()).not.toBe(make());
});

import { expect, test } from 'vitest';
import type { Declaration, Declared } from '../../model/declaration.ts';
import { parsedDeclaration } from './declared.ts';

const rows: readonly (readonly [Declaration, Partial<Declared>])[] = [
  [{}, { G1: undefined, G8: { unthrottled: false, rate: undefined, guidance: undefined } }],
  [
    { G1: 'replay', G2: 400, G7: 'refuse' },
    { G1: 'replay', G2: 400, G7: 'refuse' },
  ],
  [
    { G1: 'often', G2: '400', G9: 410 },
    { G1: undefined, G2: undefined, G9: undefined },
  ],
  [{ G8: 'unthrottled' }, { G8: { unthrottled: true, rate: undefined, guidance: undefined } }],
  [{ G8: { unthrottled: true } }, { G8: { unthrottled: true, rate: undefined, guidance: undefined } }],
  [
    { G8: { requests: 5, perSeconds: 2, guidance: { name: 'X-Pause' } } },
    {
      G8: {
        unthrottled: false,
        rate: { requests: 5, perSeconds: 2 },
        guidance: { name: 'X-Pause', unit: 'seconds' },
      },
    },
  ],
  [
    { G8: { requests: 5, guidance: { name: 'pause', unit: 'minutes' } } },
    { G8: { unthrottled: false, rate: undefined, guidance: { name: 'pause', unit: 'minutes' } } },
  ],
  [
    { G13: { seconds: 30 }, G15: { seconds: 0 } },
    { G13: 30, G15: 0 },
  ],
  [
    { G13: 30, G15: { seconds: '1' } },
    { G13: undefined, G15: undefined },
  ],
  [{ G14: 400 }, { G14: { malformed: 400, mediaType: undefined } }],
  [{ G14: { mediaType: 415 } }, { G14: { malformed: undefined, mediaType: 415 } }],
  [{ G16: { naming: 'exact' } }, { G16: 'exact' }],
  [{ G16: 'exact' }, { G16: undefined }],
];

test.each(rows)('%j is parsed', (raw, parsed) => {
  expect(parsedDeclaration(raw)).toMatchObject(parsed);
});

import { Buffer } from 'node:buffer';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answerOf } from './body.ts';

const text = '{"id":"case_7"}';
const plain = Buffer.from(text);

function received(coding: string, bytes: Buffer, cut = false) {
  const head = { status: 200, headers: [['Content-Encoding', coding]] as const };
  return answerOf(head, { chunks: [bytes], bytes: bytes.length }, 1000, cut);
}

test.each([
  ['gzip', gzipSync(plain)],
  ['br', brotliCompressSync(plain)],
  ['deflate', deflateSync(plain)],
])('%s is undone', async (coding, bytes) => {
  const answer = await received(coding, bytes);
  expect(answer.body).toBe(text);
  expect(answer.miscoded).toBeUndefined();
});

test.each([['gzip'], ['br'], ['GZIP']])('a plain body under %s is kept, and marked', async (coding) => {
  expect(await received(coding, plain)).toMatchObject({ body: text, miscoded: true });
});

test.each([
  ['utf-8', plain, false],
  ['identity', plain, false],
  ['gzip', Buffer.alloc(0), false],
  ['gzip', plain, true],
])(
  'under %s, nothing is wrong with what no client would undo, nor with what was cut',
  async (coding, bytes, cut) => {
    expect((await received(coding, bytes, cut)).miscoded).toBeUndefined();
  },
);

export type NumberSet = {
  /** Whether the number was not in the set before. */
  readonly add: (number: number) => boolean;
};

/** Whole numbers from 0 in blocks of bits: a million of them, one after another, take 128 KiB. As strings they would take 60 MB. */
export function makeNumberSet(): NumberSet {
  const blocks = new Map<number, Uint32Array>();
  return {
    add: (number) => {
      const at = Math.floor(number / blockSize);
      const block = blocks.get(at) ?? new Uint32Array(blockSize / 32);
      blocks.set(at, block);
      const bit = number % blockSize;
      const [word, mask] = [bit >>> 5, 1 << (bit & 31)];
      const before = block[word] ?? 0;
      block[word] = before | mask;
      return (before & mask) === 0;
    },
  };
}

const blockSize = 4096;

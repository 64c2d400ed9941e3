// A release comes with the self-test of its own build, in which every fault and every legal choice was measured.
import { readFileSync } from 'node:fs';
import { buildDigest } from '../dist/src/run/package.js';
import { unready } from '../dist/src/selftest/accuracy.js';

const accuracy = JSON.parse(readFileSync(new URL('../docs/accuracy.json', import.meta.url), 'utf8'));
const lacks = unready(accuracy, buildDigest());
for (const line of lacks) console.error(`docs/accuracy.json: ${line}; run: npm run accuracy`);
process.exitCode = lacks.length === 0 ? 0 : 1;

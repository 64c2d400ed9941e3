// What an installed package has in place of its sources and of docs/accuracy.json.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sourceLines } from '../dist/src/selftest/source-lines.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const write = (name, value) => writeFileSync(`${root}/dist/${name}`, `${JSON.stringify(value)}\n`);

write('source-lines.json', sourceLines(root));

const accuracy = `${root}/docs/accuracy.json`;
if (existsSync(accuracy)) {
  const bytes = readFileSync(accuracy);
  const { build, passed } = JSON.parse(bytes.toString());
  write('self-test.json', { build, passed, sha256: createHash('sha256').update(bytes).digest('hex') });
}

// Puts the modules of dist into few files: Node takes longer to find, read and link hundreds of small ones than to run them.
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const modules = readdirSync(dist, { recursive: true }).filter((file) => /^(src|suites)\b.*\.js$/.test(file));
// What is loaded by its path keeps it.
const entries = [
  ...['src/cli/main', 'src/cli/terminal/check-node', 'src/index', 'src/vitest', 'src/run/package'],
  ...['selftest-worker', 'contract-worker', 'accuracy'].map((name) => `src/selftest/${name}`),
  ...modules.filter((file) => /^suites.[^/\\]+$/.test(file)).map((file) => file.slice(0, -3)),
];
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, `${dist}${name}.js`])),
  platform: 'node',
  external: /^[^./]/,
});
const { output } = await bundle.write({ dir: dist, chunkFileNames: 'src/chunks/[name]-[hash].js' });
await bundle.close();
// Modules look for files relative to themselves, all from folders of this depth.
for (const { code, fileName } of output)
  if (code.includes('import.meta.url') && !/^src\/[^/]+\/[^/]+$/.test(fileName))
    throw new Error(`${fileName} would look for files in the wrong folder`);
const written = new Set(output.map(({ fileName }) => fileName));
for (const file of modules) if (!written.has(file.replaceAll('\\', '/'))) rmSync(`${dist}${file}`);

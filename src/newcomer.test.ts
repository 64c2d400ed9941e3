import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Block, blocksOf } from './testing/blocks.ts';

/**
 * Goes the way that docs/vendors.md describes, with the commands as they are written there, and compares what they
 * print with what it shows.
 */
const root = resolve('.');
const main = join(root, 'dist/src/cli/main.js');
const pages = ['docs/vendors.md', 'docs/reports.md'];
const blocks = (
  await Promise.all(pages.map(async (page) => blocksOf(page, await readFile(page, 'utf8'))))
).flat();
const marked = (mark: string): Block => {
  const found = blocks.find((block) => block.mark === mark);
  if (found === undefined) throw new Error(`no page has a block '${mark}'`);
  return found;
};

let folder = '';
let served: { readonly child: ChildProcess; readonly port: number } | undefined;
/** The target of the page: one address, whatever is served behind it. */
let front: Server;
let url = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-newcomer-'));
  await mkdir(join(folder, 'node_modules/@governed-command'), { recursive: true });
  await symlink(root, join(folder, 'node_modules/@governed-command/assay'));
  // What `npx --no-install assay` would find.
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/assay'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, {
    mode: 0o755,
  });
  front = createServer((near) => {
    const far = connect(served?.port ?? 1, '127.0.0.1');
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}, 120_000);

afterAll(() => {
  served?.child.kill();
  front.close();
});

type Ended = { readonly out: string; readonly code: number };

/** Runs a block of the page in a shell. */
function step(name: string): Promise<Ended> {
  return shell(marked(`step: ${name}`).text.replaceAll('http://127.0.0.1:8787', url));
}

function shell(script: string): Promise<Ended> {
  const env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    ASSAY_TOKEN_FULL: 'Reference-Token-Full-0001',
    NO_COLOR: '1',
    GITHUB_ACTIONS: '',
  };
  return new Promise((done) => {
    execFile('sh', ['-c', script], { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 }, (error, out, err) => {
      done({ out: `${out}${err}`, code: error === null ? 0 : Number(error.code) });
    });
  });
}

/** Runs a block that serves, on any free port, and resolves to what it printed once it serves. */
async function serve(name: string): Promise<string> {
  served?.child.kill();
  const words = marked(`step: ${name}`).text.trim().split(/\s+/).slice(1);
  const child = spawn(process.execPath, [main, ...words, '--port', '0'], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.includes('Press Ctrl-C')) break;
  }
  served = { child, port: Number(/Reference service: \S+:(\d+)/.exec(said)?.[1]) };
  return said;
}

/** What differs from run to run is the same letter: numbers, ids, names of runs. */
function still(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.-]+Z(?:-[0-9a-f]+)?/g, 'TIME')
        .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'URL')
        .replaceAll(/\b(?:case|req)_[0-9a-f]+/g, 'ID')
        .replaceAll(/\b[xt]\d+\b/g, 'ID')

        .replaceAll(/\b[0-9a-f]{16,}\b/g, 'DIGEST')
        .replaceAll(/\b\d+\b/g, 'N')
        .trimEnd(),
    )
    .filter((line) => line !== '' && line !== '...');
}

/** Each line of the page, or its beginning, in the order of the page. */
function expectShown(name: string, printed: string): void {
  const lines = still(printed);
  let from = 0;
  for (const line of still(marked(`output: ${name}`).text)) {
    const at = lines.findIndex((one, index) => index >= from && one.startsWith(line));
    expect(at, `'${line}' in what '${name}' prints:\n${printed}`).toBeGreaterThanOrEqual(from);
    from = at + 1;
  }
}

test('the way of docs/vendors.md, as it is written', { timeout: 600_000 }, async () => {
  expectShown('serve with a fault', await serve('serve with a fault'));
  const init = await step('init');
  expectShown('init', init.out);
  expect(init.code).toBe(0);
  const doctor = await step('doctor');
  expectShown('doctor', doctor.out);
  expect(doctor.code).toBe(3);
  const first = await step('first run');
  expectShown('first run', first.out);
  expect(first.code).toBe(1);
  const explained = await step('explain');
  expectShown('explain', explained.out);
  expectShown('support', explained.out);
  expect(explained).toMatchObject({ code: 0, out: expect.stringContaining('Correlation ID:   req_') });
  const still = await step('reproduce');
  expect(still.out).toMatch(/^CMD-1\/createCase: reproduced {2}/m);
  expect(still.code).toBe(1);
  await serve('serve fixed');
  const reproduced = await step('reproduce');
  expectShown('reproduce', reproduced.out);
  expect(reproduced.code).toBe(0);
  const again = await step('last failed');
  expectShown('last failed', again.out);
  expect(again.code).toBe(0);
  const second = await step('second run');
  expectShown('second run', second.out);
  expect(second.code).toBe(3);
  expectShown('diff', (await step('diff')).out);
  const signed = await step('sign');
  expectShown('sign', signed.out);
  expect(signed.code).toBe(0);
  const audit = await shell(`
openssl genpkey -algorithm ed25519 -out auditor.pem
openssl pkey -in auditor.pem -pubout -out auditor.pub.pem
assay attest reports/first --key vendor.pem --key auditor.pem
assay verify reports/first --key vendor.pub.pem --key auditor.pub.pem`);
  expectShown('verify', audit.out);
  expect(audit.code).toBe(0);
  const file = join(folder, 'reports/first/evidence.jsonl');
  const lines = (await readFile(file, 'utf8')).split('\n');
  const at = lines.findIndex((line, index) => isExchange(line) && isExchange(lines[index + 1] ?? ''));
  lines.splice(at, 2, lines[at + 1] ?? '', lines[at] ?? '');
  await writeFile(file, lines.join('\n'));
  const altered = await shell('assay verify reports/first --key vendor.pub.pem');
  expectShown('verify altered', altered.out);
  expect(altered.code).toBe(1);
});

const isExchange = (line: string): boolean => line.startsWith('{"line":"exchange"');

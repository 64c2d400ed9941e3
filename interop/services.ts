import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { callersOf } from './callers.ts';
import type { Command, Stack } from './stack.ts';

export type Service = {
  readonly origin: string;
  readonly port: number;
  readonly callers: ReturnType<typeof callersOf>;
  readonly stop: () => Promise<void>;
};

/** Why a stack cannot be tried on this machine; undefined where it can. */
export function lacks(stack: Stack): string | undefined {
  const path = (process.env['PATH'] ?? '').split(':');
  const absent = stack.needs.filter((name) => !path.some((folder) => existsSync(join(folder, name))));
  return absent.length === 0 ? undefined : `not on PATH: ${absent.join(', ')}`;
}

/** Installs or builds a stack where its sources changed since the last time; the reason where that failed. */
export function install(stack: Stack, source: string, cache: string): string | undefined {
  const hash = createHash('sha256').update(JSON.stringify(stack.install(source, cache)));
  for (const file of stack.installedFrom) hash.update(readFileSync(join(source, file)));
  const stamp = join(cache, `${stack.name.replace('/', '-')}.installed`);
  const digest = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return undefined;
  for (const { program, args, env, folder } of stack.install(source, cache)) {
    const done = spawnSync(program, args, {
      cwd: folder ?? cache,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    if (done.status === 0) continue;
    const why = done.error?.message ?? `${done.stderr}${done.stdout}`.trim().split('\n').slice(-5).join('\n');
    return `${program} failed: ${why}`;
  }
  writeFileSync(stamp, digest);
  return undefined;
}

/** Starts a service on a free port of 127.0.0.1 with a folder of its own, and waits until it responds. */
export async function start(
  stack: Stack,
  source: string,
  cache: string,
  folder: string,
  behind?: Service,
): Promise<Service> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const jwtSecret = randomBytes(32).toString('hex');
  const callers = behind?.callers ?? callersOf(stack.tokens, jwtSecret);
  const file = join(folder, 'callers.json');
  writeFileSync(file, JSON.stringify(callers));
  const port = await freePort();
  const setting = { port, folder, callers: file, jwtSecret, upstream: behind?.port };
  const child = launch(stack.start(source, cache, setting), join(folder, 'service.log'));
  const stop = async (): Promise<void> => {
    await ended(child);
    await behind?.stop();
  };
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 900; tries += 1) {
    if (child.exitCode !== null) break;
    const up = await fetch(`${origin}/cases`).then(
      () => true,
      () => false,
    );
    if (up) return { origin, port, callers, stop };
    await pause(200);
  }
  await stop();
  throw new Error(`${stack.name} did not start; see ${join(folder, 'service.log')}`);
}

function launch({ program, args, env, folder }: Command, log: string): ChildProcess {
  const out = openSync(log, 'a');
  return spawn(program, args, {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: { ...process.env, ...env },
    stdio: ['ignore', out, out],
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(late);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

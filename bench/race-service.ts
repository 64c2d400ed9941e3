import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf, option, respond, subjectIn } from './service.ts';

/**
 * POST /cases in two processes that share nothing but a folder. A key is looked up, and stored `--window` milliseconds
 * later: synchronously, as with a blocking database driver, so that one process alone never races with itself. With
 * `--window none` the key is claimed atomically. Half of `--latency` passes before the look-up, half after the insert.
 *
 * Prints its port. node race-service.js --folder F --token T --window 1 --latency 20
 */
const folder = option('folder');
const token = option('token');
const windowMs = option('window') === 'none' ? undefined : Number(option('window'));
const latencyMs = Number(option('latency'));
const cell = new Int32Array(new SharedArrayBuffer(4));

if (cluster.isPrimary) {
  const ports = [1, 2].map(
    () =>
      new Promise<number>((resolve) => {
        cluster.fork().on('message', resolve);
      }),
  );
  const [port] = await Promise.all(ports);
  console.log(port);
  process.stdin.on('end', () => process.exit(0)).resume();
} else {
  const server = createServer((request, response) => void serve(request, response));
  server.keepAliveTimeout = 60_000;
  server.listen({ host: '127.0.0.1', port: 0 }, () => {
    const address = server.address();
    process.send?.(typeof address === 'object' ? address?.port : undefined);
  });
  process.on('disconnect', () => process.exit(0));
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const send = (status: number, value: unknown): void => respond(response, status, value);
  if (request.headers.authorization !== `Bearer ${token}`) return send(401, { error: 'unauthorized' });
  if (request.method !== 'POST' || request.url !== '/cases') return send(404, { error: 'not found' });
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return send(422, { error: 'Idempotency-Key is required' });
  const subject = subjectIn(body);
  if (subject === undefined) return send(422, { error: '"subject" must be a string' });
  await pause(latencyMs / 2);
  const [status, value] = store(Buffer.from(key).toString('base64url'), subject);
  await pause(latencyMs / 2);
  send(status, value);
}

/** The result of a command: the stored one where its key is known. */
function store(key: string, subject: string): readonly [number, unknown] {
  const file = join(folder, key);
  const made = { subject, case: { id: `case_${randomBytes(12).toString('hex')}`, status: 'open' } };
  if (windowMs === undefined) {
    try {
      const claimed = openSync(file, 'wx');
      writeFileSync(claimed, JSON.stringify(made));
      closeSync(claimed);
      return [201, made.case];
    } catch {
      return known(file, subject) ?? [409, { error: 'the command is in progress' }];
    }
  }
  const before = known(file, subject);
  if (before !== undefined) return before;
  Atomics.wait(cell, 0, 0, windowMs);
  writeFileSync(file, JSON.stringify(made));
  return [201, made.case];
}

function known(file: string, subject: string): readonly [number, unknown] | undefined {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof stored !== 'object' || stored === null || !('subject' in stored) || !('case' in stored))
      return undefined;
    return stored.subject === subject
      ? [201, stored.case]
      : [409, { error: 'Idempotency-Key was used with another request' }];
  } catch {
    return undefined;
  }
}

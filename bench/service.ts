import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { isObject, parseJson } from '../src/model/json.ts';

/** Starts a service of this folder in a process of its own, which prints its port. */
export async function startService(
  script: string,
  options: Readonly<Record<string, string>>,
): Promise<{ readonly origin: string; readonly stop: () => void }> {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (text: Buffer) => resolve(text.toString().trim()));
    child.once('exit', () => reject(new Error('the service did not start')));
  });
  return { origin: `http://127.0.0.1:${port}`, stop: () => void child.stdin.end() };
}

/** An option that such a service was started with. */
export function option(name: string): string {
  return process.argv[process.argv.indexOf(`--${name}`) + 1] ?? '';
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts).toString();
}

export function respond(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': `req_${randomBytes(12).toString('hex')}`,
  });
  response.end(JSON.stringify(value));
}

/** The `subject` of a body, if it is a text. */
export function subjectIn(body: string): string | undefined {
  const value = parseJson(body);
  const subject = isObject(value) ? value['subject'] : undefined;
  return typeof subject === 'string' ? subject : undefined;
}

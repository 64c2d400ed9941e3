import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import type { Hook } from '../config/config.ts';
import { isLocal } from '../config/target.ts';
import { proxyFor } from './transport.ts';

const patienceMs = 5000;

/**
 * Why a hook cannot be called, found out without calling it; undefined where nothing speaks against it.
 * @param cwd where its command runs
 */
export async function hookProblem(
  hook: Hook,
  proxy: string | undefined,
  cwd: string,
): Promise<string | undefined> {
  if (hook.kind === 'command') return commandProblem(hook.command, cwd);
  if (hook.url.startsWith('reference:')) return undefined;
  const url = new URL(hook.url);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // What is behind a proxy only the proxy can reach.
  if (!isLocal(url.href) && proxyFor(url, proxy, process.env, undefined).proxy !== undefined)
    return undefined;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (problem: string | undefined): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.setTimeout(patienceMs, () => end(`no connection to ${url.host} within ${patienceMs / 1000} s`));
    socket.once('connect', () => end(undefined));
    socket.once('error', () => end(`nothing listens at ${url.host}`));
  });
}

/** Asks the shell whether it can read the command, and whether it knows its first word. */
function commandProblem(command: string, cwd: string): Promise<string | undefined> {
  const [word = ''] = command.trim().split(/\s+/);
  const plain = /^[\w./~+-]+$/.test(word) ? word : undefined;
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-n', '-c', command], (unreadable) => {
      if (unreadable !== null) resolve('the shell cannot read its command');
      else if (plain === undefined) resolve(undefined);
      else
        execFile('/bin/sh', ['-c', `command -v -- ${plain}`], { cwd }, (unknown) =>
          resolve(unknown === null ? undefined : `there is no program ${plain}`),
        );
    });
  });
}

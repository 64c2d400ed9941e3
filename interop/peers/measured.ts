import { spawn } from 'node:child_process';

export type Measured = { readonly code: number; readonly output: string; readonly cpuSeconds: number };

/** Runs a program to its end, with the processor seconds of it and its children, as the shell counts them. */
export function measured(program: string, args: readonly string[], folder: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', '"$@"; code=$?; times; exit $code', 'sh', program, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let counted = '';
    child.stdout.on('data', (chunk: Buffer) => {
      counted = (counted + chunk.toString()).slice(-200);
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, output, cpuSeconds: cpuOf(counted) }));
  });
}

/** The last line of `times` is what the children took: user, then system. */
export function cpuOf(text: string): number {
  const last = text.trim().split('\n').at(-1) ?? '';
  const parts = [...last.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

import { spawn } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Ended = {
  /** Undefined where it had to be killed. */
  readonly code: number | undefined;
  readonly seconds: number;
  /** Most memory that it held at once. */
  readonly megabytes: number;
  readonly terminal: string;
};

/** Says at its end how much memory the process held. `maxRSS` would count that of the process that started it. */
const measure = `data:text/javascript,${encodeURIComponent(`
import { readFileSync, writeFileSync } from 'node:fs';
process.on('exit', () => {
  let kilobytes = process.resourceUsage().maxRSS;
  try { kilobytes = Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]); } catch {}
  writeFileSync(process.env.ASSAY_PEAK_FILE, String(kilobytes));
});`)}`;

/** The command line that was compiled with this. */
const main = new URL('../../cli/main.js', import.meta.url);

/** Runs the command line in a process of its own. */
export async function assayChild(args: readonly string[], killAfterSeconds: number): Promise<Ended> {
  const peak = join(await mkdtemp(join(tmpdir(), 'assay-peak-')), 'peak');
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', measure, fileURLToPath(main), ...args], {
    env: { ...process.env, ASSAY_PEAK_FILE: peak, GITHUB_STEP_SUMMARY: '', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let terminal = '';
  const said = (chunk: Buffer): void => {
    terminal += chunk.toString('latin1');
  };
  child.stdout.on('data', said);
  child.stderr.on('data', said);
  const timer = setTimeout(() => child.kill('SIGKILL'), killAfterSeconds * 1000);
  const code = await new Promise<number | undefined>((settle) =>
    child.on('close', (exit) => settle(exit ?? undefined)),
  );
  clearTimeout(timer);
  const kilobytes = Number(await readFile(peak, 'utf8').catch(() => '0'));
  return { code, seconds: (performance.now() - started) / 1000, megabytes: kilobytes / 1024, terminal };
}

/** What no terminal may be sent, and no person be shown. */
export function terminalTroubles(terminal: string): readonly string[] {
  const text = Buffer.from(terminal, 'latin1').toString('utf8');
  return [
    ...(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]/.test(
      text.replaceAll('\r\n', '\n'),
    )
      ? ['a control character on the terminal']
      : []),
    ...(/^\s+at .+:\d+:\d+\)?$/m.test(text) || /node:internal|TypeError|RangeError/.test(text)
      ? ['a stack trace on the terminal']
      : []),
    ...(/^(?:::|##vso)/m.test(text) ? ['a command of a CI system on the terminal'] : []),
  ];
}

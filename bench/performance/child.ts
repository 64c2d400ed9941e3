import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The command line as it is built: with the checks that the build compiles. */
const main = 'dist/src/cli/main.js';

const report = `data:text/javascript,${encodeURIComponent(`
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write('\\ncost=' + (user + system) / 1000 + ' ' + process.resourceUsage().maxRSS);
});`)}`;

export type Cost = {
  readonly seconds: number;
  readonly cpuMs: number;
  readonly megabytes: number;
};

/** Runs Node with the given arguments in a process of its own, and says what it took. */
export async function costOf(args: readonly string[]): Promise<Cost> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', report, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (part) => {
    said += String(part);
  });
  await new Promise((resolve) => child.on('close', resolve));
  const [, cpu, peak] = /cost=([\d.]+) (\d+)/.exec(said) ?? [];
  return {
    seconds: (performance.now() - start) / 1000,
    cpuMs: Number(cpu),
    megabytes: Number(peak) / 1024,
  };
}

export function costOfCommand(args: readonly string[]): Promise<Cost> {
  return costOf([main, ...args]);
}

export function scriptNamed(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

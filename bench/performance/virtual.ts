import { spawn } from 'node:child_process';
import { scriptNamed } from './child.ts';
import type { Section } from './section.ts';

/** So many settings has `npm run waits`. */
const settings = 7;

/** Runs in time in which work takes none, each in a process of its own: the figures do not depend on the machine. */
export async function virtual(): Promise<Section> {
  const rows: string[][] = [];
  for (let index = 0; index < settings; index += 1) {
    const found = /^(.+?) +([\d.]+) s, idle +([\d.]+) s, (\d+) requests/m.exec(await waits(index));
    if (found === null) continue;
    const [, name = '', seconds, idle, requests] = found;
    rows.push([name, `${seconds} s`, `${idle} s`, Number(requests).toLocaleString('en')]);
  }
  return {
    title: 'Waits, limits and latency alone',
    method:
      'Runs against the reference service in virtual time, in which work takes none (`npm run waits`). A response takes 2 ms, or 4 ms with 7 operations. The limit is 60 requests per 500 ms and caller, unless the row names another; nothing is declared. Idle: nothing is on the wire.',
    columns: ['run', 'time', 'idle', 'requests'],
    rows,
  };
}

async function waits(index: number): Promise<string> {
  const child = spawn(process.execPath, [scriptNamed('../waits.js'), String(index)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (part) => {
    said += String(part);
  });
  await new Promise((resolve) => child.on('close', resolve));
  return said;
}

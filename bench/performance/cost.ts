import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { isObject, type Json, parseJson } from '../../src/model/json.ts';
import { fairWeather } from '../../src/reference/weather.ts';
import { evidenceFile } from '../../src/run/bundle.ts';
import { inTemporaryFolder } from '../../src/run/temporary-folder.ts';
import { syntheticConfig } from '../../src/testing/synthetic-config.ts';
import type { Section } from './section.ts';
import { measured, served } from './served.ts';

const quickReads = '{ G15: { seconds: 0.2 } }';

/** CPU of this process for each exchange, the reports included, where the number of operations grows. */
export async function growth(counts: readonly number[]): Promise<Section> {
  const rows: string[][] = [];
  await inTemporaryFolder('cost', async (folder) => {
    for (const [index, count] of counts.entries()) {
      const config = await syntheticConfig(folder, count, quickReads);
      await served(config, { rateLimit: 100_000 }, async (copy) => {
        // The first run compiles the code.
        if (index === 0) await measured(folder, copy, 'quick');
        const { cpuMs, exchanges, seconds } = await measured(folder, copy, 'quick');
        rows.push([
          String(count),
          exchanges.toLocaleString('en'),
          `${seconds.toFixed(1)} s`,
          `${(cpuMs / exchanges).toFixed(2)} ms`,
          `${(cpuMs / count).toFixed(0)} ms`,
          `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
        ]);
      });
    }
  });
  return {
    title: 'Growth with the contract',
    method:
      'Synthetic operations at quick, one after the other in one process, from reading the configuration to the last report. The peak is that of the process until then.',
    columns: ['operations', 'requests', 'time', 'CPU per request', 'CPU per operation', 'peak memory'],
    rows,
  };
}

type Sent = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string | null;
};

/** The whole path next to the bare client with the same requests and connections, in turns. */
export async function ratio(): Promise<Section> {
  const rows: string[][] = [];
  await inTemporaryFolder('ratio', async (folder) => {
    const config = await syntheticConfig(folder, 29, quickReads);
    for (const [concurrency, slowMs] of [
      [16, 5],
      [32, 0],
    ] as const) {
      const weather = { ...fairWeather, slow: slowMs === 0 ? 0 : 1, slowMs };
      await served(config, { rateLimit: 1e6, weather }, async (copy, url) => {
        await measured(folder, copy, 'quick', concurrency);
        for (let round = 0; round < 2; round += 1) {
          const whole = await measured(folder, copy, 'quick', concurrency);
          const alone = await bare(url, concurrency, await requestsIn(join(whole.folder, evidenceFile)));
          const rate = whole.exchanges / whole.seconds;
          rows.push([
            `${concurrency} at ${slowMs} ms`,
            whole.exchanges.toLocaleString('en'),
            `${rate.toFixed(0)}/s`,
            `${alone.rate.toFixed(0)}/s`,
            (rate / alone.rate).toFixed(2),
            `${(whole.cpuMs / whole.exchanges).toFixed(3)} ms`,
            `${alone.cpuMs.toFixed(3)} ms`,
          ]);
        }
      });
    }
  });
  return {
    title: 'Next to the bare client',
    method:
      'A run of 29 synthetic operations at quick, then undici alone with the same requests, in turns. Tokens are those of the log, so the service refuses more of them. The run includes start, waits and reports.',
    columns: [
      'concurrency and latency',
      'requests',
      'Assay',
      'bare undici',
      'ratio',
      'CPU per request',
      'of bare undici',
    ],
    rows,
  };
}

async function bare(
  url: string,
  connections: number,
  requests: readonly Sent[],
): Promise<{ readonly rate: number; readonly cpuMs: number }> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const cpu = process.cpuUsage();
  const from = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
        const { body } = await pool.request({
          method: request.method,
          path: request.path,
          headers: [...request.headers],
          body: request.body,
        });
        await body.text();
      }
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - from) / 1000;
  await pool.close();
  return { rate: requests.length / seconds, cpuMs: (user + system) / 1000 / requests.length };
}

/** What a client library sends as it is: requests that only a raw socket can send are left out. */
async function requestsIn(log: string): Promise<readonly Sent[]> {
  const found: Sent[] = [];
  for await (const line of createInterface({ input: createReadStream(log) })) {
    if (!line.startsWith('{"line":"exchange"')) continue;
    const value = parseJson(line);
    const exchange = isObject(value) ? value['exchange'] : undefined;
    const request = isObject(exchange) ? exchange['request'] : undefined;
    const sent = isObject(request) ? sentOf(request) : undefined;
    if (sent !== undefined) found.push(sent);
  }
  return found;
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const ofTheConnection = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
]);

function sentOf({ body, headers, method, path }: Readonly<Record<string, Json>>): Sent | undefined {
  const known = methods.find((name) => name === method);
  if (known === undefined || typeof path !== 'string' || !Array.isArray(headers)) return undefined;
  const pairs = headers.flatMap((pair: Json): readonly string[] => {
    const [name, value] = Array.isArray(pair) ? pair.map(String) : [];
    return name === undefined || value === undefined || ofTheConnection.has(name.toLowerCase())
      ? []
      : [name, value];
  });
  if (![path, ...pairs].every((text) => /^[!-~](?:[ -~]*[!-~])?$/.test(text))) return undefined;
  return { method: known, path, headers: pairs, body: typeof body === 'string' ? body : null };
}

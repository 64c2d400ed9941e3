import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { startExpress } from '../../fixtures/third-party/express.ts';
import { loadConfig } from '../config/load.ts';
import { placeholder } from '../evidence/redact.ts';
import { run } from './run.ts';

test('the printed curl commands show every violation', async () => {
  const { principals, tokens } = await loadConfig('harness.config.yaml');
  const known = principals.map((principal) => {
    const source = tokens.get(principal.name);
    return { ...principal, token: source !== undefined && 'value' in source ? source.value : '' };
  });
  const service = await startExpress({
    tokens: known.filter(({ state }) => state === 'valid'),
    id: () => randomUUID().replaceAll('-', ''),
  });
  try {
    const output = {
      out: () => undefined,
      err: () => undefined,
      live: false,
      columns: 100,
      colours: pc.createColors(false),
    };
    const overrides = {
      baseUrl: service.url,
      budget: 'quick',
      seed: 5,
      output: await mkdtemp(join(tmpdir(), 'assay-curl-')),
    } as const;
    const { report } = await run(
      'harness.config.yaml',
      { overrides, suites: undefined, operations: undefined, quiet: true },
      output,
      new AbortController().signal,
    );
    const env = {
      ...process.env,
      ...Object.fromEntries(known.map(({ name, token }) => [placeholder(name), token])),
    };
    expect(report?.violations.length).toBeGreaterThan(0);
    for (const violation of report?.violations ?? []) {
      const text = await new Promise<string>((resolve) =>
        execFile('bash', ['-c', violation.curl.join('\n')], { env }, (_, out) => resolve(out)),
      );
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
      expect(statuses, `${violation.clause}\n${violation.curl.join('\n')}\n${text}`).toEqual(
        violation.exchanges.map((exchange) => exchange.status),
      );
    }
  } finally {
    await service.close();
  }
});

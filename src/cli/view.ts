import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { openedGate } from '../evidence/gate.ts';
import { InputError, trouble } from '../model/input-error.ts';
import { html } from '../report/html/html.tsx';
import { renderRuns } from '../report/html/runs-page.tsx';
import { readComparison, rendered } from '../run/bundle.ts';
import { isServable, readRuns, reportIn } from '../run/runs.ts';
import { writeOwnFile } from '../run/write-file.ts';
import type { Output } from './terminal/output.ts';

export type ViewFlags = {
  /** On 127.0.0.1; 0 for any that is free. */
  readonly port: number;
  /** Writes the page into the folder and ends, in place of serving it. */
  readonly write?: boolean;
};

const indexFile = 'index.html';

/** Shows the runs of a folder as a local page, until the signal. @throws InputError where there is none */
export async function view(
  folder: string,
  flags: ViewFlags,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const runs = await readRuns(folder);
  if (flags.write === true) {
    const file = join(folder, indexFile);
    const reportOf = (name: string): string | undefined =>
      existsSync(join(folder, name, html.file)) ? `${encodeURIComponent(name)}/${html.file}` : undefined;
    await writeOwnFile(file, openedGate.document(renderRuns({ folder, ...runs, reportOf })));
    output.out(`${file}\n`);
    return 0;
  }
  const server = await listen(folder, flags.port);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : flags.port;
  output.out(`http://127.0.0.1:${port}/\n`);
  output.err('assay: press Ctrl-C to stop\n');
  if (!signal.aborted) await once(signal, 'abort');
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  return 0;
}

async function listen(folder: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    answer(folder, request).then(
      (page) => send(response, request, page),
      (error: unknown) =>
        send(response, request, {
          status: error instanceof InputError ? 404 : 500,
          type: 'text/plain',
          text: error instanceof InputError ? `${error.message}\n` : 'The page cannot be made.\n',
        }),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw trouble(
      '--port',
      `port ${port} cannot be used (${error.code ?? error.message})`,
      'choose another, or 0 for any free port',
    );
  });
  return server;
}

type Page = { readonly status: number; readonly type: 'text/html' | 'text/plain'; readonly text: string };

const missing: Page = { status: 404, type: 'text/plain', text: 'There is no such page.\n' };

async function answer(folder: string, request: IncomingMessage): Promise<Page> {
  // Another site could point a name of its own at this machine, and read along.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ''))
    return { status: 403, type: 'text/plain', text: 'This page is for this machine alone.\n' };
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return { status: 405, type: 'text/plain', text: 'This page can only be read.\n' };
  const path = (request.url ?? '/').split('?')[0];
  if (path === '/') {
    const reportOf = (name: string): string => `/runs/${encodeURIComponent(name)}`;
    return {
      status: 200,
      type: 'text/html',
      text: renderRuns({ folder, ...(await readRuns(folder)), reportOf }),
    };
  }
  const name = path?.startsWith('/runs/') ? path.slice('/runs/'.length) : '';
  if (!isServable(name)) return missing;
  const entry = await lstat(join(folder, name)).catch(() => undefined);
  return entry?.isDirectory() === true ? reportPage(join(folder, name)) : missing;
}

/** Rendered again from report.json: anybody may have written the page on the disk. */
async function reportPage(folder: string): Promise<Page> {
  const report = await reportIn(folder);
  if (typeof report === 'string') return { ...missing, text: `${folder}: ${report}\n` };
  const text = await rendered(folder, report, html, await readComparison(folder));
  return { status: 200, type: 'text/html', text };
}

function send(response: ServerResponse, request: IncomingMessage, { status, type, text }: Page): void {
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

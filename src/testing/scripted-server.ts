import { readFileSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';

/** A request as it came: the bytes of its head and body as Latin-1, and how many came before it on all connections. */
export type Arrived = { readonly text: string; readonly ordinal: number; readonly connection: number };

export type ServerScript = (socket: net.Socket, arrived: Arrived) => void;

export type ScriptedServer = {
  readonly origin: string;
  readonly port: number;
  /** Every whole request, in the order of arrival. */
  readonly arrived: readonly Arrived[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

/** Which certificate of fixtures/tls a server shows. */
export type Certificate = 'known' | 'elsewhere' | 'expired';

export function pem(name: string): string {
  return readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
}

/** A server on 127.0.0.1 that answers each whole request with what the script writes, down to the byte. */
export async function startScripted(
  script: ServerScript,
  more: { readonly certificate?: Certificate; readonly greet?: (socket: net.Socket) => void } = {},
): Promise<ScriptedServer> {
  const arrived: Arrived[] = [];
  const sockets = new Set<net.Socket>();
  let connections = 0;
  const serve = (socket: net.Socket): void => {
    const connection = connections;
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    more.greet?.(socket);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let end = endOfRequest(text); end > 0; end = endOfRequest(text)) {
        const one = { text: text.slice(0, end), ordinal: arrived.length, connection };
        text = text.slice(end);
        arrived.push(one);
        script(socket, one);
      }
    });
  };
  const { certificate } = more;
  const server =
    certificate === undefined
      ? net.createServer(serve)
      : tls.createServer({ cert: pem(certificate), key: pem(`${certificate}.key`) }, serve);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    arrived,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Where the first request of a text ends; 0 where it is not whole yet. */
export function endOfRequest(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return 0;
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  return text.length >= head + 4 + length ? head + 4 + length : 0;
}

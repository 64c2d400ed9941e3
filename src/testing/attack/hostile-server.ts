import net from 'node:net';
import { endOfRequest } from '../scripted-server.ts';
import { type HostileTarget, packedBytes, type SentPart } from './target.ts';

export type HostileServer = {
  readonly port: number;
  /** Connections to the other host that redirects name. */
  readonly visited: () => number;
  /** Requests that were met with what the target sends, as {@link requestName} names them. */
  readonly met: ReadonlySet<string>;
  readonly close: () => Promise<void>;
};

/** Which requests are met with what the target sends: every nth after so many. */
export type Turn = { readonly after: number; readonly every: number };

/**
 * Plays a hostile target: one raw socket server for all of them. Requests that are not its turn get what the service
 * behind it returns.
 */
export async function startHostile(
  target: HostileTarget,
  turn: Turn,
  behind: number | undefined,
): Promise<HostileServer> {
  const sockets = new Set<net.Socket>();
  let visited = 0;
  let arrived = 0;
  let due = 0;
  const met = new Set<string>();
  const trap = await listening((socket) => {
    visited += 1;
    socket.destroy();
  }, sockets);
  const fill = (text: string, request: string, ordinal: number): string =>
    text
      .replaceAll('{token}', /^authorization: *bearer +(\S+)/im.exec(request)?.[1] ?? 'no-token')
      .replaceAll('{elsewhere}', `http://127.0.0.1:${trap.port}`)
      .replaceAll('{n}', String(ordinal));

  const play = async (
    socket: net.Socket,
    parts: readonly SentPart[],
    request: string,
    own: Own | undefined,
  ): Promise<void> => {
    const ordinal = arrived;
    for (const part of parts) {
      if (socket.destroyed) return;
      if ('own' in part) await written(socket, Buffer.from(own?.[part.own] ?? '', 'latin1'));
      else if ('packed' in part)
        await written(socket, await packedBytes({ ...part, text: fill(part.text, request, ordinal) }));
      else if ('text' in part) {
        const bytes = Buffer.from(fill(part.text, request, ordinal), 'latin1');
        // Small pieces that never end go together, unless they are meant to drip.
        const together = part.everyMs > 0 ? 1 : Math.max(1, Math.floor(65_536 / Math.max(1, bytes.length)));
        for (let left = part.times; left > 0 && !socket.destroyed; left -= together) {
          const count = Math.min(together, left);
          await written(socket, count === 1 ? bytes : Buffer.concat(Array<Buffer>(count).fill(bytes)));
          if (part.everyMs > 0) await new Promise((resolve) => setTimeout(resolve, part.everyMs));
        }
      } else if (part.end === 'close') socket.end();
      else if (part.end === 'reset') socket.resetAndDestroy();
      else await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    }
  };

  const meets = (request: string, own: Own | undefined): boolean => {
    const { method, status } = target.to;
    if (method !== undefined && !request.startsWith(`${method} `)) return false;
    return status === undefined || own === undefined || own.status.includes(` ${status} `);
  };
  const answer = async (socket: net.Socket, request: string, greeted: boolean): Promise<void> => {
    arrived += 1;
    // Which response belongs to which request is open on such a connection.
    if (greeted) met.add(nameOf(request));
    const own = behind === undefined ? undefined : await ownResponse(behind, request);
    if (arrived > turn.after && meets(request, own)) {
      due += 1;
      if (due % turn.every === 0) {
        met.add(nameOf(request));
        await play(socket, target.sends, request, own);
        return;
      }
    }
    if (own === undefined) socket.destroy();
    else await written(socket, Buffer.from(`${own.status}${own.headers}\r\n${own.body}`, 'latin1'));
  };
  const main = await listening((socket) => {
    const greeting = arrived < turn.after ? [] : target.greets;
    let text = '';
    let queue = play(socket, greeting, '', undefined);
    // The client may have what it takes for the response before it has sent the whole request.
    if (greeting.length > 0)
      socket.on('close', () => void (text.includes('\r\n\r\n') && met.add(nameOf(text))));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let end = endOfRequest(text); end > 0; end = endOfRequest(text)) {
        const request = text.slice(0, end);
        text = text.slice(end);
        queue = queue
          .then(() => answer(socket, request, greeting.length > 0))
          .catch(() => void socket.destroy());
      }
    });
  }, sockets);
  return {
    port: main.port,
    visited: () => visited,
    met,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all([main.close(), trap.close()]);
    },
  };
}

async function listening(
  serve: (socket: net.Socket) => void,
  sockets: Set<net.Socket>,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** Resolves when the other side has taken it, or is gone. */
function written(socket: net.Socket, bytes: Buffer): Promise<void> {
  if (bytes.length === 0 || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const gone = (): void => resolve();
    socket.once('close', gone);
    socket.write(bytes, () => {
      socket.off('close', gone);
      resolve();
    });
  });
}

/** Status line, field lines and body, each with its line ends. */
type Own = { readonly status: string; readonly headers: string; readonly body: string };

/** What the service behind returns, on a connection of its own; undefined where it hangs up. */
function ownResponse(port: number, request: string): Promise<Own | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port });
    let text = '';
    const end = (own: Own | undefined): void => {
      resolve(own);
      socket.destroy();
    };
    socket.on('error', () => end(undefined));
    socket.on('close', () => end(undefined));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const own = ownOf(text);
      if (own !== undefined) end(own);
    });
    socket.write(Buffer.from(request, 'latin1'));
  });
}

function ownOf(text: string): Own | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const lines = text.slice(0, head + 2);
  const length = Number(/^content-length: *(\d+)/im.exec(lines)?.[1] ?? 0);
  if (text.length < head + 4 + length) return undefined;
  const first = lines.indexOf('\r\n') + 2;
  return { status: lines.slice(0, first), headers: lines.slice(first), body: text.slice(head + 4) };
}

/** What distinguishes a request from others, without credentials: evidence has placeholders for them. */
export function requestName(method: string, path: string, keys: readonly string[], body: string): string {
  return JSON.stringify([method, path.split('?')[0], keys, body]).replaceAll(
    /Canary-\w+|\$ASSAY_TOKEN_\w+/g,
    'token',
  );
}

function nameOf(request: string): string {
  const end = request.indexOf('\r\n\r\n');
  const head = request.slice(0, end);
  const [method = '', path = ''] = head.split(' ');
  const keys = [...head.matchAll(/^idempotency-key: *(.*?) *\r?$/gim)].map(([, value]) => value ?? '');
  return requestName(method, path, keys, Buffer.from(request.slice(end + 4), 'latin1').toString('utf8'));
}

import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { WireRequest } from '../model/wire.ts';
import { machineClock } from '../run/clock.ts';
import { type OpenWire, openWire } from '../wire/wire.ts';
import { type ScriptedServer, type ServerScript, startScripted } from './scripted-server.ts';

/** A scripted server, and a wire to it; both are closed when the test ends. */
export async function against(
  script: ServerScript,
  more: {
    readonly timeoutMs?: number;
    readonly connections?: number;
    readonly greet?: (socket: Socket) => void;
  } = {},
): Promise<{ readonly wire: OpenWire; readonly server: ScriptedServer; readonly end: () => Promise<void> }> {
  const { greet, ...target } = more;
  const server = await startScripted(script, greet === undefined ? {} : { greet });
  const wire = openWire(
    { origin: server.origin, timeoutMs: 5000, connections: 4, maxBodyBytes: 1000, ...target },
    machineClock,
  );
  const end = async (): Promise<void> => {
    await wire.close();
    await server.close();
  };
  onTestFinished(end);
  return { wire, server, end };
}

/** A command whose key and body carry a mark. */
export function command(mark: string, transport: WireRequest['transport'] = 'pooled'): WireRequest {
  return {
    method: 'POST',
    path: '/cases',
    headers: [['Idempotency-Key', mark]],
    body: Buffer.from(`{"subject":"${mark}"}`),
    transport,
  };
}

/** The mark of a request that came in. */
export const markOf = (text: string): string => /^idempotency-key: *(.*)$/im.exec(text)?.[1]?.trim() ?? '';

/** A response that carries the mark of its request. */
export const okFor = (text: string): string =>
  `HTTP/1.1 201 Created\r\nContent-Length: ${markOf(text).length}\r\n\r\n${markOf(text)}`;

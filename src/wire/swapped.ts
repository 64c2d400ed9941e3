import type { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Sends `bytes` in place of the first write: a client with a sound parser would refuse to send them. */
export class Swapped extends Duplex {
  readonly #socket: Socket;
  #bytes: readonly Buffer[] | undefined;
  readonly #flushed: () => void;

  /** @param flushed called when the last byte was handed to the operating system */
  constructor(socket: Socket, bytes: readonly Buffer[], flushed: () => void) {
    super({ autoDestroy: true, allowHalfOpen: true });
    this.#socket = socket;
    this.#bytes = bytes;
    this.#flushed = flushed;
    socket.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(_chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const bytes = this.#bytes;
    this.#bytes = undefined;
    if (bytes !== undefined) writeAll(this.#socket, bytes, this.#flushed);
    done();
  }

  override _final(done: () => void): void {
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}

/** Writes parts as one; `flushed` is called when none is left in this process. An error shows on the socket. */
export function writeAll(socket: Socket, parts: readonly Buffer[], flushed: () => void): void {
  socket.cork();
  parts.forEach((part, index) => {
    if (index < parts.length - 1) socket.write(part);
    else socket.write(part, (error) => (error ? undefined : flushed()));
  });
  socket.uncork();
}

import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Clock } from '../model/clock.ts';
import type { HeaderList, HttpResponse, NoResponse } from '../model/exchange.ts';
import { answerOf, Collector } from './body.ts';
import { exchangeTrouble, noAnswer } from './trouble.ts';

export type WireReading = {
  readonly answer: HttpResponse | undefined;
  readonly noAnswer: NoResponse | undefined;
  /** False where not one byte of the request was written: then it can take another connection. */
  readonly started: boolean;
  readonly sentAt: number | undefined;
  readonly endedAt: number;
};

export type ReadingOptions = {
  readonly socket: Socket;
  readonly clock: Clock;
  /** Milliseconds for the head of the response; the whole may take three times as long. */
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly reused: boolean;
  readonly cutOnAnswer: boolean;
  /** True where the caller reports through {@link ResponseReader.flushed} when the request was flushed. */
  readonly flushReportedByCaller: boolean;
  /** True where bytes on the connection need not be of the response, as in HTTP/2. */
  readonly otherFrames?: boolean;
  readonly signal: AbortSignal | undefined;
  readonly settle: (reading: WireReading) => void;
};

type Head = { readonly status: number; readonly headers: HeaderList };

/** undici's handler for one request: ends in exactly one reading, whatever happens. */
export class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #options: ReadingOptions;
  readonly #body: Collector;
  readonly #bytesBefore: number;
  readonly #abort = (): void => this.#giveUp(noAnswer('interrupted', 'the run was interrupted', this.#head));
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #head: Head | undefined;
  #sentAt: number | undefined;
  #settled = false;

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.#body = new Collector(options.maxBodyBytes);
    this.#bytesBefore = options.socket.bytesRead;
    this.#timer = setTimeout(() => this.#headDue(), options.timeoutMs);
    options.signal?.addEventListener('abort', this.#abort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) {
      controller.abort(new Error('given up'));
      return;
    }
    if (this.#options.flushReportedByCaller) return;
    // undici writes right after this call, as a rule in one go.
    queueMicrotask(() => {
      const { socket } = this.#options;
      if (socket.writableLength === 0) this.flushed();
      else socket.write(Buffer.alloc(0), (error) => (error ? undefined : this.flushed()));
    });
  }

  /** The request's last byte was handed to the operating system. */
  flushed(): void {
    if (!this.#settled) this.#sentAt ??= this.#options.clock.monotonic();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // Informational responses precede the one that counts (RFC 9110, 15.2).
    if (this.#settled || status < 200) return;
    this.#head = { status, headers: headersOf(controller.rawHeaders) };
    if (this.#options.cutOnAnswer) {
      this.#giveUp(
        noAnswer('cut', 'the connection was cut by the harness when the response began', this.#head),
      );
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled || this.#body.add(chunk)) return;
    this.#keep(true);
    this.#destroy();
  }

  onResponseEnd(): void {
    if (!this.#settled) this.#keep(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return;
    const { socket, reused, otherFrames = false } = this.#options;
    this.#settle(
      undefined,
      exchangeTrouble(error, {
        reused,
        begun: !otherFrames && socket.bytesRead > this.#bytesBefore,
        partial: this.#head,
      }),
    );
    this.#destroy();
  }

  #headDue(): void {
    const { timeoutMs } = this.#options;
    if (this.#head === undefined) {
      this.#giveUp(noAnswer('timeout', `no response within ${timeoutMs} ms`));
      return;
    }
    this.#timer = setTimeout(() => {
      if (this.#body.overflowed) {
        this.#keep(true);
        this.#destroy();
      } else {
        this.#giveUp(noAnswer('timeout', `the response did not end within ${3 * timeoutMs} ms`, this.#head));
      }
    }, 2 * timeoutMs);
  }

  #giveUp(reason: NoResponse): void {
    if (this.#settled) return;
    this.#settle(undefined, reason);
    this.#destroy();
  }

  #keep(cut: boolean): void {
    const head = this.#head;
    if (head === undefined) {
      this.#settle(undefined, noAnswer('protocol', 'the response ended before its head'));
      return;
    }
    const endedAt = this.#stop();
    const { settle, maxBodyBytes } = this.#options;
    const end = (answer: HttpResponse | undefined, reason: NoResponse | undefined): void =>
      settle({ answer, noAnswer: reason, started: true, sentAt: this.#sentAt, endedAt });
    answerOf(head, this.#body.received, maxBodyBytes, cut).then(
      (answer) => end(answer, undefined),
      (error: unknown) =>
        end(undefined, exchangeTrouble(error, { reused: false, begun: true, partial: head })),
    );
  }

  #settle(answer: HttpResponse | undefined, reason: NoResponse): void {
    const endedAt = this.#stop();
    this.#options.settle({
      answer,
      noAnswer: reason,
      started: this.#controller !== undefined,
      sentAt: this.#sentAt,
      endedAt,
    });
  }

  #stop(): number {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#abort);
    return this.#options.clock.monotonic();
  }

  #destroy(): void {
    this.#controller?.abort(new Error('given up'));
    this.#options.socket.destroy();
  }
}

/** Field lines from undici's flat list of names and values, byte for byte as Latin-1. */
function headersOf(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  if (!Array.isArray(raw)) return [];
  const lines: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    // Blanks around a value are not part of it (RFC 9110, 5.5); the parser leaves those behind it.
    lines.push([latin1(raw[index]), withoutBlanks(latin1(raw[index + 1]))]);
  }
  return lines;
}

function withoutBlanks(value: string): string {
  let end = value.length;
  while (value[end - 1] === ' ' || value[end - 1] === '\t') end -= 1;
  return value.slice(0, end);
}

function latin1(value: Buffer | string | undefined): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : (value ?? '');
}

import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * A connection as Node's HTTP server sees it: the requests of it that the front leaves to Node. What Node asks of a socket beyond a stream
 * is that of the connection itself.
 */
export class InnerSocket extends Duplex {
  readonly #socket: Socket;
  /** To be called whenever all of an answer was sent. */
  readonly answered: () => void;

  constructor(socket: Socket, answered: () => void) {
    super({ allowHalfOpen: true, decodeStrings: false });
    this.#socket = socket;
    this.answered = answered;
  }

  /** The connection itself. */
  get outer(): Socket {
    return this.#socket;
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }
  get remoteFamily(): string | undefined {
    return this.#socket.remoteFamily;
  }
  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }
  get localAddress(): string | undefined {
    return this.#socket.localAddress;
  }
  get localPort(): number | undefined {
    return this.#socket.localPort;
  }

  setTimeout(ms: number, listener?: () => void): this {
    if (listener !== undefined) this.once('timeout', listener);
    this.#socket.setTimeout(ms);
    return this;
  }

  setNoDelay(noDelay?: boolean): this {
    this.#socket.setNoDelay(noDelay);
    return this;
  }

  setKeepAlive(enable?: boolean, initialDelayMs?: number): this {
    this.#socket.setKeepAlive(enable, initialDelayMs);
    return this;
  }

  /** Ends the connection once all is sent, as `net.Socket` does. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.#after(this.#socket.write(chunk, encoding), done);
  }

  override _writev(chunks: { chunk: Buffer | string; encoding: BufferEncoding }[], done: () => void): void {
    const socket = this.#socket;
    socket.cork();
    for (const { chunk, encoding } of chunks) socket.write(chunk, encoding);
    socket.uncork();
    this.#after(!socket.writableNeedDrain, done);
  }

  /** At once, if there is room for more: what waits here is lost where Node destroys the connection, what was written is still sent. */
  #after(hasRoom: boolean, done: () => void): void {
    if (hasRoom) done();
    else this.#socket.once('drain', done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // What the front answered before may not be sent yet.
    if (error === null) this.#socket.destroySoon();
    else this.#socket.destroy();
    done(error);
  }
}

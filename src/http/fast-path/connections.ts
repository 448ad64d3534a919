import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { FastPath, KnownAnswer } from './fast-path.ts';
import { maxPlainLength, readPlainRequest } from './plain-request.ts';

interface Port {
  serve(inner: InnerSocket): void;
  answer: FastPath['answer'];
  onAnswer(socket: Socket): void;
  headersMs: number;
  stallMs: number;
  idleMs: number;
  /** `Date` and the headers of a connection that stays open, with the empty line. */
  lastLines(): string;
}

/**
 * Reads every connection of a server before Node's parser does. It answers plain requests that `answer` knows, and passes all other bytes
 * to Node unchanged (ARCHITECTURE.md#a-get). The server's methods that close connections also close those that Node never saw.
 * @param given `onAnswer` is called with the connection after each answer. A connection that sends nothing within `headersMs` ms gets a 408
 */
export function attachFastPath(server: Server, given: Pick<Port, 'answer' | 'onAnswer' | 'headersMs'>): void {
  const [serve] = server.listeners('connection') as [(this: Server, socket: Duplex) => void];
  server.removeListener('connection', serve);
  const port: Port = {
    serve: (inner) => serve.call(server, inner),
    ...given,
    stallMs: server.timeout,
    idleMs: server.keepAliveTimeout + server.keepAliveTimeoutBuffer,
    lastLines: lastLines(server.keepAliveTimeout),
  };
  const open = new Set<Connection>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    // Runs after Node's own listener, which ends the connection if this is its last answer.
    if (socket instanceof InnerSocket) response.once('finish', () => socket.answered());
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const connection of open) connection.closeIfIdle();
  };
  const closeAll = server.closeAllConnections.bind(server);
  server.closeAllConnections = () => {
    closeAll();
    for (const { socket } of open) socket.destroy();
  };
  server.on('connection', (socket: Socket) => {
    // A limit of the port refused it.
    if (socket.destroyed) return;
    const connection = new Connection(socket, port);
    open.add(connection);
    socket.once('close', () => open.delete(connection));
  });
}

/** Size up to which a body is copied behind its head, in bytes: one write costs less than a list of two. */
const maxCopied = 4096;

class Connection {
  readonly socket: Socket;
  readonly #port: Port;
  /**
   * The reader of the next bytes. `fast-path`: this class, between two requests. `waiting`: this class, once Node has answered its last
   * plain request. `node`: Node, until the connection ends, because only Node knows where its last request ends.
   */
  #reader: 'fast-path' | 'waiting' | 'node' = 'fast-path';
  #inner: InnerSocket | undefined;
  #isAsked = false;
  /** Whether the client reads slower than this server writes. Its requests then wait until it has read the answers. */
  #isFull = false;

  constructor(socket: Socket, port: Port) {
    this.socket = socket;
    this.#port = port;
    socket.setTimeout(port.headersMs);
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    socket.on('drain', () => this.#drained());
    socket.on('timeout', () => this.#timeOut());
    socket.on('end', () => (this.#inner === undefined ? socket.end() : this.#inner.push(null)));
    socket.on('error', (error) => this.#inner?.destroy(error));
    socket.on('close', () => this.#inner?.destroy());
  }

  /** Closes the connection if it is between two requests and Node has never seen it. */
  closeIfIdle(): void {
    if (this.#reader === 'fast-path') this.socket.destroySoon();
  }

  #read(bytes: Buffer): void {
    if (this.#reader !== 'fast-path') {
      this.#reader = 'node';
      this.#leave(bytes);
      return;
    }
    // Node reads incomplete heads and those that are not plain.
    const text = bytes.length > maxPlainLength ? '' : bytes.toString('latin1');
    let at = 0;
    do {
      const plain = this.#isFull ? undefined : readPlainRequest(text, at);
      const known = plain && this.#port.answer(plain.request);
      if (known === undefined) {
        this.#reader = plain?.end === text.length ? 'waiting' : 'node';
        this.#leave(at === 0 ? bytes : bytes.subarray(at));
        return;
      }
      this.#send(known);
      at = plain?.end ?? at;
    } while (at < text.length);
  }

  #send({ head, requestId, body }: KnownAnswer): void {
    const { socket } = this;
    const text = head.text(requestId) + this.#port.lastLines();
    if (body === undefined) socket.write(text, 'latin1');
    else if (body.length <= maxCopied) socket.write(text + body.toString('latin1'), 'latin1');
    else {
      socket.cork();
      socket.write(text, 'latin1');
      socket.write(body);
      socket.uncork();
    }
    if (!this.#isAsked) socket.setTimeout(this.#port.idleMs);
    this.#isAsked = true;
    if (isFull(socket)) {
      this.#isFull = true;
      socket.setTimeout(this.#port.stallMs);
      socket.pause();
    }
    this.#port.onAnswer(socket);
  }

  #drained(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    if (this.#reader === 'fast-path') this.socket.setTimeout(this.#port.idleMs);
    this.socket.resume();
  }

  #leave(bytes: Buffer): void {
    this.#isAsked = true;
    if (this.#inner === undefined) {
      this.#inner = new InnerSocket(this.socket, () => {
        if (this.#reader === 'waiting') this.#reader = 'fast-path';
      });
      this.#port.serve(this.#inner);
    }
    if (!this.#inner.push(bytes)) this.socket.pause();
  }

  #timeOut(): void {
    const { socket } = this;
    if (!this.#isAsked) socket.write(tooLate);
    else if (this.#reader !== 'fast-path') this.#inner?.emit('timeout');
    if (this.#reader === 'fast-path' || this.#inner?.destroyed) socket.destroy();
  }
}

/** Reports whether written bytes wait for the client. Unlike `writableNeedDrain`, it ignores bytes that the kernel accepted at once. */
function isFull({ writableLength, writableHighWaterMark }: Socket): boolean {
  return writableLength >= writableHighWaterMark;
}

/** Node's answer if headers arrive too slowly. */
const tooLate = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

function lastLines(keepAliveMs: number): () => string {
  const rest = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`;
  let second = 0;
  let lines = '';
  return () => {
    const current = Math.floor(Date.now() / 1000);
    if (current !== second) {
      second = current;
      // In the format of RFC 9110, section 5.6.7.
      lines = `Date: ${new Date(current * 1000).toUTCString()}\r\n${rest}`;
    }
    return lines;
  };
}

/**
 * A connection as Node's HTTP server sees it: a stream of the requests that the fast path does not answer. Socket methods that Node's
 * server uses are forwarded to the real connection.
 */
export class InnerSocket extends Duplex {
  readonly #socket: Socket;
  readonly answered: () => void;

  constructor(socket: Socket, answered: () => void) {
    super({ allowHalfOpen: true, decodeStrings: false });
    this.#socket = socket;
    this.answered = answered;
  }

  get outer(): Socket {
    return this.#socket;
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
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

  /** Ends the connection once everything is sent, as in `net.Socket`. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.#socket.write(chunk, encoding);
    this.#after(done);
  }

  override _writev(chunks: { chunk: Buffer | string; encoding: BufferEncoding }[], done: () => void): void {
    const socket = this.#socket;
    socket.cork();
    for (const { chunk, encoding } of chunks) socket.write(chunk, encoding);
    socket.uncork();
    this.#after(done);
  }

  /** At once if the socket has room: bytes that wait here are lost if Node destroys the connection, written ones are not. */
  #after(done: () => void): void {
    if (isFull(this.#socket)) this.#socket.once('drain', done);
    else done();
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Answers of the fast path may still be unsent.
    if (error === null) this.#socket.destroySoon();
    else this.#socket.destroy();
    done(error);
  }
}

import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, errors } from 'undici';
import { retryAfter } from '../../platform/retry-after.ts';
import type { Service } from '../platforms/platform.ts';
import { type Attempt, AttemptFault, failed } from './attempt.ts';

/** Limits of an exchange, and its two callbacks. Exactly one of them is called, once. */
export interface ExchangeOptions {
  /** `performance.now()` at the start of the attempt. */
  startedAt: number;
  limitMs: number;
  bodyBytes: number;
  /** The chat platform or push service that answers, if any: it interprets its own refusals and rate limits. */
  platform: Service | undefined;
  done(attempt: Attempt): void;
  /** The request was malformed: a bug in the caller. */
  fail(error: Error): void;
}

/**
 * One request and its answer, as an undici handler. The status decides, but the whole answer must arrive in time: an unfinished body counts
 * as no answer. After `bodyBytes`, the connection is destroyed.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #answer: { status: number; headers: IncomingHttpHeaders } | undefined;
  #bytes = 0;
  /** The body, kept only for platforms. */
  readonly #chunks: Buffer[] = [];
  #over = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const left = options.startedAt + options.limitMs - performance.now();
    this.#timer = setTimeout(() => this.#fail(new AttemptFault('timeout')), Math.max(0, left));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) this.#cut();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Skip informational answers.
    if (status < 200) return;
    this.#answer = { status, headers };
    if (Number(headers['content-length']) > this.#options.bodyBytes) this.#cut();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#options.platform !== undefined) this.#chunks.push(chunk);
    if (this.#bytes > this.#options.bodyBytes) this.#cut();
  }

  onResponseEnd(): void {
    this.#answered();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    // The status decides: another attempt would deliver twice.
    if (this.#answer !== undefined) this.#answered();
    else if (error instanceof errors.InvalidArgumentError) this.#end(() => this.#options.fail(error));
    else this.#fail(error instanceof AttemptFault ? error : faultOf(error));
  }

  #answered(): void {
    const { platform, bodyBytes } = this.#options;
    const received = this.#answer as { status: number; headers: IncomingHttpHeaders };
    const answer = { ...received, body: Buffer.concat(this.#chunks).toString('utf8', 0, bodyBytes) };
    const status = platform?.statusOf?.(answer) ?? answer.status;
    const ok = status < 300;
    const rateLimitMs = platform?.rateLimitMs?.(answer) ?? null;
    this.#end((durationMs) =>
      this.#options.done({
        status,
        error: ok ? null : 'http',
        durationMs,
        retryAfterMs: ok ? null : (retryAfter(answer.headers, Date.now()) ?? rateLimitMs),
        rateLimitMs,
        ours: false,
      }),
    );
  }

  #fail(fault: AttemptFault): void {
    this.#end((durationMs) => this.#options.done(failed(fault, durationMs)));
    this.#cut();
  }

  #end(report: (durationMs: number) => void): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    report(Math.round(performance.now() - this.#options.startedAt));
  }

  #cut(): void {
    this.#controller?.abort(new AttemptFault('timeout'));
  }
}

function faultOf(error: Error): AttemptFault {
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError)
    return new AttemptFault('protocol');
  // Under TLS 1.3, a receiver can refuse only after the handshake.
  const code = String((error as NodeJS.ErrnoException).code);
  return new AttemptFault(code.startsWith('ERR_SSL_') ? 'tls' : 'reset');
}

import { STATUS_CODES } from 'node:http';
import type { Context, Middleware } from 'koa';
import { InvalidParams } from '../boards/read-params.ts';
import { NotFound } from '../cache/renderable.ts';
import { refusalPage } from '../pages/refusal.ts';
import type { Site } from '../pages/site.ts';
import { LedgerUnavailable } from '../platform/availability.ts';
import { isUnreachable } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Fault } from '../platform/schema.ts';
import { pagePolicy } from './headers.ts';

/** What a problem may carry beside its sentence. */
export interface ProblemOptions {
  /** One a wrong field or parameter. */
  errors?: readonly Fault[];
  headers?: Readonly<Record<string, string>>;
}

/** An answer that is not what was asked for (RFC 9457): throw it, and the reader gets it. */
export class Problem extends Error {
  override name = 'Problem';
  readonly status: number;
  readonly options: ProblemOptions;

  constructor(status: number, detail: string, options: ProblemOptions) {
    super(detail);
    this.status = status;
    this.options = options;
  }
}

/**
 * @param status the HTTP status
 * @param detail a sentence that helps whoever reads it; nothing of the inside belongs there
 */
export function problem(status: number, detail: string, options: ProblemOptions = {}): Problem {
  return new Problem(status, detail, options);
}

/** Seconds after which a reader may try again when the ledger is away. */
const retryAfter = 5;

/**
 * Answers whatever is thrown further in: with problem+json, or with a page where one was asked for. The one place that writes problems.
 * @param site without one there are no pages
 */
export function problems(log: Logger, site?: Site): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const shown = problemOf(error);
      if (shown.status >= 500 && shown.status !== 503)
        log.error({ err: error, method: ctx.method, path: ctx.path }, 'failed');
      if (site !== undefined && wantsPage(ctx)) writePage(ctx, shown, site);
      else write(ctx, shown);
    }
  };
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof NotFound) return problem(404, error.message);
  if (error instanceof InvalidParams) return problem(400, `${error.message}.`, { errors: error.faults });
  if (error instanceof LedgerUnavailable || isUnreachable(error))
    return problem(503, 'The ledger is out of reach at the moment.', {
      headers: { 'Retry-After': String(retryAfter) },
    });
  // What Koa and its parsers throw (http-errors).
  const { status = 500 } = error as { status?: number };
  return problem(
    status >= 400 && status < 500 ? status : 500,
    sentences[status] ?? 'Something went wrong on our side.',
  );
}

const sentences: Record<number, string> = {
  400: 'The request cannot be read.',
  413: 'The body is too large.',
  415: 'The body must be JSON, sent with Content-Type: application/json.',
};

function write(ctx: Context, { status, message, options }: Problem): void {
  const title = STATUS_CODES[status] ?? 'Error';
  const { errors, headers = {} } = options;
  const body = { type: 'about:blank', title, status, detail: message, instance: ctx.path, errors };
  ctx.remove('ETag');
  ctx.status = status;
  ctx.set({ 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', ...headers });
  ctx.body = JSON.stringify(body);
}

/** Whether a page is what was asked for: at the path of one, or by a browser at a path that is no endpoint's. */
function wantsPage(ctx: Context): boolean {
  if (ctx.state.page === true) return true;
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return false;
  if (ctx.path.startsWith('/api/')) return false;
  return ctx.get('Accept').includes('text/html');
}

function writePage(ctx: Context, { status, message, options }: Problem, site: Site): void {
  ctx.remove('ETag');
  ctx.status = status;
  ctx.set({ 'Content-Security-Policy': pagePolicy, 'Cache-Control': 'no-store', ...options.headers });
  ctx.body = refusalPage({ status, detail: message, requestId: String(ctx.state.requestId) }, site);
  ctx.set('Content-Type', 'text/html; charset=utf-8');
}

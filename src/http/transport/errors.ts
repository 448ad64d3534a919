import type { Context, Middleware } from 'koa';
import { InvalidParams, NotFound, SeeOther } from '../../boards/endpoint.ts';
import { KeyRefusal } from '../../cappers/key-changes.ts';
import { problemDocument } from '../../pages/problems.ts';
import { refusalPage } from '../../pages/refusal.ts';
import type { Site } from '../../pages/site.ts';
import { DatabaseUnavailable } from '../../platform/availability.ts';
import { isUnique, isUnreachable } from '../../platform/database.ts';
import { Overloaded } from '../../platform/limiter.ts';
import type { Logger } from '../../platform/logger.ts';
import { type Answer, Problem, pageType, problem } from '../answer.ts';
import { respond } from './answering.ts';

/** Seconds until a client may retry while the ledger is unavailable. */
const retryAfter = 5;

/** @param baseUrl address of the public site, which has a page about each kind of problem. @param site default: no pages */
export function problems(log: Logger, baseUrl: string, site?: Site): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof SeeOther) {
        await respond(ctx, { status: 303, headers: { Location: error.path } });
        return;
      }
      const shown = problemOf(error);
      // Other statuses, including 501 and 503, are intended.
      if (shown.status === 500)
        log.error({ err: error, method: ctx.method, path: ctx.path }, 'request failed');
      await respond(
        ctx,
        site !== undefined && wantsPage(ctx) ? page(ctx, shown, site) : document(ctx, shown, baseUrl),
      );
    }
  };
}

const ofKeyRefusal = { invalid: 422, forbidden: 403, conflict: 409, unknown: 404 } as const;

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof NotFound) return problem(404, error.message);
  if (error instanceof KeyRefusal) return problem(ofKeyRefusal[error.kind], error.message);
  if (error instanceof InvalidParams) return problem(400, `${error.message}.`, { errors: error.faults });
  if (error instanceof DatabaseUnavailable || isUnreachable(error))
    return problem(503, 'The ledger is unavailable right now. Try again in a few seconds.', {
      type: 'ledger-unavailable',
      retryAfter,
    });
  if (isUnique(error))
    return problem(
      409,
      'Another request did the same at the same time. Look at its outcome before you try again.',
    );
  if (error instanceof Overloaded)
    return problem(503, 'The service is busy. Try again in a second.', { retryAfter: 1 });
  // Koa throws http-errors.
  const { status = 500 } = error as { status?: number };
  return problem(
    status >= 400 && status < 500 ? status : 500,
    sentences[status] ?? 'Something went wrong on our side. Try again.',
  );
}

const sentences: Record<number, string> = {
  400: 'The request is malformed.',
  413: 'The body is too large.',
  415: 'The body must be JSON, sent with Content-Type: application/json.',
};

function document(
  ctx: Context,
  { status, type, message, errors, headers }: Problem,
  baseUrl: string,
): Answer {
  const about = { baseUrl, status, detail: message, instance: ctx.path, errors };
  return {
    status,
    type: 'application/problem+json',
    body: problemDocument(type, about),
    headers,
  };
}

function page(ctx: Context, { status, message, headers }: Problem, site: Site): Answer {
  const refusal = { status, detail: message, requestId: String(ctx.state.requestId) };
  return { status, type: pageType, body: refusalPage(refusal, site), headers };
}

/** On a route that serves pages, or for a browser's request without a route whose path looks like a page. Never if JSON is preferred. */
function wantsPage(ctx: Context): boolean {
  if (isData(ctx.path) || prefersJson(ctx)) return false;
  if (ctx.state.page !== undefined) return ctx.state.page === true;
  return (ctx.method === 'GET' || ctx.method === 'HEAD') && ctx.get('Accept').includes('text/html');
}

/** Reports whether a path looks like data. No page has such a path. */
export function isData(path: string): boolean {
  return /^\/(?:(?:api|ledger|embed)\/|oembed$)|\.\w{2,4}$/.test(path);
}

/** Reports whether `Accept` prefers JSON to a page. A tie does not count. */
function prefersJson(ctx: Context): boolean {
  const preferred = ctx.accepts('text/html', 'application/json', 'application/problem+json');
  return preferred !== 'text/html' && preferred !== false;
}

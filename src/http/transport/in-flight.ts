import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { refusalPage } from '../../pages/refusal.ts';
import type { Site } from '../../pages/site.ts';
import type { LoopDelay } from '../../platform/loop-delay.ts';
import { pageType } from '../answer.ts';
import type { requestIds } from './access-log.ts';
import { corsHeaders, type FlatHeaders, flat, headersFor, pairs, securityHeaders } from './headers.ts';

/**
 * Maximum number of requests in progress. Each takes about 2 ms of this process's time, so with more of them readers would wait too long.
 */
export const maxInFlight = 64;

/** Maximum while the event loop is late: another request would delay all others, including those that memory can answer. */
const maxWhileLate = 4;

/** Probes, and the event stream, which has limits of its own: a browser does not reconnect after a refusal. */
const exempt = new Set(['/livez', '/readyz', '/api/stream']);

/** Limits the number of requests in progress. Answers from memory do not count; streams count until they begin. */
export interface InFlight {
  /** Answers an excess request with 503 and `Retry-After`, without Koa, because a flood must cost little. @returns whether it did */
  refuse(req: IncomingMessage, res: ServerResponse): boolean;
  /** Counts a request as in progress until `answering` settles. */
  count(answering: Promise<unknown>): void;
  /** Number of requests refused so far. They are not logged. */
  refused(): number;
}

export interface InFlightOptions {
  idOf: ReturnType<typeof requestIds>;
  /** For the page of a refusal. */
  site: Site;
  /** Headers of every answer. */
  transport: FlatHeaders;
  /** Default: it never counts as late. */
  loop?: Pick<LoopDelay, 'isLate'>;
}

export function limitInFlight({ idOf, site, transport, loop }: InFlightOptions): InFlight {
  let inFlight = 0;
  let refused = 0;
  const end = () => {
    inFlight -= 1;
  };
  const isTooMuch = () =>
    inFlight >= maxInFlight || (inFlight >= maxWhileLate && loop !== undefined && loop.isLate());
  return {
    refuse(req, res) {
      if (!isTooMuch()) return false;
      const path = String(req.url).split('?', 1)[0] as string;
      if (exempt.has(path)) return false;
      refused += 1;
      const requestId = idOf(req.headers['x-request-id'] as string | undefined);
      const asPage = wantsPage(req, path);
      const body = asPage ? refusalPage({ status: 503, detail, requestId }, site) : documentOf(path);
      const length = String(Buffer.byteLength(body));
      res.writeHead(503, [
        ...(asPage ? pageHeaders : documentHeaders),
        ...transport,
        ...['X-Request-Id', requestId, 'Content-Length', length],
      ]);
      res.end(req.method === 'HEAD' ? undefined : body);
      return true;
    },
    count(answering) {
      inFlight += 1;
      answering.then(end, end);
    },
    refused: () => refused,
  };
}

const detail = 'The service is busy. Try again in a second.';
const pageHeaders = headersOfType(pageType);
const documentHeaders = headersOfType('application/problem+json');

function headersOfType(type: string): FlatHeaders {
  return flat({
    ...Object.fromEntries(pairs([...securityHeaders, ...corsHeaders])),
    ...headersFor({ type, headers: { 'Retry-After': '1' } }, false),
    'Content-Type': type,
  });
}

function documentOf(instance: string): string {
  return JSON.stringify({ type: 'about:blank', title: STATUS_CODES[503], status: 503, detail, instance });
}

/** Reports whether a browser asks for something other than data. */
function wantsPage({ headers: { accept = '' } }: IncomingMessage, path: string): boolean {
  return accept.includes('text/html') && !path.startsWith('/api/') && !path.endsWith('.json');
}

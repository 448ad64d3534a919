import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { refusalPage } from '../../pages/refusal.ts';
import type { Site } from '../../pages/site.ts';
import type { LoopDelay } from '../../platform/loop-delay.ts';
import { pageType } from '../answer.ts';
import type { requestIds } from './access-log.ts';
import { corsHeaders, type FlatHeaders, flat, headersFor, pairs, securityHeaders } from './headers.ts';

/**
 * Requests that are being answered at once. More than these wait for each other: at some 2 ms of this process's time each, for longer than
 * a reader would.
 */
export const maxInFlight = 64;

/** While the event loop is late: what is begun then makes all others wait, those included that memory could answer. */
const maxWhileLate = 4;

/** Probes, and the event stream: it has limits of its own, and a browser that was refused it does not come back. */
const exempt = new Set(['/livez', '/readyz', '/api/stream']);

/** Bounds how many requests are being answered. What memory answers does not count; what is sent as a stream counts until it begins. */
export interface InFlight {
  /** Answers a request that is too much with 503 and `Retry-After`, in front of Koa: a flood must cost little. @returns whether it did */
  refuse(req: IncomingMessage, res: ServerResponse): boolean;
  /** Counts a request that is answered until `answering` settles. */
  count(answering: Promise<unknown>): void;
  /** Requests refused so far: they are counted, and not logged one by one. */
  refused(): number;
}

export interface InFlightOptions {
  idOf: ReturnType<typeof requestIds>;
  /** What the page of a refusal is made with. */
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

/** A browser that asks for anything else than data. */
function wantsPage({ headers: { accept = '' } }: IncomingMessage, path: string): boolean {
  return accept.includes('text/html') && !path.startsWith('/api/') && !path.endsWith('.json');
}

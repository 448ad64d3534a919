import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemDocument } from '../../pages/problems.ts';
import { refusalPage } from '../../pages/refusal.ts';
import type { Site } from '../../pages/site.ts';
import type { LoopDelay } from '../../platform/loop-delay.ts';
import { pageType } from '../answer.ts';
import type { requestIds } from './access-log.ts';
import { isData } from './errors.ts';
import { type Headers, headersBeforeKoa } from './headers.ts';

/** Limit on requests in progress, far above normal use. It only keeps a flood from exhausting the process's memory. */
export const maxInFlight = 512;

/** Limit while the event loop is late: each further request would delay all others, including those answered from memory. */
export const maxWhileLate = 64;

/** Probes, the status, and the event stream, which has its own limits: a browser does not reconnect after a refusal. */
const exempt = ['/livez', '/readyz', '/api/status', '/api/stream'];

export interface InFlightOptions {
  idOf: ReturnType<typeof requestIds>;
  site: Site;
  transport: Headers;
  /** Paths whose handlers call `isFull` themselves. Default: none. */
  accepted?: readonly string[];
  /** Default: never late. */
  loop?: Pick<LoopDelay, 'isLate'> | undefined;
}

/** Limits the number of requests in progress. Answers from memory do not count; streams count until they start. */
export function limitInFlight({ idOf, site, transport, accepted = [], loop }: InFlightOptions) {
  const neverRefused = new Set([...exempt, ...accepted]);
  let inFlight = 0;
  let refused = 0;
  const end = () => {
    inFlight -= 1;
  };
  const isFull = () =>
    inFlight >= maxInFlight || (inFlight >= maxWhileLate && loop !== undefined && loop.isLate());
  return {
    isFull,
    /** Answers an excess request with 503 and `Retry-After` before Koa, because a flood must cost little. @returns whether it did */
    refuse(req: IncomingMessage, res: ServerResponse): boolean {
      if (!isFull()) return false;
      const path = String(req.url).split('?', 1)[0] as string;
      if (neverRefused.has(path)) return false;
      refused += 1;
      const requestId = idOf(req.headers['x-request-id'] as string | undefined);
      const asPage = wantsPage(req, path);
      const body = asPage
        ? refusalPage({ status: 503, detail, requestId }, site)
        : documentOf(path, site.baseUrl);
      res.writeHead(503, {
        ...(asPage ? pageHeaders : documentHeaders),
        ...transport,
        'X-Request-Id': requestId,
        'Content-Length': String(Buffer.byteLength(body)),
      });
      res.end(req.method === 'HEAD' ? undefined : body);
      return true;
    },
    /** Counts a request as in progress until `answering` settles. */
    count(answering: Promise<unknown>): void {
      inFlight += 1;
      answering.then(end, end);
    },
    /** Not logged. */
    refused: () => refused,
  };
}

const detail = 'The service is busy. Try again in a second.';
const pageHeaders = headersOfType(pageType);
const documentHeaders = headersOfType('application/problem+json');

function headersOfType(type: string): Headers {
  return { ...headersBeforeKoa({ type, headers: { 'Retry-After': '1' } }, false), 'Content-Type': type };
}

function documentOf(instance: string, baseUrl: string): string {
  return JSON.stringify(problemDocument('busy', { baseUrl, status: 503, detail, instance }));
}

function wantsPage({ method, headers: { accept = '' } }: IncomingMessage, path: string): boolean {
  return accept.includes('text/html') && (method === 'GET' || method === 'HEAD') && !isData(path);
}

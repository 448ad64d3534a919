import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FlatHeaders } from './headers.ts';

/** The status line and headers of an answer that is given many times. */
export interface Head {
  /**
   * Answers a request.
   * @param body left out for a HEAD; undefined for a 304
   */
  send(req: IncomingMessage, res: ServerResponse, requestId: string, body: Buffer | undefined): void;
}

/** A head as Node writes it, cut where the request's id and the date go. */
interface Template {
  before: string;
  between: string;
  after: string;
}

/** What Node makes of `writeHead` and sends before the body. It is not documented, but what packages have long relied on. */
interface WithHead {
  _header?: string | null;
}

/** Up to this many bytes it costs less to copy a body behind its head than to hand the two to the kernel as a list. */
const maxCopied = 4096;

/**
 * The first time Node writes the head: it checks every header and adds the date and what concerns the connection. From then on its text
 * is used again with another id and date, for requests whose connection stays open as that of the first one did. Node does the rest, as
 * for any answer: pipelining, HEAD, timeouts, the end of the connection.
 * @param headers its headers; called when Node writes it
 * @param transport headers after the request's id
 */
export function createHead(status: 200 | 304, headers: () => FlatHeaders, transport: FlatHeaders): Head {
  let template: Template | undefined;
  return {
    send(req, res, requestId, body) {
      const usual = isUsual(req, res);
      if (usual && template !== undefined) {
        res.statusCode = status;
        (res as WithHead)._header = template.before + requestId + template.between + now() + template.after;
      } else {
        res.writeHead(status, [...headers(), 'X-Request-Id', requestId, ...transport]);
        if (usual) template = templateOf((res as WithHead)._header, requestId);
      }
      if (body === undefined || req.method === 'HEAD') res.end();
      else if (body.length <= maxCopied) res.end(body.toString('latin1'), 'latin1');
      else res.end(body);
    },
  };
}

/** HTTP/1.1 on a connection that stays open; nothing else may differ in what Node adds to a head. */
function isUsual(req: IncomingMessage, res: ServerResponse): boolean {
  return res.shouldKeepAlive && req.httpVersionMinor === 1 && req.httpVersionMajor === 1;
}

/** Undefined where the head does not have the form that is expected: it is then never used again. */
function templateOf(head: unknown, requestId: string): Template | undefined {
  if (typeof head !== 'string') return undefined;
  const [before, rest, ...more] = head.split(requestId);
  const [, between, after] = /^(.*?\r\nDate: )[^\r]{29}(\r\n.*)$/s.exec(rest ?? '') ?? [];
  if (before === undefined || more.length > 0 || between === undefined || after === undefined)
    return undefined;
  return { before, between, after };
}

let second = 0;
let text = '';

/** The present in the form of a `Date` header (RFC 9110, section 5.6.7). */
function now(): string {
  const current = Math.floor(Date.now() / 1000);
  if (current !== second) {
    second = current;
    text = new Date(current * 1000).toUTCString();
  }
  return text;
}

import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import { type FlatHeaders, pairs } from './headers.ts';

/** The status line and headers of an answer that is given many times, but what concerns the connection. */
export interface Head {
  status: 200 | 304;
  headers(requestId: string): FlatHeaders;
  /** The same as HTTP/1.1 writes it, in Latin-1, up to where `Date` and the connection's headers go. */
  text(requestId: string): string;
}

/**
 * @param transport headers after the request's id
 * @throws TypeError where a header cannot be sent
 */
export function createHead(status: 200 | 304, headers: FlatHeaders, transport: FlatHeaders): Head {
  // Joined into one text each: they are copied for each answer.
  const before = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`, ...lines(headers), 'X-Request-Id: '].join(
    '',
  );
  const after = ['\r\n', ...lines(transport)].join('');
  return {
    status,
    headers: (requestId) => [...headers, 'X-Request-Id', requestId, ...transport],
    text: (requestId) => before + requestId + after,
  };
}

function* lines(headers: FlatHeaders): Generator<string> {
  for (const [name, value] of pairs(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    yield `${name}: ${value}\r\n`;
  }
}

import { type Coding, codings, type Rendered } from '../cache/rendered.ts';
import { corsHeaders, type FlatHeaders, pagePolicy, securityHeaders } from './headers.ts';

/** A rendered answer's headers, ready to be written; `X-Request-Id` is added to them. */
export interface AnswerHeaders {
  notModified: FlatHeaders;
  coded: Readonly<Record<Coding, FlatHeaders>>;
}

const made = new WeakMap<Rendered, AnswerHeaders>();

/** The headers of an answer, made once for each one. */
export function headersOf(rendered: Rendered): AnswerHeaders {
  const known = made.get(rendered);
  if (known !== undefined) return known;
  const headers = make(rendered);
  made.set(rendered, headers);
  return headers;
}

function make({ contentType, lifetime, etag, bytes }: Rendered): AnswerHeaders {
  const common = [
    ...(contentType.startsWith('text/html') ? policed(securityHeaders) : securityHeaders),
    ...corsHeaders,
    'Vary',
    'Accept-Encoding',
    'Cache-Control',
    `public, max-age=${lifetime}, stale-while-revalidate=${lifetime}`,
    'ETag',
    etag,
  ];
  const entries = codings.map((coding) => [
    coding,
    [
      ...common,
      'Content-Type',
      contentType,
      'Content-Length',
      String(bytes[coding].length),
      ...(coding === 'identity' ? [] : ['Content-Encoding', coding]),
    ],
  ]);
  return { notModified: common, coded: Object.fromEntries(entries) };
}

/** Headers with the policy of pages. */
function policed(headers: FlatHeaders): FlatHeaders {
  return headers.map((text, at) => (headers[at - 1] === 'Content-Security-Policy' ? pagePolicy : text));
}

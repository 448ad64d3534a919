import { type Html, html } from './html.ts';
import type { FixedPage } from './page.ts';
import { pageHead, section } from './parts/section.ts';

interface ProblemType {
  status: number;
  title: string;
  means: string;
  remedy: string;
}

/** Every kind of problem that an answer can name in its `type` (RFC 9457), by the last part of its address. The first of a status is its default. */
export const problemTypes = {
  'bad-request': {
    status: 400,
    title: 'Bad Request',
    means:
      'The service could not read the request: its body is not JSON, or its address or headers are malformed.',
    remedy: 'Correct the request. The same request fails again.',
  },
  'invalid-parameters': {
    status: 400,
    title: 'Invalid parameters',
    means:
      'A parameter or a field of the body has a value that is not allowed. `errors` lists each one with its path.',
    remedy: 'Correct the listed values. The API reference has the allowed values of each parameter.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    means: 'The request needs a secret, a token, or a signature, and has none or a wrong one.',
    remedy:
      'Send the credential that `WWW-Authenticate` names. A webhook’s secret goes in `X-Webhook-Secret`; a pick is signed with a registered key.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    means: 'The credential is readable, and does not allow this change.',
    remedy: 'Use the credential of this very subscription, capper, or key.',
  },
  'not-found': {
    status: 404,
    title: 'Not Found',
    means:
      'Nothing has this address: the pick, capper, game, sport, or subscription does not exist, or the path is misspelled.',
    remedy: 'Check the spelling. `/api/cappers`, `/api/sports`, and `/api/search` list what exists.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method Not Allowed',
    means: 'The address exists, and does not take this method.',
    remedy: 'Use one of the methods in `Allow`.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    means:
      'The same was already done: the pick repeats another one, its nonce was used, or two requests made one change at the same time.',
    remedy:
      'Read what is stored before you send anything again. A repeated request under one `Idempotency-Key` gets its first answer instead.',
  },
  'too-large': {
    status: 413,
    title: 'Payload Too Large',
    means: 'The body has more bytes or more rows than the endpoint takes.',
    remedy: 'Split the request.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported Media Type',
    means: 'The endpoint cannot read the type or the content coding of the body.',
    remedy: 'Send JSON with `Content-Type: application/json`, plain or as gzip, deflate, or br.',
  },
  refused: {
    status: 422,
    title: 'Unprocessable Entity',
    means:
      'The request is well-formed, and a rule of the service refuses it: a pick after the start, a receiver with a private address, a revoked subscription.',
    remedy: '`detail` says which rule. Change what it names.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too Many Requests',
    means:
      'Your address sent more than the endpoint takes in a period. Boards, pages, and exports have no such limit.',
    remedy: 'Wait for as many seconds as `Retry-After` says.',
  },
  'internal-error': {
    status: 500,
    title: 'Internal Server Error',
    means:
      'The service has a fault. It was logged with the `X-Request-Id` of the answer. The record is not affected.',
    remedy: 'Try again. If it stays, report the request ID to the operator.',
  },
  busy: {
    status: 503,
    title: 'Service Unavailable',
    means:
      'The service answers as many requests as it can, or another service that the request needs does not answer.',
    remedy: 'Wait for as many seconds as `Retry-After` says.',
  },
  'ledger-unavailable': {
    status: 503,
    title: 'Ledger unavailable',
    means:
      'The database of the ledger is out of reach, and no earlier answer may be repeated. Nothing is lost.',
    remedy: 'Wait for as many seconds as `Retry-After` says. `/api/status` names the incident.',
  },
} as const satisfies Record<string, ProblemType>;

export type ProblemName = keyof typeof problemTypes;

export const problemNames = Object.keys(problemTypes) as ProblemName[];

/** Returns the kind of a refusal that names none. */
export function problemOfStatus(status: number): ProblemName {
  const [name] = problemNames.filter((each) => problemTypes[each].status === status);
  return name ?? (status < 500 ? 'bad-request' : 'internal-error');
}

/** Returns the body of a refusal. @param baseUrl address of the public site, which has the pages */
export function problemDocument(
  name: ProblemName,
  { baseUrl, ...own }: { baseUrl: string; status: number; detail: string; instance: string },
): object {
  return { type: `${baseUrl}/problems/${name}`, title: problemTypes[name].title, ...own };
}

/** `/problems`, and a page per kind. */
export function problemPages(): FixedPage[] {
  const about = 'Errors that answers of the API name in `type`, with what to do about each.';
  return [
    {
      path: '/problems',
      render: () => ({
        title: 'Problems',
        about: about.replaceAll('`', ''),
        under: '/docs',
        body: html`${pageHead({ eyebrow: html`<a href="/docs">API reference</a>`, title: 'Problems', lead: words(about) })}${section(
          {
            heading: 'Every kind',
            id: 'kinds',
            body: html`<ul class="pairs wide">
${problemNames.map(
  (name) =>
    html`<li><a href="/problems/${name}"><code>${name}</code></a>  <span class="note">${problemTypes[name].status}: ${words(problemTypes[name].means)}</span></li>
`,
)}</ul>`,
          },
        )}`,
      }),
    },
    ...problemNames.map((name) => ({ path: `/problems/${name}`, render: () => problemPage(name) })),
  ];
}

function problemPage(name: ProblemName) {
  const { status, title, means, remedy } = problemTypes[name];
  return {
    title: `Problem: ${title}`,
    about: means.replaceAll('`', ''),
    under: '/docs',
    body: html`${pageHead({ eyebrow: html`<a href="/problems">Problems</a>`, title, lead: words(means) })}${section(
      {
        heading: 'What to do',
        id: 'remedy',
        note: `Status ${status}`,
        body: html`<p>${words(remedy)}</p>`,
      },
    )}`,
  };
}

function words(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}

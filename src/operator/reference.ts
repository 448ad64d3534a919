import type { Router } from '@koa/router';
import { packageVersion } from '../http/api/version.ts';
import { respond } from '../http/transport/answering.ts';
import { type ApiDocument, endpointSection } from '../pages/docs/page.ts';
import { resolved } from '../pages/docs/schema-tree.ts';
import { html } from '../pages/html.ts';
import { pageHead, section } from '../pages/parts/section.ts';
import { lazy } from '../platform/once.ts';
import { operatorDocument, operatorSections } from './api.ts';
import { operatorFrame, showPage, type Viewer, viewerOf } from './frame.ts';

/** Reports whether a path belongs to the reference. */
export const isReference = (path: string): boolean => path === '/docs' || path === '/openapi.json';

/** Adds `/docs` and `/openapi.json`, which describe the port's API. */
export function addReference(router: Router, config: { site: { baseUrl: string } }): void {
  const document = lazy(() => operatorDocument(packageVersion));
  router.get('/openapi.json', (ctx) => respond(ctx, { body: document() }) as Promise<unknown>);
  router.get('/docs', (ctx) => {
    const pages = resolved(document() as ApiDocument);
    return showPage(ctx, referencePage(pages, viewerOf(ctx, config), `${ctx.protocol}://${ctx.host}`));
  });
}

const credentials = [`-H "Authorization: Bearer $OPERATOR_TOKEN"`];

function referencePage({ paths }: ApiDocument, viewer: Viewer, origin: string): string {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  return operatorFrame(
    viewer,
    'API reference',
    html`${pageHead({
      eyebrow: 'API reference',
      title: "The operator's port",
      lead: "The API of the operator's port, which must never be public.",
    })}${section({
      heading: 'Getting started',
      id: 'begin',
      links: [{ path: '/openapi.json', label: 'OpenAPI 3.1 document' }],
      body: html`<ul class="prose">
<li>Send a token of <code>OPERATOR_TOKEN</code> as a bearer token. Every change is recorded under its holder’s name.</li>
<li>Rows are JSON: one object, or a list. A list gets one answer per row. A refused row does not affect the others.</li>
<li>Errors are <code>application/problem+json</code> (RFC 9457) with a sentence in <code>detail</code>. While the ledger is unavailable you get a 503 with <code>Retry-After</code>.</li>
<li>The same row again changes nothing. For picks, send an <code>Idempotency-Key</code>, and send the request again until it is answered.</li>
</ul>`,
    })}${operatorSections.map(({ name, description }) =>
      section({
        heading: description,
        id: name,
        body: html`<ul class="endpoints">
${endpoints
  .filter(({ operation }) => operation.tags.includes(name))
  .map(
    ({ method, path, operation }) =>
      html`<li><a href="#${operation.operationId}"><code>${method !== 'GET' && `${method} `}${path}</code></a></li>
`,
  )}</ul>`,
      }),
    )}${endpoints.map((endpoint) => endpointSection(endpoint, origin, credentials))}`,
  );
}

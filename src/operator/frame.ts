import type { Context } from 'koa';
import { pageType } from '../http/answer.ts';
import { respond } from '../http/transport/answering.ts';
import { type Html, html, htmlText } from '../pages/html.ts';
import { empty } from '../pages/parts/section.ts';
import { stylesheetHash, stylesheetPath } from '../pages/stylesheet.ts';
import { requesterOf } from './actions.ts';
import { pagePolicy } from './browser-guard.ts';

/** The signed-in operator, and the address of the public site. */
export interface Viewer {
  operator: string;
  baseUrl: string;
}

export function viewerOf(ctx: Context, { site }: { site: { baseUrl: string } }): Viewer {
  return { operator: requesterOf(ctx).operator, baseUrl: site.baseUrl };
}

export async function showPage(
  ctx: Context,
  body: string,
  status = 200,
  policy: string = pagePolicy,
): Promise<void> {
  await respond(ctx, {
    type: pageType,
    status,
    body,
    // Under `no-referrer` a browser would post the forms with `Origin: null`.
    headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' },
  });
}

/** The navigation of all pages of the port, Bull Board's included. @param baseUrl address of the public site */
export const navigation = (baseUrl: string): { text: string; url: string }[] => [
  { text: 'Home', url: '/' },
  { text: 'Import', url: '/import' },
  { text: 'Sources', url: '/sources' },
  { text: 'Queues', url: '/queues' },
  { text: 'Metrics', url: '/metrics' },
  { text: 'API', url: '/docs' },
  { text: 'Status', url: `${baseUrl}/ops` },
  { text: 'Site', url: `${baseUrl}/` },
];

/** Renders a list of entries with a title and lines below it, or why it is empty. Absent lines are left out. */
export function entryList(
  label: string,
  list: readonly { title: Html | string; lines: readonly (Html | string | false)[] }[],
  whyEmpty = '',
): Html {
  if (list.length === 0) return empty(whyEmpty);
  return html`<ul class="finds" aria-label="${label}">${list.map(
    ({ title, lines }) =>
      html`<li><strong>${title}</strong>${lines.map((line) => line !== false && line !== '' && html`<p class="note">${line}</p>`)}</li>
`,
  )}</ul>`;
}

export const homeLink = { label: 'Home', path: '/' };

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;
}

/**
 * Renders a page of the operator's port around a body.
 * @param head further elements of the head. Default: none, and the page runs no scripts
 */
export function operatorFrame(
  { operator, baseUrl }: Viewer,
  title: string,
  body: Html,
  head: Html = html``,
): string {
  return htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Operator · Public Picks</title>
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheetPath}?v=${stylesheetHash}">
${head}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="masthead">
<a class="brand" href="/">Public Picks: ${operator}</a>
<nav aria-label="Operator"><ul>
${navigation(baseUrl).map(
  ({ text, url }) => html`<li><a class="masthead-link" href="${url}">${text}</a></li>
`,
)}</ul></nav>
</header>
<main id="content">
${body}</main>
</body>
</html>
`);
}

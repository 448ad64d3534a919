import { type Html, html, htmlText } from './html.ts';
import { stylesheetHash, stylesheetPath } from './stylesheet.ts';

/** A feed that a page offers to readers of feeds. */
export interface FeedLink {
  title: string;
  path: string;
  /** Default: RSS. */
  type?: string;
}

export interface Page {
  title: string;
  /** One sentence for search engines. */
  about: string;
  /** Its own path, of which the canonical address is made; absent where there is no such page. */
  path?: string;
  feeds?: readonly FeedLink[];
  /** Which entry of the navigation it belongs to. */
  under?: string;
  body: Html;
}

const navigation = [
  { path: '/record/export', label: 'Record' },
  { path: '/ops', label: 'Status' },
  { path: '/openapi.json', label: 'API' },
];

/** On every page: everything, wherever it was posted. */
const allPicks: FeedLink = { title: 'Public Picks: all picks', path: '/picks.rss' };

/**
 * A whole page around a body. It needs no script and no style of its own, so that the strictest Content-Security-Policy holds.
 * @param baseUrl such as `https://picks.example`, without a trailing slash
 */
export function layout({ title, about, path, feeds = [], under, body }: Page, baseUrl: string): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Public Picks</title>
<meta name="description" content="${about}">
<meta name="color-scheme" content="light dark">
${path === undefined ? html`<meta name="robots" content="noindex">` : html`<link rel="canonical" href="${baseUrl}${path}">`}
<link rel="stylesheet" href="${stylesheetPath}?v=${stylesheetHash}">
${[...feeds, allPicks].map(
  (
    feed,
  ) => html`<link rel="alternate" type="${feed.type ?? 'application/rss+xml'}" title="${feed.title}" href="${feed.path}">
`,
)}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="masthead">
<a class="brand" href="/">Public Picks</a>
<nav aria-label="Site">${navigation.map(
    (entry) =>
      html`<a href="${entry.path}"${entry.path === under && html` aria-current="page"`}>${entry.label}</a>`,
  )}</nav>
</header>
<main id="content">
${body}
</main>
<footer>
<p><strong>21+ only.</strong> This service keeps a record of picks. It takes no bets and gives no advice.</p>
<p>Gambling problem? Call <a href="tel:1-800-426-2537">1-800-GAMBLER</a>. Free, confidential, day and night.</p>
</footer>
</body>
</html>
`;
  return htmlText(page);
}

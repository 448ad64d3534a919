import { type OddsForm, presentOddsForm } from '../boards/formats/odds-text.ts';
import { type Html, html, htmlText } from './html.ts';
import { labelOf } from './labels.ts';
import { iconPath, logo, magnifier, manifestPath } from './logo.ts';
import type { Site } from './site.ts';
import { fonts, stylesheetHash, stylesheetPath } from './stylesheet.ts';
import { updated } from './times.ts';

/** `src/pages/client.js`, which every page runs. */
export const clientPath = '/assets/page.js';

export interface FeedLink {
  title: string;
  path: string;
  /** Default: RSS. */
  type?: string;
}

export interface Page {
  title: string;
  about: string;
  /** For its canonical address; absent if it has none. */
  path?: string;
  feeds?: readonly FeedLink[];
  /** Default: empty. */
  search?: string;
  /** Path and query of the page, for the link to the other odds format; absent if it shows no odds. */
  address?: string;
  /** When its data was read; absent if it shows none. */
  updatedAt?: EpochMs;
  /** Path of its entry in the navigation. */
  under?: string;
  /** Preview image for links, 1200 by 630. */
  card?: { path: string; alt: string };
  /** Default: none. */
  trouble?: Html | undefined;
  /** Further elements of the head, such as structured data. */
  head?: Html;
  body: Html;
}

const navigation = [
  { path: '/', label: 'Today' },
  { path: '/sharp', label: 'Sharp' },
  { path: '/leaderboard', label: 'Leaderboard' },
  { path: '/cappers', label: 'Cappers' },
  { path: '/pod', label: 'Pick of the Day' },
  { path: '/record/export', label: 'Record' },
];

const furtherPages = [
  { path: '/how', label: 'How figures are computed' },
  { path: '/ledger', label: 'How the ledger is proven' },
  { path: '/docs', label: 'API reference' },
  { path: '/webhooks', label: 'Webhooks' },
  { path: '/ops', label: 'Status' },
  { path: '/privacy', label: 'Privacy' },
  { path: '/openapi.json', label: 'OpenAPI' },
  { path: '/picks.rss', label: 'RSS' },
  { path: '/api/feed/today.ics', label: 'Calendar' },
];

const allPicks: FeedLink = { title: 'Public Picks: all picks', path: '/picks.rss' };

/** Works without scripts, and has no inline style, so that the strictest Content-Security-Policy holds. */
export function layout(page: Page, site: Site): string {
  const {
    title,
    about,
    path,
    feeds = [],
    search = '',
    under,
    address,
    updatedAt,
    trouble,
    body,
    head,
  } = page;
  const whole = html`<!doctype html>
<html lang="en"${site.logKind === 'replay' && html` data-clock="set"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Public Picks</title>
<meta name="description" content="${about}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#faf8f2" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#121715" media="(prefers-color-scheme: dark)">
${path === undefined ? html`<meta name="robots" content="noindex">` : unfolding(page, path, site)}
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="${iconPath}">
<link rel="manifest" href="${manifestPath}">
${fonts.map(
  (font) => html`<link rel="preload" href="${font.path}" as="font" type="font/woff2" crossorigin>
`,
)}<link rel="stylesheet" href="${stylesheetPath}?v=${stylesheetHash}">
${[...feeds, allPicks].map(
  (
    feed,
  ) => html`<link rel="alternate" type="${feed.type ?? 'application/rss+xml'}" title="${feed.title}" href="${feed.path}">
`,
)}<script type="module" src="${clientPath}"></script>
${head}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
${(site.demo || site.logKind === 'demo') && html`<p class="demo"><strong>Demo.</strong> Cappers, games, and picks on this site are made up.</p>`}
${site.logKind === 'replay' && html`<p class="demo"><strong>Replay.</strong> This site runs on a simulated clock: times do not show when picks were really posted.</p>`}
<header class="masthead">
<a class="brand" href="/">${logo} Public Picks</a>
<search><form class="search" action="/search" method="get"><input type="search" name="q" value="${search}" maxlength="100" required aria-label="Search" placeholder="Search"><button type="submit" aria-label="Search">${magnifier}</button></form></search>
<nav aria-label="Site"><ul>${navigation.map(
    (entry) =>
      html`<li><a class="masthead-link" href="${entry.path}"${entry.path === under && html` aria-current="page"`}>${entry.label}</a></li>`,
  )}</ul></nav>
</header>
${trouble}<main id="content">
${body}
${updatedAt !== undefined && updated(updatedAt)}</main>
<footer class="colophon">
<div class="care">
<p><strong>21+ only.</strong> Gambling problem? Call <a class="help-line" href="tel:${site.helpLine.number}">${site.helpLine.name}</a>.</p>
<p>This site records picks. It takes no bets and gives no betting advice. Past results do not guarantee future results.</p>
</div>
<nav aria-label="More"><ul>${furtherPages.map(
    (entry) => html`<li><a href="${entry.path}">${entry.label}</a></li>`,
  )}${address !== undefined && otherOdds(address)}</ul></nav>
</footer>
</body>
</html>
`;
  return keepingOdds(htmlText(whole), presentOddsForm());
}

function otherOdds(address: string): Html {
  const other = presentOddsForm() === 'decimal' ? 'american' : 'decimal';
  const path = `${address}${address.includes('?') ? '&' : '?'}odds=${other}`;
  return html`<li><a href="${path}" rel="nofollow">${labelOf('odds', other)} odds</a></li>`;
}

/** There is no cookie. Text contains no straight quotation marks, so everything that looks like an attribute is one. */
function keepingOdds(page: string, form: OddsForm): string {
  if (form === 'american') return page;
  return page
    .replace(
      / href="(\/(?!assets\/|api\/|ledger\/|favicon|openapi|manifest)[^"#]*)(#[^"]*)?"/g,
      (link, path, part = '') =>
        /[?;]odds=/.test(path)
          ? link
          : ` href="${path}${path.includes('?') ? '&amp;' : '?'}odds=${form}${part}"`,
    )
    .replace(/<form[^>]* method="get">/g, `$&<input type="hidden" name="odds" value="${form}">`)
    .replace(/(property="og:image" content="[^"]*)"/, `$1?odds=${form}"`);
}

function unfolding({ title, about, card }: Page, path: string, { baseUrl }: Site): Html {
  return html`<link rel="canonical" href="${baseUrl}${path}">
<meta property="og:site_name" content="Public Picks">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${baseUrl}${path}">
<meta name="twitter:card" content="${card === undefined ? 'summary' : 'summary_large_image'}">
${
  card !== undefined &&
  html`<meta property="og:image" content="${baseUrl}${card.path}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${card.alt}">`
}`;
}

import { type Html, html } from '../html.ts';

const services: readonly { name: string; link: (url: string, text: string) => string }[] = [
  { name: 'X', link: (url, text) => `https://x.com/intent/post?${query({ text, url })}` },
  {
    name: 'Bluesky',
    link: (url, text) => `https://bsky.app/intent/compose?${query({ text: `${text} ${url}` })}`,
  },
  { name: 'Reddit', link: (url, text) => `https://www.reddit.com/submit?${query({ url, title: text })}` },
  { name: 'Telegram', link: (url, text) => `https://t.me/share/url?${query({ url, text })}` },
  { name: 'E-mail', link: (url, text) => `mailto:?${query({ subject: text, body: url })}` },
];

/** Plain links: nothing is loaded from those services before one is followed. */
export function shareLinks(url: string, text: string): Html {
  return html`<ul class="share">${services.map(
    ({ name, link }) => html`<li><a href="${link(url, text)}" rel="noopener nofollow">${name}</a></li>`,
  )}</ul>`;
}

/** Builds a query with spaces as `%20`, because mail programs show a plus sign literally. */
function query(params: Record<string, string>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
}

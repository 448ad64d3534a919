import { type Html, html } from '../html.ts';
import type { Site } from '../site.ts';
import { pathWith } from './filters.ts';

/** What to follow. */
interface Followed {
  capper_handle?: string | undefined;
  sport?: string | undefined;
  market?: string | undefined;
}

/**
 * Renders how to follow picks without an account: in a calendar program, a feed reader, a chat channel, or a program. Webhooks have no filter
 * by market.
 * @param rss path of the feed of these picks
 */
export function followLinks({ baseUrl }: Pick<Site, 'baseUrl'>, followed: Followed, rss: string): Html {
  const calendar = `webcal://${new URL(baseUrl).host}${pathWith('/api/feed/today.ics', { ...followed })}`;
  const { capper_handle, sport } = followed;
  const links = [
    { path: calendar, label: 'Calendar' },
    { path: rss, label: 'RSS' },
    { path: `${pathWith('/webhooks', { capper_handle, sport })}#subscribe`, label: 'Discord, Slack, Teams' },
  ];
  return html`<details class="more" id="follow"><summary>Follow</summary>
<ul class="share">${links.map(({ path, label }) => html`<li><a href="${path}">${label}</a></li>`)}</ul></details>`;
}

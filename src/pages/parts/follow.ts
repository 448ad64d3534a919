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
 * Renders how to follow picks without an account: in a calendar program, a feed reader, a chat channel, a program, or by notifications on
 * this device, which a script offers.
 * @param rss path of the feed of these picks
 */
export function followLinks({ baseUrl }: Pick<Site, 'baseUrl'>, followed: Followed, rss: string): Html {
  const calendar = `webcal://${new URL(baseUrl).host}${pathWith('/api/feed/today.ics', { ...followed })}`;
  const links = [
    { path: calendar, label: 'Calendar' },
    { path: rss, label: 'RSS' },
    {
      path: `${pathWith('/webhooks', { ...followed })}#subscribe`,
      label: 'Discord, Slack, Teams, Telegram',
    },
  ];
  return html`<details class="more" id="follow"><summary>Follow</summary>
<ul class="share">${links.map(({ path, label }) => html`<li><a href="${path}">${label}</a></li>`)}</ul>
<button type="button" data-push="${pathWith('/api/push', { ...followed })}" hidden>Notify this device</button><p class="note" role="status"></p></details>`;
}

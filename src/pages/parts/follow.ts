import { sportTag } from '../../boards/formats/pick-text.ts';
import { type Html, html } from '../html.ts';
import type { Site } from '../site.ts';
import { pathWith } from './filters.ts';

type Followed = {
  [Name in 'capper_handle' | 'sport' | 'market' | 'tier' | 'team' | 'player']?: string | undefined;
};

/**
 * Renders how to follow picks without an account: in a calendar program, a feed reader, a chat channel, a program, or by notifications on
 * this device, which a script offers. A link that cannot filter as the page does says which picks it has instead.
 * @param rss path of the feed of these picks, or of all picks of the sport
 * @param hasCalendar false if no calendar has only these picks
 */
export function followLinks(
  { baseUrl }: Pick<Site, 'baseUrl'>,
  followed: Followed,
  rss: string,
  hasCalendar = true,
): Html {
  const { tier, ...slated } = followed;
  const calendar = `webcal://${new URL(baseUrl).host}${pathWith('/api/feed/today.ics', { ...slated })}`;
  const wider = ` (${['all', followed.sport && sportTag(followed.sport)].filter(Boolean).join(' ')} picks)`;
  const scope = hasCalendar ? '' : wider;
  const unfiltered = tier === undefined ? '' : wider;
  const links = [
    ...(hasCalendar ? [{ path: calendar, label: `Calendar${unfiltered}` }] : []),
    { path: rss, label: `RSS${unfiltered}` },
    {
      path: `${pathWith('/webhooks', { ...followed })}#subscribe`,
      label: `Discord, Slack, Teams, Telegram${scope}`,
    },
  ];
  return html`<details class="more" id="follow"><summary>Follow</summary>
<ul class="share">${links.map(({ path, label }) => html`<li><a href="${path}">${label}</a></li>`)}</ul>
<button type="button" data-push="${pathWith('/api/push', { ...followed })}" hidden>Notify this device${scope}</button><p class="note" role="status"></p></details>`;
}

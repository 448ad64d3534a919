import { pickItem } from '../formats/pick-item.ts';
import { narrowed, rssFormat } from '../formats/rss-format.ts';
import type { PublicPick } from '../pick.ts';

/** `/picks.rss`: every pick of verified cappers, the newest first. */
export const picksRss = rssFormat<{ picks: readonly PublicPick[] }>({
  path: '/picks.rss',
  title: (context) => `Public Picks${narrowed(context)}`,
  about: () =>
    'Every pick of verified cappers: price and stake when it is posted, closing price and result later.',
  page: () => '/',
  items: ({ picks }) => picks.map(pickItem),
});

import type { Pick } from '../boards/pick.ts';
import { pickItem } from './pick-item.ts';
import { narrowed, rssFormat } from './rss-format.ts';

/** `/picks.rss`: every pick of verified cappers, the newest first. */
export const picksRss = rssFormat<{ picks: readonly Pick[] }>({
  path: '/picks.rss',
  title: (context) => `Public Picks${narrowed(context)}`,
  about: () =>
    'Every pick of verified cappers: price and stake when it is posted, closing price and result later.',
  page: () => '/',
  items: ({ picks }) => picks.map(pickItem),
});

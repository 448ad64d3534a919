import { pickItem } from '../formats/pick-item.ts';
import { narrowed, rssFormat } from '../formats/rss-format.ts';
import type { PublicPick } from '../pick.ts';

/** `/picks.rss`: every pick of verified cappers, newest first. */
export const picksRss = rssFormat<{ picks: readonly PublicPick[] }>({
  path: '/picks.rss',
  title: (context) => `Public Picks${narrowed(context)}`,
  about: () => 'Every pick by verified cappers: odds and stake when posted, closing odds and result later.',
  page: () => '/',
  items: ({ picks }) => picks.map(pickItem),
});

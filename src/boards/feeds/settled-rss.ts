import { pickItem } from '../formats/pick-item.ts';
import { narrowed, rssFormat } from '../formats/rss-format.ts';
import type { PublicPick } from '../pick.ts';

/** `/record/rss.xml`: what the record gained last. An item appears once its pick has settled, at the time of that. */
export const recordRss = rssFormat<{ picks: readonly PublicPick[] }>({
  path: '/record/rss.xml',
  title: (context) => `The record${narrowed(context)}`,
  about: () => 'Settled picks as they enter the record: result, closing price and CLV.',
  page: () => '/record/export',
  usual: { limit: 100 },
  items: ({ picks }, { baseUrl }) =>
    picks.map((pick) => ({
      ...pickItem(pick),
      link: `${baseUrl}/record/${pick.id}`,
      publishedAt: Date.parse(pick.settledAt ?? pick.postedAt),
    })),
});

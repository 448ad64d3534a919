import { pickItem } from '../formats/pick-item.ts';
import { type FeedContext, rssFormat } from '../formats/rss-format.ts';
import type { PublicPick } from '../pick.ts';

const handle = ({ params }: FeedContext) => String(params.handle);

/** `/c/:handle/rss.xml`: the picks of one capper, newest first. */
export const capperRss = rssFormat<{ picks: readonly PublicPick[] }>({
  path: '/c/:handle/rss.xml',
  title: (context) => `Picks by ${handle(context)}`,
  about: (context) => `Every pick by ${handle(context)}, with odds, stake, closing odds, and result.`,
  page: (context) => `/c/${encodeURIComponent(handle(context))}`,
  items: ({ picks }) => picks.map(pickItem),
});

import { pickItem } from '../formats/pick-item.ts';
import { type FeedContext, rssFormat } from '../formats/rss-format.ts';
import type { PublicPick } from '../pick.ts';

const handle = ({ params }: FeedContext) => String(params.handle);

/** `/c/:handle/rss.xml`: the picks of one capper, the newest first. */
export const capperRss = rssFormat<{ picks: readonly PublicPick[] }>({
  path: '/c/:handle/rss.xml',
  title: (context) => `Picks of ${handle(context)}`,
  about: (context) => `Every pick of ${handle(context)}, with price, stake, closing price and result.`,
  page: (context) => `/c/${encodeURIComponent(handle(context))}`,
  items: ({ picks }) => picks.map(pickItem),
});

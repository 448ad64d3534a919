import { pickItem } from '../formats/pick-text.ts';
import { rssFormat } from '../formats/rss-format.ts';
import type { PublicPick } from '../pick.ts';

/** Returns the feed of an entity's open picks and latest results, at `/<kind>/:sport/:name/rss.xml`. */
export function entityRss<B>(kind: 'player' | 'team' | 'market', title: (body: B) => string, name = 'name') {
  return rssFormat<B & { open: readonly PublicPick[]; results?: readonly PublicPick[] }>({
    path: `/${kind}/:sport/:${name}/rss.xml`,
    title: (_, body) => title(body),
    about: (_, body) =>
      `${title(body)}: pending ones, and the latest results. Closing odds and results come later.`,
    page: ({ params }) => {
      const { sport, [name]: of } = params as Record<string, string>;
      return `/${kind}/${sport}/${encodeURIComponent(of!)}`;
    },
    items: ({ open, results = [] }) => [...open, ...results].map(pickItem),
  });
}

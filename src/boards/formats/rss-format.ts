import { lifetimes } from '../../cache/lifetimes.ts';
import { sportTag } from './pick-facts.ts';
import { type Item, rss } from './rss.ts';
import { notice } from './safe-text.ts';

/** What a feed is made with beside the body of its board. */
export interface FeedContext {
  /** Such as `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  /** Where people find help with gambling. */
  helpLine: string;
  /** The effective parameters. */
  params: { readonly sport?: string; readonly handle?: string; readonly limit?: number };
}

/** One feed: what it is and how the body of its board becomes items. */
export interface Feed<B> {
  /** Koa path; its `:name` segments are parameters of the board. */
  path: string;
  title(context: FeedContext): string;
  about(context: FeedContext): string;
  /** The path of the page that it belongs to. */
  page(context: FeedContext): string;
  items(body: B, context: FeedContext): Item[];
  /** Values of parameters that need not be told. */
  usual?: Readonly<Record<string, unknown>>;
}

/** Makes a feed a format of its board. It takes no account of when it is rendered. */
export function rssFormat<B>(feed: Feed<B>) {
  return {
    path: feed.path,
    contentType: 'application/rss+xml; charset=utf-8',
    lifetime: lifetimes.feed,
    render(body: B, context: FeedContext): string {
      const channel = {
        title: feed.title(context),
        link: context.baseUrl + feed.page(context),
        self: context.baseUrl + addressOf(feed, context),
        about: `${feed.about(context)} ${notice(context.helpLine)}`,
        ttl: lifetimes.feed / 60,
      };
      return rss(channel, feed.items(body, context));
    },
  };
}

/** The path under which a reader has subscribed, as far as it matters. */
function addressOf(
  { path, usual = {} }: Pick<Feed<never>, 'path' | 'usual'>,
  { params }: FeedContext,
): string {
  const values = new Map<string, unknown>(Object.entries(params));
  const query = new URLSearchParams();
  for (const [name, value] of [...values].sort())
    if (!path.includes(`:${name}`) && value !== undefined && value !== usual[name])
      query.set(name, String(value));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** ` (NFL)` where a feed is narrowed to a sport. */
export function narrowed({ params }: FeedContext): string {
  return params.sport !== undefined ? ` (${sportTag(params.sport)})` : '';
}

import { lifetimes } from '../../cache/lifetimes.ts';
import { Type } from '../../platform/type.ts';
import { sportTag } from './pick-facts.ts';
import { type Item, maxItems, newestFirst, rss } from './rss.ts';
import { notice } from './safe-text.ts';

/** What a feed is made with beside the body of its board. */
export interface FeedContext {
  /** Such as `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  /** Where people find help with gambling. */
  helpLine: string;
  /** The effective parameters. */
  params: {
    readonly sport?: string;
    readonly handle?: string;
    readonly limit?: number;
    readonly cursor?: string | undefined;
  };
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

/**
 * Makes a feed a format of its board. It takes no account of when it is rendered. Its pages of older items begin after the item that `cursor`
 * names, by its time and guid; a board that is itself read in pages takes the same cursor and answers `nextCursor`.
 */
export function rssFormat<B>(feed: Feed<B>) {
  return {
    path: feed.path,
    params: { cursor: feedCursor },
    contentType: 'application/rss+xml; charset=utf-8',
    lifetime: lifetimes.feed,
    render(body: B, context: FeedContext): string {
      const { baseUrl, params } = context;
      const { cursor } = params;
      const items = feed.items(body, context).filter(isAfter(cursor)).sort(newestFirst);
      const shown = items.slice(0, maxItems);
      const last = shown.at(-1);
      const hasOlder = items.length > maxItems || (body as { nextCursor?: string | null }).nextCursor != null;
      const at = (given?: string) =>
        baseUrl + addressOf(feed, { ...context, params: { ...params, cursor: given } });
      const channel = {
        title: feed.title(context),
        link: baseUrl + feed.page(context),
        self: at(cursor),
        older: last !== undefined && hasOlder ? at(`${last.publishedAt}-${last.guid}`) : undefined,
        newest: cursor === undefined ? undefined : at(),
        about: `${feed.about(context)} ${notice(context.helpLine)}`,
        ttl: lifetimes.feed / 60,
      };
      return rss(channel, shown);
    },
  };
}

const feedCursor = Type.Optional(
  Type.String({
    pattern: '^[0-9]{1,15}-[!-~]{1,100}$',
    must: 'that of a `prev-archive` link',
    description: 'Only items before that of the cursor, as in the `prev-archive` link of the feed.',
  }),
);

/** Returns a test of whether an item comes after that of a cursor. */
function isAfter(cursor: string | undefined): (item: Item) => boolean {
  if (cursor === undefined) return () => true;
  const at = cursor.indexOf('-');
  const place = { publishedAt: Number(cursor.slice(0, at)), guid: cursor.slice(at + 1) } as Item;
  return (item) => newestFirst(place, item) < 0;
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

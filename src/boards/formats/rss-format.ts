import { Type } from '../../platform/type.ts';
import { keyOf, lifetimes } from '../endpoint.ts';
import { marketName, sportTag } from './pick-text.ts';
import { type Item, maxItems, newestFirst, rss } from './rss.ts';
import { notice } from './safe-text.ts';

export interface FeedContext {
  /** For example `https://picks.example`, without a trailing slash. */
  baseUrl: string;
  helpLine: string;
  params: {
    readonly sport?: string;
    readonly handle?: string;
    readonly limit?: number;
    readonly cursor?: string | undefined;
  };
}

export interface Feed<B> {
  /** Koa path; its `:name` segments are parameters of the board. */
  path: string;
  title(context: FeedContext, body: B): string;
  about(context: FeedContext, body: B): string;
  page(context: FeedContext): string;
  items(body: B, context: FeedContext): Item[];
  /** Default parameter values, which the feed's address omits. */
  usual?: Readonly<Record<string, unknown>>;
}

/**
 * Turns a feed into a format of its board. The result does not depend on the time of rendering. Pages of older items start after the item
 * that `cursor` names by time and guid. A board that is itself paged takes the same cursor and returns `nextCursor`.
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
        title: feed.title(context, body),
        link: baseUrl + feed.page(context),
        self: at(cursor),
        older: last !== undefined && hasOlder ? at(`${last.publishedAt}-${last.guid}`) : undefined,
        newest: cursor === undefined ? undefined : at(),
        about: `${feed.about(context, body)} ${notice(context.helpLine)}`,
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

function isAfter(cursor: string | undefined): (item: Item) => boolean {
  if (cursor === undefined) return () => true;
  const at = cursor.indexOf('-');
  const last = { publishedAt: Number(cursor.slice(0, at)), guid: cursor.slice(at + 1) } as Item;
  return (item) => newestFirst(last, item) < 0;
}

/** Without default parameters. */
function addressOf(
  { path, usual = {} }: Pick<Feed<never>, 'path' | 'usual'>,
  { params }: FeedContext,
): string {
  const unusual = Object.entries(params).filter(([name, value]) => value !== usual[name]);
  return keyOf(path, Object.fromEntries(unusual));
}

/** Filters that a title states, in its order, and how it writes them. */
const stated: readonly (readonly [name: string, (value: string) => string])[] = [
  ['capper_handle', (handle) => handle],
  ['sport', sportTag],
  ['market', marketName],
  ['team', (team) => team],
  ['player', (player) => player],
  ['tier', (tier) => tier.replaceAll('_', ' ')],
  ['result', (result) => result],
  ['month', (month) => month],
  ['provenance', (provenance) => (provenance === 'all' ? '' : provenance)],
];

/** Returns the filters of a feed for its title, such as ` (NFL, spread)`; empty without any. */
export function narrowed({ params }: { params: object }): string {
  const given = new Map(Object.entries(params));
  const words = stated.flatMap(([name, write]) => (given.has(name) && write(String(given.get(name)))) || []);
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

import { create } from 'xmlbuilder2';
import { xmlText } from './safe-text.ts';

export interface Channel {
  title: string;
  link: string;
  self: string;
  about: string;
  /** Minutes for which a copy is valid. */
  ttl: number;
  /** URL of older items; absent on the last page (RFC 5005, section 4). */
  older?: string | undefined;
  /** URL of the newest items, for a page of older ones. */
  newest?: string | undefined;
}

/** An entry of a feed. Text is plain text. */
export interface Item {
  title: string;
  link: string;
  /** Never changes, even if the item does; not a URL. */
  guid: string;
  /** HTML. */
  description: string;
  categories: readonly string[];
  creators: readonly string[];
  publishedAt: number;
  changedAt: EpochMs;
}

export const maxItems = 100;

/**
 * Renders an RSS 2.0 document, newest items first. It depends only on its arguments, so the same content gives the same bytes.
 * `lastBuildDate` is the last change of its content, and an empty feed has none.
 */
export function rss(channel: Channel, items: readonly Item[]): string {
  const shown = items.toSorted(newestFirst).slice(0, maxItems);
  const document = create({ version: '1.0', encoding: 'UTF-8' });
  const root = document.ele('rss', {
    version: '2.0',
    'xmlns:atom': 'http://www.w3.org/2005/Atom',
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    'xmlns:fh': 'http://purl.org/syndication/history/1.0',
  });
  const head = root.ele('channel');
  const put = (parent: typeof head, name: string, text: string) => parent.ele(name).txt(data(text));
  put(head, 'title', channel.title);
  put(head, 'link', channel.link);
  put(head, 'description', channel.about);
  const link = (rel: string, href: string) =>
    head.ele('atom:link', { href: data(href), rel, type: 'application/rss+xml' });
  link('self', channel.self);
  if (channel.older !== undefined) link('prev-archive', channel.older);
  if (channel.newest !== undefined) {
    link('current', channel.newest);
    head.ele('fh:archive');
  }
  put(head, 'language', 'en-us');
  if (shown.length > 0)
    put(head, 'lastBuildDate', rfc822(Math.max(...shown.map(({ changedAt }) => changedAt))));
  put(head, 'ttl', String(channel.ttl));
  for (const item of shown) {
    const element = head.ele('item');
    put(element, 'title', item.title);
    put(element, 'link', item.link);
    element.ele('guid', { isPermaLink: 'false' }).txt(data(item.guid));
    put(element, 'pubDate', rfc822(item.publishedAt));
    for (const creator of item.creators) put(element, 'dc:creator', creator);
    for (const category of item.categories) put(element, 'category', category);
    put(element, 'description', item.description);
  }
  return `${document.end({ prettyPrint: false })}\n`;
}

export function newestFirst(a: Item, b: Item): number {
  return b.publishedAt - a.publishedAt || (a.guid < b.guid ? -1 : a.guid > b.guid ? 1 : 0);
}

/** The builder would leave an ampersand that seems to start an entity, so that `&lt;` would become `<`. It leaves escaped ones. */
function data(text: string): string {
  return xmlText(text).replaceAll('&', '&amp;');
}

/** Formats an instant as in RFC 822, with the four-digit year that RSS 2.0 allows. */
function rfc822(at: number): string {
  return new Date(at).toUTCString();
}

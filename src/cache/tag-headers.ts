/** The tag of every answer that may be kept: one purge of it empties a cache in front. */
export const everything = 'everything';

/**
 * What an answer depends on, for caches in front that purge by tag: `Surrogate-Key` as Fastly and Varnish's xkey read it, `Cache-Tag` as
 * Cloudflare, Google and Akamai do.
 */
export function tagHeaders(tags: readonly string[]): Record<'Surrogate-Key' | 'Cache-Tag', string> {
  const names = [everything, ...tags].map(tagName);
  return { 'Surrogate-Key': names.join(' '), 'Cache-Tag': names.join(',') };
}

/** A tag as headers and purges write it: printable ASCII without spaces, commas and what has a meaning in patterns. */
export function tagName(tag: string): string {
  return encodeURIComponent(tag)
    .replaceAll('%3A', ':')
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

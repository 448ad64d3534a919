import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import { compacted, type Rendered } from './rendered.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** An answer that can be rendered: of a board, a feed or a page, for parameters that are settled. It is all that the cache knows of these. */
export interface Renderable<Context> {
  /** Two renderables with one key have the same answer. */
  key: string;
  /** What the answer depends on. A bump of one of these makes it stale. */
  tags: readonly string[];
  /** Seconds that the answer advertises, and for which it is fresh at most. */
  lifetime: number;
  contentType: string;
  /** @throws NotFound, and whatever else reading its data throws */
  render(context: Context): Promise<Output>;
}

/** What rendering gives. */
export interface Output {
  text: string;
  /** What the entity tag covers; default the text. Without what differs from one rendering to the next, such as `generatedAt`. */
  tagged?: string;
  /** Whether the answer may be kept; default yes. */
  mayKeep?: boolean;
}

/** The subject of an answer does not exist. It is an answer, not a failure: nothing stale is served in its place. */
export class NotFound extends Error {
  override name = 'NotFound';
}

/**
 * Finishes an output to an answer: its entity tag, its end and its bytes in each coding.
 * @param at the instant it was rendered for, in epoch milliseconds
 * @param read the versions of the tags and the epoch, as read before rendering
 * @param compressed quickly where it may never be asked for again; default well
 */
export async function finish(
  { key, tags, lifetime, contentType }: Omit<Renderable<never>, 'render'>,
  { text, tagged = text }: Output,
  at: number,
  { versions, epoch }: Pick<Rendered, 'versions' | 'epoch'>,
  compressed: 'well' | 'quickly' = 'well',
): Promise<Rendered> {
  return {
    key,
    contentType,
    lifetime,
    generatedAt: at,
    goodUntil: Math.min(at + lifetime * 1000, nextEtDay(at)),
    etag: `W/"${createHash('sha256').update(tagged).digest('base64url').slice(0, 27)}"`,
    tags,
    versions,
    epoch,
    bytes: await encoded(text, compressed === 'well' ? brotliWell : 1),
  };
}

/** Start of the next ET day: slates and windows change then, whatever the lifetime. */
function nextEtDay(now: number): number {
  return etDayStart(addDays(etDay(now), 1));
}

/** An answer is compressed each time it changes, not once. */
const brotliWell = 5;

async function encoded(text: string, quality: number): Promise<Rendered['bytes']> {
  const identity = Buffer.from(text);
  const params = { [zlib.BROTLI_PARAM_QUALITY]: quality, [zlib.BROTLI_PARAM_SIZE_HINT]: identity.length };
  const level = quality === brotliWell ? zlib.Z_DEFAULT_COMPRESSION : 1;
  const [gzipped, br] = await Promise.all([
    compressGzip(identity, { level }),
    compressBrotli(identity, { params }),
  ]);
  return compacted({ identity, gzip: gzipped, br });
}

import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import type { Rendered } from './rendered.ts';
import { compressible, type Effort, weakEntityTag } from './representation.ts';

/** A board, feed, or page with given parameters, as seen by the cache. */
export interface Renderable<Context> {
  /** Two renderables with the same key have the same answer. */
  key: string;
  /** Tags that the answer depends on. Bumping one of them makes it stale. */
  tags: readonly string[];
  /** Longest time that the answer is fresh, in seconds, as advertised. */
  lifetime: number;
  contentType: string;
  /** @throws NotFound, and errors of reading its data */
  render(context: Context): Promise<Output>;
}

export interface Output {
  text: string | Buffer;
  /** Content of the entity tag, without fields that differ in each rendering, such as `generatedAt`. Default: the text. */
  tagged?: string | Buffer;
  /** Seconds that this answer is fresh, as advertised. Default: {@link Renderable.lifetime}. */
  lifetime?: number;
  /** Whether the answer may be kept; default true. */
  mayKeep?: boolean;
}

/** Thrown if the subject of an answer does not exist. Not a failure: the cache serves no stale answer instead. */
export class NotFound extends Error {
  override name = 'NotFound';
}

/** Thrown if the answer is at another path of this site. */
export class SeeOther extends Error {
  override name = 'SeeOther';
  readonly path: string;

  constructor(path: string) {
    super(`see ${path}`);
    this.path = path;
  }
}

/**
 * Turns an output into an answer.
 * @param at the instant it was rendered for, in epoch milliseconds
 * @param read the versions of tags and the epoch, as read before rendering
 * @param effort of compression, which happens when a client first requests a coding
 */
export function finish(
  { key, tags, lifetime: usual, contentType }: Omit<Renderable<never>, 'render'>,
  { text, tagged = text, lifetime = usual }: Output,
  at: number,
  { versions, epoch }: Pick<Rendered, 'versions' | 'epoch'>,
  effort: Effort = 'well',
): Rendered {
  return {
    key,
    contentType,
    lifetime,
    tags,
    versions,
    epoch,
    generatedAt: at,
    goodUntil: Math.min(at + lifetime * 1000, nextEtDay(at)),
    etag: weakEntityTag(tagged),
    body: compressible(text, effort),
  };
}

/** Returns the start of the next ET day, when slates and windows change. */
function nextEtDay(now: number): number {
  return etDayStart(addDays(etDay(now), 1));
}

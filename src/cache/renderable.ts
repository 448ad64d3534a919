import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import type { Rendered } from './rendered.ts';
import { compressible, type Effort, weakEntityTag } from './representation.ts';

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
  text: string | Buffer;
  /** What the entity tag covers; default the text. Without what differs from one rendering to the next, such as `generatedAt`. */
  tagged?: string | Buffer;
  /** Seconds that this answer is fresh for and advertises. Default: {@link Renderable.lifetime}. */
  lifetime?: number;
  /** Whether the answer may be kept; default yes. */
  mayKeep?: boolean;
}

/** The subject of an answer does not exist. It is an answer, not a failure: nothing stale is served in its place. */
export class NotFound extends Error {
  override name = 'NotFound';
}

/** The answer to what was asked for is at another path of this site. */
export class SeeOther extends Error {
  override name = 'SeeOther';
  readonly path: string;

  constructor(path: string) {
    super(`see ${path}`);
    this.path = path;
  }
}

/**
 * Finishes an output to an answer.
 * @param at the instant it was rendered for, in epoch milliseconds
 * @param read the versions of the tags and the epoch, as read before rendering
 * @param effort how hard it is compressed when that is asked for
 */
export function finish(
  { key, tags, lifetime: usual, contentType }: Omit<Renderable<never>, 'render'>,
  { text, tagged = text, lifetime = usual }: Output,
  at: number,
  { versions, epoch }: Pick<Rendered, 'versions' | 'epoch'>,
  effort: Effort = 'well',
): Rendered {
  return {
    ...{ key, contentType, lifetime, tags, versions, epoch },
    generatedAt: at,
    goodUntil: Math.min(at + lifetime * 1000, nextEtDay(at)),
    etag: weakEntityTag(tagged),
    body: compressible(text, effort),
  };
}

/** Start of the next ET day: slates and windows change then, whatever the lifetime. */
function nextEtDay(now: number): number {
  return etDayStart(addDays(etDay(now), 1));
}

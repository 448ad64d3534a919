import { sources } from './index.ts';
import type { SourceRun } from './runs.ts';
import type { Source } from './source.ts';

/**
 * Feeds that report scores for free and are well, as `source_events` names them: the score of a game with an event of one of them need not
 * be bought. A feed `espn/nba` has the runs `espn/nba/schedule` and `espn/nba/scores`.
 */
export function freeScoreFeeds(
  runs: Iterable<Pick<SourceRun, 'source' | 'ok' | 'succeededAt' | 'nextAt'>>,
): Set<string> {
  const all = [...runs];
  const free: readonly Source[] = sources.filter(({ offers }: Source) => offers.scores?.credits === 0);
  return new Set(
    free.flatMap(({ name }) => {
      const own = all.filter(({ source }) => source === name || source.startsWith(`${name}/`));
      const account = own.find(({ source }) => source === name);
      if (account?.ok === false) return [];
      const feeds = new Set(
        own.filter((run) => run !== account).map(({ source }) => source.replace(/\/[^/]+$/, '')),
      );
      return [...feeds].filter((feed) => {
        const parts = own.filter(({ source }) => source.startsWith(`${feed}/`));
        // One that failed and has nothing to ask any more is tried again with the next game.
        return (
          parts.every(({ ok, nextAt }) => ok || nextAt === null) &&
          parts.some(({ succeededAt }) => succeededAt !== null)
        );
      });
    }),
  );
}

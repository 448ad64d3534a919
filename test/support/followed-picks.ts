import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines, type LineRow } from '../../src/intake/price.ts';
import { iso } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { postPick } from './post-pick.ts';
import { signTree } from './sign-tree.ts';
import { runPipeline } from './whole-way.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The start and end of the game of {@link followedPicks}. */
export const followedStart = Date.parse('2025-01-05T18:00:00Z');
export const followedEnd = followedStart + 3 * hour;
export const followedGame = { sport: 'nfl', game: 'Gulls @ Foxes', startsAt: iso(followedStart) };

/** The posting times: a moneyline that wins, a total that loses half, and, shortly before the start, a moneyline that loses. */
const posted = [-120, -100, -30].map((minutes) => followedStart + minutes * minute);

/** Two books polled every six minutes, seconds apart, from three hours before the start. Their odds move every two hours. */
export const followedFeed: LineRow[] = Array.from({ length: 40 }, (_, place) => place * 6 - 180).flatMap(
  (after) =>
    ['north', 'south'].flatMap((book) => {
      const moved = Math.floor(after / 120) * 5 + (book === 'north' ? 0 : 3);
      const at = followedStart + after * minute + (book === 'north' ? 0 : 4_000);
      const price = { ...followedGame, capturedAt: iso(at), book };
      return [
        { ...price, market: 'moneyline', side: 'home', line: null, oddsAmerican: -140 - moved },
        { ...price, market: 'moneyline', side: 'away', line: null, oddsAmerican: 120 + moved },
        { ...price, market: 'total', side: 'over', line: 40.25, oddsAmerican: -110 - moved },
        ...(book === 'north'
          ? [{ ...price, market: 'total', side: 'under', line: 40.25, oddsAmerican: -105 }]
          : []),
      ];
    }),
);

/**
 * Posts live picks with prices after them, then closes and settles them, and only then seals and covers them, so that they are late.
 * @param key the seed of the log's newest key. Default: the tests' key
 * @param until prices captured later do not exist when the picks settle
 * @param dreamOdds the odds of an additional winning moneyline by the capper `dreamer`, posted with the first pick
 */
export async function followedPicks(
  database: Database,
  until = Infinity,
  { dreamOdds, key }: { dreamOdds?: number; key?: string } = {},
): Promise<void> {
  const at = (now: number) => ({ now, imported: false });
  const game = (row: Partial<GameRow>, now: number) =>
    database.transaction((transaction) =>
      applyGames(transaction, [{ ...followedGame, ...row } as GameRow], at(now)),
    );
  const before = followedStart - 4 * hour;
  await database.transaction((transaction) =>
    applyCappers(
      transaction,
      ['followed', 'dreamer'].map((handle) => ({ handle, tier: 'elite' as const, verified: true })),
      at(before),
    ),
  );
  await game({ status: 'scheduled' }, before);
  const moneyline = { market: 'moneyline', side: 'home', line: null, pick: 'Foxes', oddsAmerican: -138 };
  const total = { market: 'total', side: 'over', line: 40.25, pick: 'over 40.25', oddsAmerican: -105 };
  const away = { ...moneyline, side: 'away', pick: 'Gulls', oddsAmerican: 118 };
  const post = async (capperHandle: string, bet: typeof moneyline | typeof total, postedAt: number) => {
    const row = { capperHandle, ...followedGame, ...bet, stakeUnits: 1.5 };
    const answer = await postPick(database, row, undefined, postedAt);
    if (answer.outcome !== 'added') throw new Error(JSON.stringify(answer));
  };
  for (const [index, bet] of [moneyline, total, away].entries()) await post('followed', bet, posted[index]!);
  if (dreamOdds !== undefined) await post('dreamer', { ...moneyline, oddsAmerican: dreamOdds }, posted[0]!);
  const known = followedFeed.filter(({ capturedAt }) => Date.parse(capturedAt) <= until);
  const early = known.filter(({ capturedAt }) => Date.parse(capturedAt) < followedStart);
  await applyLines(database, early, at(followedStart - 1));
  await applyLines(database, known, at(followedStart + hour));
  await runPipeline(database, followedStart + hour);
  await game({ status: 'final', homeScore: 24, awayScore: 16, finalAt: iso(followedEnd) }, followedEnd);
  await runPipeline(database, followedEnd);
  await signTree(database, followedEnd, null, key);
  await runPipeline(database, followedEnd);
}

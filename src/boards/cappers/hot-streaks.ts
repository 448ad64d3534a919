import type { Static } from 'typebox';
import { sportSchema, tierSchema, verifiedSchema } from '../../ledger/schemas.ts';
import { iso } from '../../platform/clock.ts';
import { Type } from '../../platform/type.ts';
import { countsSql } from '../../projections/pick-filter.ts';
import { readVerdicts } from '../../projections/verdicts.ts';
import { shownChance } from '../../rules/chance.ts';
import { breakEvenOf } from '../../rules/odds.ts';
import type { BoardContext } from '../context.ts';
import { verdictSchema } from '../record.ts';
import { currentStreaks } from './current-streaks.ts';

export const hotStreak = Type.Object({
  handle: Type.String(),
  tier: { ...tierSchema, description: 'Current tier.' },
  verified: verifiedSchema,
  kind: Type.Literal('W'),
  verdict: verdictSchema,
  length: Type.Integer(),
  since: Type.String({ format: 'date-time', description: 'When the first pick of the streak settled.' }),
  lastSettledAt: Type.String({
    format: 'date-time',
    description: 'When the last pick of the streak settled.',
  }),
  sports: Type.Array(sportSchema, { description: 'Sports of the picks in the streak.' }),
  chancePct: Type.Number({
    description: 'Of 100 bettors without skill, how many win all of these picks. 0: below 0.01.',
  }),
});

export type HotStreak = Static<typeof hotStreak>;

/** Greatest age of a capper's last settled pick, in ms. */
const recentMs = 30 * 86_400_000;

/** Default minimum length of a hot streak. */
export const minHotStreak = 3;

/**
 * Returns winning streaks of at least `min` of cappers with a pick settled in the 30 days before `now`, ordered by length, latest win, and
 * handle.
 * @param limit default: all streaks
 */
export async function hotStreaks(
  { database, now }: Pick<BoardContext, 'database' | 'now'>,
  { min, limit }: { min: number; limit?: number },
): Promise<HotStreak[]> {
  const recently = new Date(now - recentMs);
  const streaks = await currentStreaks(database, (cappers) =>
    // Pushes and voids are settled picks too, although the streak does not show them.
    cappers.whereRaw(
      `exists (select from board_picks b
        where b.capper_id = c.id and b.result is not null and b.settled_at >= ? and ${countsSql('b')})`,
      [recently],
    ),
  );
  const verdictOn = await readVerdicts(
    database,
    streaks.map(({ id }) => id),
  );
  return streaks
    .flatMap(({ id, handle, tier, verified, kind, picks }) => {
      if (kind !== 'W' || picks.length < min) return [];
      return [
        {
          handle,
          tier,
          verified,
          kind,
          verdict: verdictOn(id),
          length: picks.length,
          since: iso(picks.at(-1)!.settledAt),
          lastSettledAt: iso(picks[0]!.settledAt),
          sports: [...new Set(picks.map(({ sport }) => sport))].sort(),
          chancePct: shownChance(picks.reduce((chance, pick) => chance * breakEvenOf(pick.oddsAmerican), 1)),
        },
      ];
    })
    .sort(
      (a, b) =>
        b.length - a.length || compare(b.lastSettledAt, a.lastSettledAt) || compare(a.handle, b.handle),
    )
    .slice(0, limit);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

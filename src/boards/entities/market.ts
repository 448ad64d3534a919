import { marketSchema, sportSchema } from '../../ledger/schemas.ts';
import { Type } from '../../platform/type.ts';
import { slatePicks } from '../../projections/slate.ts';
import { eventsOf } from '../../projections/tags.ts';
import { marketIn } from '../../rules/markets/index.ts';
import { beyond, board } from '../board.ts';
import { leaderboard } from '../cappers/leaderboard.ts';
import { standing } from '../cappers/standings.ts';
import { type BoardContext, NotFound } from '../endpoint.ts';
import { marketName, sportTag } from '../formats/pick-text.ts';
import { market, sport } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { sharpToday } from '../sharp/consensus.ts';
import { groupSchema } from '../sharp/groups.ts';
import { entityRss, most } from './entity.ts';

export const marketBoard = board({
  path: '/api/markets/:sport/:market',
  group: 'feeds',
  about: "A market in a sport: today's consensus and picks (ET), and its best cappers of all time.",
  params: Type.Object({ sport, market }),
  tags: (params) => eventsOf(params.sport),
  body: Type.Object({
    sport: sportSchema,
    market: marketSchema,
    groups: Type.Array(groupSchema),
    cappers: Type.Array(standing, { description: 'As on `/api/leaderboard`.' }),
    open: Type.Array(pickSchema, { description: "Picks on today's games, by start." }),
  }),
  formats: [
    entityRss<{ sport: string; market: string }>(
      'market',
      ({ sport: key, market }) => `Picks on today’s games: ${sportTag(key)}, ${marketName(market)}`,
      'market',
    ),
  ],
  beyondLog: { 'cappers[].tier': beyond.tier },
  examples: [{ sport: '{sport}', market: '{market}' }],
  async compute(context, { sport: key, market: name }) {
    await requireMarket(context, key, name);
    const { database, now, baseUrl } = context;
    const [{ groups }, { cappers }, rows] = await Promise.all([
      sharpToday.compute(context, { sport: key }),
      leaderboard.compute(context, {
        sport: key,
        market: name,
        window: 'all',
        provenance: 'all',
        limit: most.cappers,
      }),
      slatePicks(database, now, { sport: key, market: name }),
    ]);
    return {
      sport: key,
      market: name,
      groups: groups.filter((group) => group.market === name),
      cappers,
      open: rows.map((row) => publicPick(row, baseUrl)),
    };
  },
});

/** @throws NotFound if the sport neither declares a market nor has a pick on it */
async function requireMarket({ database }: BoardContext, sport: string, market: string): Promise<void> {
  if (marketIn(sport, market) !== undefined) return;
  const markets: string[] = await database('capper_totals').where({ sport }).distinct().pluck('market');
  if (markets.includes(market)) return;
  const words = new Set(market.split('_'));
  const near = markets.filter((known) => known.split('_').some((word) => words.has(word))).sort();
  throw new NotFound(
    `There is no market ${JSON.stringify(market)} in ${sport}. ${near.length === 0 ? `/api/markets lists those with picks.` : `Did you mean ${near.slice(0, 3).join(', or ')}?`}`,
  );
}

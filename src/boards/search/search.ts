import { lifetimes } from '../../cache/lifetimes.ts';
import { sportSchema } from '../../ledger/schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { everyEvent } from '../../projections/tags.ts';
import { kinds } from '../../proof/bodies.ts';
import { gameStatuses } from '../../rules/vocabulary.ts';
import { board } from '../board.ts';
import { rosterRow } from '../cappers/roster-rows.ts';
import type { BoardContext } from '../context.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { entityPages } from './entity-pages.ts';
import { entriesIdentified, picksIdentified } from './identified.ts';
import { cappersNamed, gamesNamed } from './named.ts';
import { comparisonIn, pagesFor, topicsOf } from './topics.ts';
import { nameQuery, suggestionFor } from './words.ts';

export const searchQuery = Type.String({
  minLength: 1,
  maxLength: 100,
  must: '1 to 100 characters',
  description:
    'A handle, name, team, or game; a sport, market, or tier; a UUID, record number, log index, or hash; or the first 6 or more digits of a UUID or hash.',
});

export const search = board({
  path: '/api/search',
  group: 'feeds',
  about:
    'Finds picks and log entries by UUID, number, or hash, cappers and games by name, and pages by player, team, sport, market, and tier.',
  params: Type.Object({ q: searchQuery }),
  lifetime: lifetimes.live,
  tags: () => everyEvent,
  body: Type.Object({
    pages: Type.Array(
      Type.Object({
        title: Type.String(),
        path: Type.String({
          description: 'The path and query of the page.',
          examples: ['/leaderboard?sport=nba'],
        }),
      }),
      {
        description:
          'Pages that the words lead to: players, teams, games of today, sports, markets, tiers, and rankings. Best first.',
      },
    ),
    picks: Type.Array(pickSchema, { description: 'Matches by UUID or record number.' }),
    entries: Type.Array(
      Type.Object({
        seq: Type.Integer({ description: 'The index in the log.' }),
        kind: Type.String({
          examples: kinds,
        }),
        hash: Type.String(),
        pickUuid: nullable(Type.String({ format: 'uuid' })),
        pick: nullable(Type.String()),
        bet: nullable(Type.String({ description: "The pick's selection in words." })),
        subject: nullable(
          Type.String({ description: 'The player, team, or question that the market is about.' }),
        ),
        game: nullable(Type.String()),
      }),
      { description: 'Log entries, by index or hash.' },
    ),
    cappers: Type.Array(rosterRow),
    games: Type.Array(
      Type.Object({
        id: Type.Integer(),
        sport: sportSchema,
        game: Type.String(),
        startsAt: nullable(Type.String({ format: 'date-time' })),
        day: nullable(Type.String({ format: 'date' })),
        status: Type.Enum(gameStatuses, { title: 'GameStatus' }),
      }),
      { description: 'Upcoming games, soonest first, then games that have started, latest first.' },
    ),
    suggestion: nullable(
      Type.String({
        description: 'If no name matches: the query with unknown words replaced by known ones.',
      }),
    ),
  }),
  examples: [{ q: '{handle}' }, { q: '{uuid}' }],
  // Any text is a query.
  keep: () => false,
  async compute(context, params) {
    const { database, baseUrl } = context;
    const text = params.q.trim().toLowerCase();
    const topics = topicsOf(text);
    const [compared, picks, entries, named] = await Promise.all([
      comparisonIn(database, text),
      picksIdentified(database, text),
      entriesIdentified(database, text),
      namesFound(context, text),
    ]);
    // "lakers tonight" is about a team; "tonight" is in no name.
    const names = topics.names.join(' ');
    const { cappers, games } =
      isEmpty(named) && names !== '' && names !== text ? await namesFound(context, names) : named;
    const own = await entityPages(context, topics, names, games);
    const isFound = [picks, entries, cappers, games, own].some(({ length }) => length > 0);
    const suggestion = isFound || names === '' ? null : await suggestionFor(database, names);
    const meant =
      suggestion === null
        ? own
        : await entityPages(context, topics, suggestion, (await namesFound(context, suggestion)).games);
    return {
      pages: [...compared, ...meant, ...pagesFor(topics, context.sports)],
      picks: picks.map((pick) => publicPick(pick, baseUrl)),
      entries,
      cappers,
      games,
      suggestion,
    };
  },
});

async function namesFound(context: BoardContext, text: string) {
  const query = await nameQuery(context.database, text);
  if (query === undefined) return { cappers: [], games: [] };
  const [cappers, games] = await Promise.all([
    cappersNamed(context, query, text),
    gamesNamed(context, query),
  ]);
  return { cappers, games };
}

const isEmpty = ({ cappers, games }: { cappers: readonly unknown[]; games: readonly unknown[] }) =>
  cappers.length + games.length === 0;

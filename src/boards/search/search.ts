import { sportsWithTeams } from '../../games/names/league-files.ts';
import { teamsOf } from '../../games/names/teams.ts';
import { readFixture } from '../../games/names/title.ts';
import { sportSchema } from '../../ledger/schemas.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { everyEvent } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { gameStatuses } from '../../rules/vocabulary.ts';
import { beyond, board } from '../board.ts';
import { rosterRow } from '../cappers/roster.ts';
import { type BoardContext, lifetimes } from '../endpoint.ts';
import { playerPath, playersNamed } from '../entities/player.ts';
import { teamPath } from '../entities/team.ts';
import { marketName, sportTag } from '../formats/pick-text.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { entriesIdentified, foundEntry, picksIdentified } from './identified.ts';
import { cappersNamed, gamesNamed } from './named.ts';
import { comparisonIn, type FoundPage, pagesFor, type Topics, topicsOf } from './topics.ts';
import { nameQuery, suggestionFor, wordsOf } from './words.ts';

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
        title: Field.text(),
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
    entries: Type.Array(foundEntry, { description: 'Log entries, by index or hash.' }),
    cappers: Type.Array(rosterRow),
    games: Type.Array(
      Type.Object({
        id: Field.integer(),
        sport: sportSchema,
        game: Field.text(),
        startsAt: Field.orNull.instant(),
        day: Field.orNull.day(),
        status: Type.Enum(gameStatuses, { title: 'GameStatus' }),
      }),
      { description: 'Upcoming games, soonest first, then games that have started, latest first.' },
    ),
    suggestion: Field.orNull.text('If no name matches: the query with unknown words replaced by known ones.'),
  }),
  beyondLog: {
    'cappers[].id': beyond.number,
    'cappers[].tier': beyond.tier,
    'cappers.length': beyond.listed,
    games: beyond.game,
    suggestion: beyond.name,
  },
  examples: [{ q: '{handle}' }, { q: '{uuid}' }],
  // Any text is a query.
  keep: () => false,
  async compute(context, params) {
    const { database, baseUrl } = context;
    const text = params.q.trim().toLowerCase();
    const names = nameFinder(context);
    const topics = await topicsIn(names, text);
    const [compared, picks, entries, named] = await Promise.all([
      comparisonIn(database, text),
      picksIdentified(database, text),
      entriesIdentified(database, text),
      names.listed(text),
    ]);
    // "lakers tonight" is about a team; "tonight" is in no name.
    const name = topics.names.join(' ');
    const { cappers, games } =
      isEmpty(named) && name !== '' && name !== text ? await names.listed(name) : named;
    const own = await entityPages(context, names, topics, name, games);
    const isFound = [picks, entries, cappers, games, own].some(({ length }) => length > 0);
    const suggestion = isFound || name === '' ? null : await suggestionFor(database, name);
    const meant =
      suggestion === null
        ? own
        : await entityPages(context, names, topics, suggestion, (await names.listed(suggestion)).games);
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

/** Returns what a text is about. The initial of a player's name can be a statistic's: P. is also points. */
async function topicsIn({ players }: NameFinder, text: string): Promise<Topics> {
  const topics = topicsOf(text);
  const isName = topics.market !== undefined && (await players(text)).length > 0;
  return isName ? { ...topicsOf(''), names: wordsOf(text) } : topics;
}

type NameFinder = ReturnType<typeof nameFinder>;

/** Finds what has the words of a text in its name. A search asks about the same words more than once. */
function nameFinder(context: BoardContext) {
  const { database } = context;
  const once = <T>(find: (text: string) => Promise<T>) => {
    const found = new Map<string, Promise<T>>();
    return (text: string): Promise<T> => {
      const words = wordsOf(text).join(' ');
      const known = found.get(words) ?? find(text);
      found.set(words, known);
      return known;
    };
  };
  const query = once((text) => nameQuery(database, text));
  const players = once(async (text) => {
    const asked = await query(text);
    return asked === undefined ? [] : playersNamed(database, asked);
  });
  const listed = async (text: string) => {
    const asked = await query(text);
    if (asked === undefined) return { cappers: [], games: [] };
    const [cappers, games] = await Promise.all([
      cappersNamed(context, asked, text),
      gamesNamed(context, asked),
    ]);
    return { cappers, games };
  };
  return { players, listed };
}

const isEmpty = ({ cappers, games }: { cappers: readonly unknown[]; games: readonly unknown[] }) =>
  cappers.length + games.length === 0;

/** Maximum number of players, and of teams. */
const most = 5;

type NamedGame = Awaited<ReturnType<typeof gamesNamed>>[number];

/** Returns the pages of today's games, players, and teams that a name means. @param games those that the name finds */
async function entityPages(
  { now }: Pick<BoardContext, 'now'>,
  names: NameFinder,
  { sports, market, asked }: Topics,
  name: string,
  games: readonly NamedGame[],
): Promise<FoundPage[]> {
  if (wordsOf(name).length === 0) return [];
  const isMeant = ({ sport }: { sport: string }) => sports.length === 0 || sports.includes(sport);
  const players = (await names.players(name)).filter(isMeant).slice(0, most);
  const playing = teamsIn(games.filter(isMeant), name);
  const teams = (playing.length > 0 ? playing : teamsKnown(name).filter(isMeant)).slice(0, most);
  const today = games.filter(
    ({ startsAt, day }) => (startsAt === null ? day : etDay(Date.parse(startsAt))) === etDay(now),
  );
  return [
    ...(asked.has('day') ? today.slice(0, most) : []).map(({ id, sport, game }) => ({
      title: `${game} today (${sportTag(sport)})`,
      path: `/game/${id}`,
    })),
    ...players.map((player) => ({
      title: `${player.name} (${sportTag(player.sport)})${market === undefined ? '' : `: ${marketName(market)}`}`,
      path: `${playerPath(player)}${market === undefined ? '' : `#${market}`}`,
    })),
    ...teams.map((team) => ({
      title: `${team.name} (${sportTag(team.sport)}): games, picks, and record`,
      path: teamPath(team),
    })),
  ];
}

/** Returns the opponents of games that have all words of a name, or have it as another name. */
function teamsIn(games: readonly NamedGame[], name: string): { sport: string; name: string }[] {
  const asked = wordsOf(name);
  const found = games.flatMap(({ sport, game }) => {
    const fixture = readFixture(game, sport);
    const teams = teamsOf(sport);
    return (fixture === undefined ? [] : [fixture.away, fixture.home])
      .filter((side) => {
        const words = wordsOf(side);
        const hasAll = asked.every((word) =>
          words.some((known) => (word.length === 1 ? known === word : known.startsWith(word))),
        );
        return hasAll || teams.keyOf(side) === teams.keyOf(name);
      })
      .map((side): [string, { sport: string; name: string }] => [
        `${sport}/${teams.keyOf(side)}`,
        { sport, name: side },
      ]);
  });
  return [...new Map(found).values()];
}

/** Returns the teams that leagues list under a name, which may have no game yet. */
function teamsKnown(name: string): { sport: string; name: string }[] {
  return sportsWithTeams()
    .map((sport) => teamsOf(sport))
    .filter((teams) => teams.knows(name))
    .map((teams) => ({ sport: teams.sport, name: teams.fullName(name) }));
}

import { instant, isoOrNull } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { findGames, type Game, type GameName, gameColumns, gameKey } from './game.ts';
import { confirmHomes, swapHomes, swappedRow } from './home-team.ts';
import { readTeams } from './names/aliases.ts';
import { leagueOf } from './names/leagues/index.ts';
import { inWordsOf } from './names/opponents.ts';
import {
  isSwapped,
  minimumGapMs,
  noTeam,
  opponentsKey,
  similarStartMs,
  type Teams,
  unknownTeam,
} from './names/teams.ts';
import { type Fixture, readFixture, readTitle } from './names/title.ts';
import { namesUndecided } from './names/undecided.ts';
import { type NotedOutcome, refused } from './row-outcome.ts';

/**
 * The game that a row names: its name and first announced start, or why none was found. `note`: the game has other names than the row, or
 * names that its league does not know. `swapped`: home and away are swapped, so the row's sides and scores must be swapped too.
 */
export type Resolved = { name: GameName; note?: string; swapped?: boolean } | { refused: string };

interface ResolveOptions {
  creates?: boolean;
  strict?: boolean;
  kept?: ReadonlySet<number>;
}

/**
 * Finds the games that rows name. An exact name wins. Otherwise, if both teams are known, it finds the game of the same opponents with a
 * similar start. Names unknown to every league match only at the same start (docs/rules/teams.md). A row without a match keeps its name. If
 * a game's home team is a guess and nothing refers to its sides, the game is renamed as the row says (docs/rules/games.md#home-and-away).
 * @param options.creates the rows are games, so one without a match is a new game
 * @param options.strict refuse new games with an unknown team in a closed league
 * @param options.kept ids of games that keep their names, because other rows of the transaction refer to their sides
 */
export async function resolveGames(
  database: Database,
  rows: readonly GameName[],
  { creates = false, strict = false, kept = new Set() }: ResolveOptions = {},
): Promise<Resolved[]> {
  const exact = await findGames(database, rows);
  const open = rows.filter((row) => !exact.has(gameKey(row)));
  const unsure = [...exact.values()].filter(({ homeKnown }) => !homeKnown).map(({ id }) => id);
  if (creates) await confirmHomes(database, unsure);
  if (open.length === 0) return rows.map((name) => ({ name }));
  const teams = await teamsOfSports(database, open);
  const known = await gamesAround(database, open, teams);
  const matches = new Map<string, Match>();
  for (const row of open) {
    const key = gameKey(row);
    if (matches.has(key)) continue;
    const match = matchOf(row, teams.get(row.sport)!, known, { creates, strict });
    matches.set(key, match);
    if (creates && 'name' in match) known.add(row, teams.get(row.sport)!);
  }
  const swapped = await swapAll(database, [...matches.values()], [...kept, ...unsure], creates);
  return rows.map((name) => {
    const match = matches.get(gameKey(name));
    if (match === undefined) return { name };
    if ('game' in match) return resolvedAs(match, swapped);
    // Several rows can name the same new game, each with its own fields.
    return 'name' in match ? { ...match, name } : match;
  });
}

/** A known game that a row names differently, or with swapped teams. */
interface KnownMatch {
  game: KnownGame;
  isSwapped: boolean;
}

type Match = Resolved | KnownMatch;

function matchOf(
  row: GameName,
  teams: Teams,
  known: KnownGames,
  { creates, strict }: { creates: boolean; strict: boolean },
): Match {
  const fixture = readFixture(row.game, row.sport);
  if (fixture === undefined) return { name: row };
  const start = row.startsAt == null ? undefined : instant(row.startsAt);
  const game =
    start === undefined
      ? undefined
      : (known.find(row.game, fixture, start, teams, creates) ??
        (creates ? undefined : known.spelledAs(fixture, start, teams)));
  if (game !== undefined) {
    const words = inWordsOf(fixture, game.name, teams) ?? fixture;
    const mustSwap = isSwapped(words, game.name, teams);
    if (mustSwap && game.homeKnown && !creates && saysNoHome(row)) return { game, isSwapped: false };
    if (mustSwap && game.homeKnown)
      return { refused: `the game is ${gameText(game)}: home and away are swapped` };
    return { game, isSwapped: mustSwap };
  }
  if (creates && namesUndecided(fixture, row.sport, teams.keyOf, teams.knows))
    return {
      refused: `an opponent of ${row.game} is undecided: post the game once both are known, or add an alias`,
    };
  const fault = unknownTeam(fixture, teams);
  if (fault !== undefined && (strict || !creates)) return { refused: fault };
  const unknown = teams.closed ? [fixture.away, fixture.home].find((name) => !teams.knows(name)) : undefined;
  return creates && unknown !== undefined ? { name: row, note: noTeam(unknown, row.sport) } : { name: row };
}

/**
 * Swaps the teams of games that rows name in the other order, if the home team is a guess and no other row uses the current order.
 * @param kept ids of games that rows name in their current order
 * @param creates whether the rows decide who is home
 * @returns the new names, by id
 */
async function swapAll(
  database: Database,
  matches: readonly Match[],
  kept: Iterable<number>,
  creates: boolean,
): Promise<Map<number, string>> {
  const unsure = matches.filter((one): one is KnownMatch => 'game' in one && !one.game.homeKnown);
  const same = unsure.filter((one) => !one.isSwapped).map(({ game }) => game.id);
  if (creates) await confirmHomes(database, same);
  const asTheyAre = new Set([...kept, ...same]);
  const games = new Map(
    unsure.flatMap((one) => (one.isSwapped && !asTheyAre.has(one.game.id) ? [[one.game.id, one.game]] : [])),
  );
  return swapHomes(
    database,
    [...games.values()].map((game) => ({ game, known: true })),
  );
}

/** Reports whether a title such as `A vs B` does not say who is home. In soccer the home team comes first. */
function saysNoHome({ sport, game }: GameName): boolean {
  const title = readTitle(game, sport);
  return sport !== 'soccer' && 'homeGuessed' in title;
}

function resolvedAs(
  { game, isSwapped: mustSwap }: KnownMatch,
  swapped: ReadonlyMap<number, string>,
): Resolved {
  const renamed = swapped.get(game.id);
  const now = { ...game, name: renamed ?? game.name };
  const name = { sport: now.sport, game: now.name, startsAt: isoOrNull(now.announcedStart) };
  const note = `this is ${gameText(now)}`;
  if (!mustSwap || renamed !== undefined) return { name, note };
  return {
    name,
    note: `${note}: home and away are swapped there, and so are the sides`,
    swapped: true,
  };
}

function gameText({ name, announcedStart }: KnownGame): string {
  return `${name} announced for ${isoOrNull(announcedStart)}`;
}

/** The fields of a game that matching needs. */
type KnownGame = Pick<Game, 'id' | 'sport' | 'name' | 'homeKnown' | 'announcedStart' | 'startsAt'>;

/** Games indexed by sport and opponents. */
class KnownGames {
  readonly #games = new Map<string, KnownGame[]>();

  add(game: GameName | KnownGame, teams: Teams): void {
    const one: KnownGame =
      'name' in game
        ? game
        : {
            id: 0,
            sport: game.sport,
            name: game.game,
            homeKnown: true,
            ...startsOf(game.startsAt == null ? null : instant(game.startsAt)),
          };
    const fixture = readFixture(one.name, one.sport);
    if (fixture === undefined) return;
    const key = `${one.sport}\n${opponentsKey(fixture, teams)}`;
    const games = this.#games.get(key);
    if (games === undefined) this.#games.set(key, [one]);
    else games.push(one);
  }

  /** Finds the game of two opponents, in either order, with the closest sufficiently similar start. */
  find(
    title: string,
    fixture: Fixture,
    startsAt: number,
    teams: Teams,
    creates: boolean,
  ): KnownGame | undefined {
    const isKnown = teams.knows(fixture.away) && teams.knows(fixture.home);
    const limit = !isKnown ? 0 : creates ? minimumGapMs(teams.sport) - 1 : similarStartMs(teams.sport);
    const away = (start: number | null) => (start === null ? Infinity : Math.abs(start - startsAt));
    const gap = ({ announcedStart, startsAt: now }: KnownGame) => Math.min(away(announcedStart), away(now));
    return (this.#games.get(`${teams.sport}\n${opponentsKey(fixture, teams)}`) ?? [])
      .filter((game) => gap(game) <= limit && (isKnown || numbersIn(game.name) === numbersIn(title)))
      .sort((a, b) => gap(a) - gap(b))[0];
  }

  /** Finds, in sports of persons, the only game at exactly this start whose opponents have these names in another spelling. */
  spelledAs(fixture: Fixture, startsAt: number, teams: Teams): KnownGame | undefined {
    if (leagueOf(teams.sport) !== undefined) return undefined;
    const same = [...this.#games]
      .filter(([key]) => key.startsWith(`${teams.sport}\n`))
      .flatMap(([, games]) => games)
      .filter((game) => game.announcedStart === startsAt || game.startsAt === startsAt)
      .filter(({ name }) => inWordsOf(fixture, name, teams) !== undefined);
    return same.length === 1 ? same[0] : undefined;
  }
}

/**
 * Returns the numbers in a title. Next to a known team's name a number can be its score, but in an unknown name it can be part of the name.
 */
function numbersIn(title: string): string {
  return (title.match(/\d+/g) ?? []).join(' ');
}

function startsOf(start: number | null): Pick<KnownGame, 'announcedStart' | 'startsAt'> {
  return { announcedStart: start, startsAt: start };
}

async function teamsOfSports(database: Database, rows: readonly GameName[]): Promise<Map<string, Teams>> {
  const teams = new Map<string, Teams>();
  for (const { sport } of rows) if (!teams.has(sport)) teams.set(sport, await readTeams(database, sport));
  return teams;
}

/** Reads games whose first announced or current start is near that of a row. */
async function gamesAround(
  database: Database,
  rows: readonly GameName[],
  teams: ReadonlyMap<string, Teams>,
): Promise<KnownGames> {
  const { rows: games }: { rows: KnownGame[] } = await database.raw(
    `with wanted as (
       select sport, range_agg(tstzrange(start - reach, start + reach, '[]')) as spans
       from json_to_recordset(?) as r (sport text, start timestamptz, reach interval) group by sport
     ), span as (select sport, lower(s) as first, upper(s) as last from wanted, unnest(spans) as s)
     select g.id, g.sport, g.name, g.home_known as "homeKnown", g.announced_start as "announcedStart", g.starts_at as "startsAt"
     from span join games g on g.sport = span.sport and g.starts_at between first and last
     union
     select g.id, g.sport, g.name, g.home_known, g.announced_start, g.starts_at
     from span join games g on g.sport = span.sport and g.announced_start between first and last`,
    [
      JSON.stringify(
        rows.flatMap(({ sport, startsAt }) =>
          startsAt == null
            ? []
            : [{ sport, start: startsAt, reach: `${similarStartMs(sport) / 1000} seconds` }],
        ),
      ),
    ],
  );
  const known = new KnownGames();
  for (const game of games) known.add(game, teams.get(game.sport)!);
  return known;
}

/** Maximum time until the start of a game that a pick without a start can mean, in ms. */
const aheadMs = 14 * 86_400_000;

/**
 * Finds the game that a live pick names differently. Without a start, it is the only game of these opponents within the next two weeks.
 * @param now epoch milliseconds
 * @param kept ids of games to which other picks of the transaction refer
 * @returns its name, or the reason why none was found; undefined if there is no more specific reason
 */
export async function namedGame(
  database: Database,
  row: GameName,
  now: number,
  kept: ReadonlySet<number>,
): Promise<Resolved | undefined> {
  if (row.startsAt != null) {
    const [resolved] = await resolveGames(database, [row], { kept });
    if (resolved === undefined || 'refused' in resolved) return resolved;
    return resolved.note === undefined ? undefined : resolved;
  }
  const fixture = readFixture(row.game, row.sport);
  if (fixture === undefined) return undefined;
  const teams = await readTeams(database, row.sport);
  const upcoming: Game[] = await database('games as g')
    .where('g.sport', row.sport)
    .whereBetween('g.starts_at', [new Date(now + 1), new Date(now + aheadMs)])
    .select(gameColumns);
  const key = opponentsKey(fixture, teams);
  const same = upcoming.filter(({ name, homeKnown }) => {
    const ours = readFixture(name, row.sport);
    if (ours === undefined || opponentsKey(ours, teams) !== key) return false;
    return !homeKnown || !isSwapped(fixture, name, teams);
  });
  if (same.length === 1) {
    const [game] = same as [Game];
    const one = { game, isSwapped: isSwapped(fixture, game.name, teams) };
    return resolvedAs(one, await swapAll(database, [one], kept, false));
  }
  const fault = unknownTeam(fixture, teams);
  return fault === undefined ? undefined : { refused: fault };
}

/** Applies rows under the names of the games that they resolve to. @returns the outcomes, in order */
export async function applyResolved<T extends GameName>(
  database: Database,
  rows: readonly T[],
  options: { creates?: boolean; strict?: boolean },
  apply: (rows: T[]) => Promise<NotedOutcome[]>,
): Promise<NotedOutcome[]> {
  const resolved = await resolveGames(database, rows, options);
  const named = rows.flatMap((row, index) => {
    const one = resolved[index]!;
    return 'refused' in one ? [] : [{ ...(one.swapped === true ? swappedRow(row) : row), ...one.name }];
  });
  const outcomes = (await apply(named)).values();
  return resolved.map((one): NotedOutcome => {
    if ('refused' in one) return refused(one.refused);
    const outcome = outcomes.next().value!;
    const notes = [one.note, outcome.note].filter((note) => note !== undefined);
    return notes.length === 0 ? outcome : { ...outcome, note: notes.join('; ') };
  });
}

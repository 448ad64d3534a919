import type { PastBetGame } from '../games/bet-games.ts';
import { gameTitle, opponentsKey, similarTeams, type Teams } from '../games/names/teams.ts';
import { readTitle } from '../games/names/title.ts';
import { type CellTime, dayOfTime, startOfDay } from '../intake/cells.ts';
import type { GameRow } from '../intake/game.ts';
import type { BetReading } from '../rules/bet-text/bet.ts';
import type { BetGame } from '../rules/bet-text/day.ts';
import { etDay } from '../rules/et-day.ts';

import { type Cells, RowRefused } from './row.ts';
import { checkMarket, readAny, textsOf, titleIn } from './row-texts.ts';

/** Stored games and teams. */
export interface GameWorld {
  games(from: number, to: number): Promise<readonly PastBetGame[]>;
  teams(sport: string): Promise<Teams>;
}

/** The game of a row: a known one with its scores, or a new one. */
export type RowGame = PastBetGame | { startsAt: number | null; begins: number | null; status?: undefined };

const day = 86_400_000;

/** Finds the games of a sheet's rows, and creates the missing ones. */
export class RowGames {
  readonly #world: GameWorld;
  readonly #byDay = new Map<string, PastBetGame[]>();
  readonly #days = new Map<string, readonly PastBetGame[]>();
  readonly #made = new Map<string, { game: BetGame; row: GameRow }>();

  constructor(world: GameWorld) {
    this.#world = world;
  }

  /** Loads the games of all days in a sheet. */
  async load(sheetTimes: readonly CellTime[]): Promise<void> {
    const times = sheetTimes.map((time) => Date.parse(`${dayOfTime(time)}T12:00:00Z`));
    if (times.length === 0) return;
    const [from, to] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
    for (const game of await this.#world.games(from - day, to + 8 * day)) {
      const key = etDay(game.begins);
      const same = this.#byDay.get(key);
      if (same === undefined) this.#byDay.set(key, [game]);
      else same.push(game);
    }
  }

  /**
   * Reads the bet of a row, and finds its game.
   * @throws RowRefused
   */
  async betOf(
    cell: Cells,
    sports: readonly string[],
    { about, isStart }: { about: CellTime; isStart: boolean },
    notes: string[],
  ): Promise<{ bet: BetReading; game: RowGame; made?: GameRow; isHomeGuessed?: true }> {
    const texts = textsOf(cell);
    const near = this.#gamesNear(about, sports, isStart);
    const fixtures = await this.#fixtures(cell, texts, sports);
    let games: readonly BetGame[] = near;
    let made: { game: BetGame; row: GameRow } | undefined;
    if (fixtures.length > 0) {
      const found = near.filter((game) =>
        fixtures.some(
          ({ key, teams }) =>
            teams.sport === game.sport &&
            opponentsKey({ away: game.away.name, home: game.home.name }, teams) === key,
        ),
      );
      // If the opponents meet on several days, the bet is on their next game.
      const first = found[0];
      if (found.length > 0)
        games =
          found.length > 1 && first !== undefined && etDay(found[0]!.begins) !== etDay(found[1]!.begins)
            ? [first]
            : found;
      else if (fixtures.length > 1)
        throw new RowRefused(
          `The teams exist in ${fixtures.map(({ teams }) => teams.sport).join(' and ')}. Name the sport in a column or with --sport.`,
        );
      else {
        made = this.#make(
          fixtures[0]!,
          isStart && 'instant' in about ? Date.parse(about.instant) : startFrom(about),
          cell,
        );
        games = [made.game];
        if (fixtures[0]!.isGuessed)
          notes.push(`The row does not say who is at home. ${made.game.home.name} is assumed to be.`);
      }
    }
    const { bet, text } = readAny(texts, games, {
      none: `No ${sports.length === 1 ? `${sports[0]} ` : ''}game is known around ${dayOfTime(about)}. Ingest that day's games first, or name both teams in a game column.`,
    });
    if (text !== texts[0]) notes.push(`Read as ${JSON.stringify(text)}.`);
    checkMarket(cell('market'), bet);
    if (made !== undefined) {
      this.#made.set(`${made.row.sport}\n${made.row.game}\n${made.row.startsAt}`, made);
      return {
        ...{ bet, game: rowGameOf(made), made: made.row },
        ...(fixtures[0]!.isGuessed ? { isHomeGuessed: true as const } : {}),
      };
    }
    const game = near.find(
      (each) => each.sport === bet.sport && each.game === bet.game && each.startsAt === bet.startsAt,
    )!;
    return { bet, game };
  }

  /** Returns the games that a row can be about: those of its day or, if the time is that of posting, of the seven days from then on. */
  #gamesNear(about: CellTime, sports: readonly string[], isStart: boolean): readonly PastBetGame[] {
    const date = dayOfTime(about);
    const key = `${date}\n${sports.join()}\n${'instant' in about ? about.instant : ''}\n${isStart}`;
    const before = this.#days.get(key);
    if (before !== undefined) return before;
    const instant = 'instant' in about ? Date.parse(about.instant) : undefined;
    const noon = Date.parse(`${date}T12:00:00Z`);
    const span = instant === undefined || isStart ? [0] : [0, 1, 2, 3, 4, 5, 6];
    const found = span
      .flatMap((days) => this.#byDay.get(etDay(noon + days * day)) ?? [])
      .filter(({ sport }) => sports.includes(sport))
      .filter(({ begins }) => instant === undefined || isStart || begins > instant);
    this.#days.set(key, found);
    return found;
  }

  /** Returns the opponents that a row names, in each sport where both can play. */
  async #fixtures(
    cell: Cells,
    texts: readonly string[],
    sports: readonly string[],
  ): Promise<{ away: string; home: string; key: string; teams: Teams; isGuessed: boolean }[]> {
    const [home, away, team, opponent] = [cell('home'), cell('away'), cell('team'), cell('opponent')];
    const titles =
      home !== '' && away !== ''
        ? [`${away} @ ${home}`]
        : [
            cell('game'),
            ...(team !== '' && opponent !== '' ? [`${team} vs ${opponent}`] : []),
            ...texts.flatMap(titleIn),
          ];
    for (const title of titles) {
      if (title === '') continue;
      const found = [];
      for (const sport of sports) {
        const read = readTitle(title, sport);
        if ('refused' in read) continue;
        const teams = await this.#world.teams(sport);
        const isKnown = [read.away, read.home].map((name) => teams.knows(name));
        if (teams.closed && isKnown.includes(false)) continue;
        const isOpen = isKnown.includes(false);
        found.push({
          away: read.away,
          home: read.home,
          key: opponentsKey(read, teams),
          teams,
          isGuessed: read.homeGuessed === true,
          isOpen,
        });
      }
      const sure = found.filter(({ isOpen }) => !isOpen);
      if (sure.length > 0) return sure;
      if (found.length > 0 && sports.length === 1) return found;
      const [only] = sports;
      const read = sports.length === 1 ? readTitle(title, only) : undefined;
      if (read !== undefined && !('refused' in read) && title === cell('game')) {
        const teams = await this.#world.teams(only!);
        const unknown = [read.away, read.home].find((name) => !teams.knows(name))!;
        const near = similarTeams(unknown, only!);
        throw new RowRefused(
          `${only} has no team ${unknown}${near.length === 0 ? '' : ` (similar: ${near.join(', ')})`}.`,
        );
      }
    }
    return [];
  }

  #make(
    fixture: { away: string; home: string; teams: Teams; isGuessed: boolean },
    startsAt: number,
    cell: Cells,
  ): { game: BetGame; row: GameRow } {
    const { teams } = fixture;
    const title = gameTitle(fixture, teams);
    const key = `${teams.sport}\n${title}\n${new Date(startsAt).toISOString()}`;
    const before = this.#made.get(key);
    if (before !== undefined) return before;
    const opponent = (name: string) => ({ name: teams.fullName(name), names: teams.namesOf(name) });
    return {
      game: {
        sport: teams.sport,
        game: title,
        startsAt,
        away: opponent(fixture.away),
        home: opponent(fixture.home),
        players: [],
        moneylineWays: teams.sport === 'soccer' ? 3 : 2,
      },
      row: {
        sport: teams.sport,
        game: title,
        startsAt: new Date(startsAt).toISOString(),
        ...endOf(cell, fixture.isGuessed),
      },
    };
  }
}

/** Returns a new game in the shape of a known one, with the row's score. */
function rowGameOf({ game, row }: { game: BetGame; row: GameRow }): RowGame {
  const begins = game.startsAt;
  if (row.status !== 'final' || begins === null) return { startsAt: game.startsAt, begins };
  const { homeScore = null, awayScore = null } = row;
  const unknown = { homeHalfScore: null, awayHalfScore: null, sets: null, played: null, periodsE3: null };
  return { ...game, ...unknown, begins, status: 'final', homeScore, awayScore };
}

/** Returns the result of a new game: final if the row has both scores and the home team is not a guess. */
function endOf(cell: Cells, isGuessed: boolean): Pick<GameRow, 'status' | 'homeScore' | 'awayScore'> {
  const [homeScore, awayScore] = [cell('homeScore'), cell('awayScore')].map((text) =>
    /^\d{1,3}$/.test(text) ? Number(text) : undefined,
  );
  const isKnown = homeScore !== undefined && awayScore !== undefined && !isGuessed;
  return isKnown ? { status: 'final', homeScore, awayScore } : { status: 'scheduled' };
}

/**
 * Returns the assumed start of a game if only the day or the time of posting is known: 23:59 ET of that day, or of the next day if the bet
 * was posted too late for it.
 */
function startFrom(about: CellTime): number {
  const end = startOfDay(dayOfTime(about));
  return 'instant' in about && Date.parse(about.instant) >= end - 60_000 ? end + day : end;
}

import type { PastBetGame } from '../games/bet-games.ts';
import { gameTitle, noTeam, opponentsKey, type Teams } from '../games/names/teams.ts';
import { readTitle } from '../games/names/title.ts';
import { type CellTime, dayOfTime } from '../intake/cells.ts';
import type { GameRow } from '../intake/game.ts';
import { iso } from '../platform/clock.ts';
import type { BetGame } from '../rules/bet-text/day.ts';
import { addDays, endOfDay, etDay } from '../rules/et-day.ts';
import { RowRefused } from './cells.ts';

/** Stored games and teams. */
export interface GameWorld {
  games(from: number, to: number): Promise<readonly PastBetGame[]>;
  teams(sport: string): Promise<Teams>;
}

/** Names of a game in a row; empty where the row has none. `texts` can contain its title. */
export interface NamedGame {
  league: string;
  home: string;
  away: string;
  game: string;
  /** Its number on its day: `game 2`. */
  number: string;
  team: string;
  opponent: string;
  texts: readonly string[];
}

/** A game that is not stored yet. `game` has no score; `row` gets that of the sheet. */
export interface MadeGame {
  game: PastBetGame;
  row: GameRow;
  isHomeGuessed: boolean;
}

export interface FoundGames {
  games: readonly PastBetGame[];
  made?: MadeGame;
  /** Why there may be no game, as a sentence. */
  none: string;
}

const day = 86_400_000;

const nameOf = ({ sport, game, startsAt }: Pick<BetGame, 'sport' | 'game' | 'startsAt'>) =>
  `${sport}\n${game}\n${startsAt}`;

/** Finds the games of a sheet's rows, and creates the missing ones. */
export class RowGames {
  readonly #world: GameWorld;
  readonly #byDay = new Map<string, PastBetGame[]>();
  readonly #byName = new Map<string, PastBetGame>();
  readonly #days = new Map<string, readonly PastBetGame[]>();
  readonly #made = new Map<string, MadeGame>();

  constructor(world: GameWorld) {
    this.#world = world;
  }

  async load(sheetTimes: readonly CellTime[]): Promise<void> {
    const times = sheetTimes.map((time) => Date.parse(`${dayOfTime(time)}T12:00:00Z`));
    if (times.length === 0) return;
    const [from, to] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
    for (const game of await this.#world.games(from - day, to + 8 * day)) {
      this.#byName.set(nameOf(game), game);
      const key = etDay(game.begins);
      const same = this.#byDay.get(key);
      if (same === undefined) this.#byDay.set(key, [game]);
      else same.push(game);
    }
  }

  /**
   * Finds the games that a row can be about: the one between the opponents that it names, which is made if it is unknown, else all of its
   * day.
   * @throws RowRefused
   */
  async find(
    named: NamedGame,
    sports: readonly string[],
    { about, isStart }: { about: CellTime; isStart: boolean },
    notes: string[],
  ): Promise<FoundGames> {
    const near = this.#gamesNear(about, sports, isStart);
    const none = `No ${sports.length === 1 ? `${sports[0]} ` : ''}game is known around ${dayOfTime(about)}. Ingest that day's games first, or name both teams in a game column.`;
    const fixtures = await this.#fixtures(named, sports);
    if (fixtures.length === 0) return { games: near, none };
    const found = near.filter((game) =>
      fixtures.some(
        ({ key, teams }) =>
          teams.sport === game.sport &&
          opponentsKey({ away: game.away.name, home: game.home.name }, teams) === key,
      ),
    );
    // A row timed exactly at one of several games, as of a doubleheader, means that one.
    const at = isStart && 'instant' in about ? Date.parse(about.instant) : undefined;
    const exact = found.filter(({ begins, startsAt }) => begins === at || startsAt === at);
    if (exact.length === 1) return { games: exact, none };
    const number =
      fixtures[0]!.teams.sport === 'mlb'
        ? [named.number, named.game, named.home, named.away].map(doubleheaderGame).find(Boolean)
        : undefined;
    if (number !== undefined) {
      const inOrder = found.toSorted((a, b) => a.begins - b.begins);
      const sameDay = inOrder.filter(({ begins }) => etDay(begins) === etDay(inOrder[0]!.begins));
      if (number > Math.max(1, sameDay.length))
        throw new RowRefused(
          `${named.game || `${named.away} @ ${named.home}`} is game ${number} of a day, and ${sameDay.length === 0 ? 'none' : 'only one'} is known. Ingest that day's games first, or leave the number out.`,
        );
      if (sameDay.length > 0) return { games: [sameDay[number - 1]!], none };
    }
    const [first] = found;
    // If the opponents meet on several days, the bet is on their next game.
    if (first !== undefined)
      return {
        games: found.length > 1 && etDay(first.begins) !== etDay(found[1]!.begins) ? [first] : found,
        none,
      };
    if (fixtures.length > 1)
      throw new RowRefused(
        `The teams exist in ${fixtures.map(({ teams }) => teams.sport).join(' and ')}. Name the sport in a column or with --sport.`,
      );
    const made = this.#make(
      fixtures[0]!,
      isStart && 'instant' in about ? Date.parse(about.instant) : dayFrom(about),
    );
    if (made.isHomeGuessed)
      notes.push(`The row does not say who is at home. ${made.game.home.name} is assumed to be.`);
    return { games: [made.game], made, none };
  }

  /** Returns the game of a bet that was read, and remembers a made one for later rows. */
  keep(bet: Pick<BetGame, 'sport' | 'game' | 'startsAt'>, made: MadeGame | undefined): PastBetGame {
    if (made === undefined) return this.#byName.get(nameOf(bet))!;
    this.#made.set(nameOf(made.game), made);
    return made.game;
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
  async #fixtures({ league, home, away, game, team, opponent, texts }: NamedGame, sports: readonly string[]) {
    const titles =
      home !== '' && away !== ''
        ? [`${away} @ ${home}`]
        : [
            game,
            ...(team !== '' && opponent !== '' ? [`${team} vs ${opponent}`] : []),
            ...texts.flatMap(titleIn),
          ];
    for (const title of titles.filter((each) => each !== '')) {
      const found = [];
      for (const sport of sports) {
        // In soccer, a league such as `WSL` or `U21` is about other teams of the same clubs.
        const named = sport === 'soccer' ? league.replace(/[^\p{L}\p{N}()]+/gu, ' ').trim() : '';
        const read = readTitle(named === '' ? title : `${named}: ${title}`, sport);
        if ('refused' in read) continue;
        const teams = await this.#world.teams(sport);
        const unknown = [read.away, read.home].find((name) => !teams.knows(name));
        const { away, home, homeGuessed: isGuessed = false } = read;
        if (unknown === undefined || !teams.closed)
          found.push({
            away,
            home,
            key: opponentsKey(read, teams),
            teams,
            isGuessed,
            isOpen: unknown !== undefined,
          });
        else if (sports.length === 1 && title === game) throw new RowRefused(`${noTeam(unknown, sport)}.`);
      }
      const sure = found.filter(({ isOpen }) => !isOpen);
      if (sure.length > 0) return sure;
      if (sports.length === 1 && found.length > 0) return found;
    }
    return [];
  }

  #make(
    fixture: { away: string; home: string; teams: Teams; isGuessed: boolean },
    when: number | string,
  ): MadeGame {
    const { teams, isGuessed } = fixture;
    const { sport } = teams;
    const game = gameTitle(fixture, teams);
    const startsAt = typeof when === 'number' ? when : endOfDay(when);
    const before = this.#made.get(nameOf({ sport, game, startsAt }));
    if (before !== undefined) return before;
    const opponent = (name: string) => ({ name: teams.fullName(name), names: teams.namesOf(name) });
    const day = typeof when === 'number' ? null : when;
    return {
      game: {
        sport,
        game,
        startsAt,
        begins: startsAt,
        day,
        status: 'scheduled',
        away: opponent(fixture.away),
        home: opponent(fixture.home),
        players: [],
        moneylineWays: sport === 'soccer' ? 3 : 2,
        homeScore: null,
        awayScore: null,
        homeHalfScore: null,
        awayHalfScore: null,
        sets: null,
        played: null,
        periodsE3: null,
      },
      row: {
        sport,
        game,
        status: 'scheduled',
        ...(day === null ? { startsAt: iso(startsAt) } : { day }),
      },
      isHomeGuessed: isGuessed,
    };
  }
}

/** Returns the day of a game if only that or the time of posting is known: the next day if the bet was posted too late for its own. */
function dayFrom(about: CellTime): string {
  const date = dayOfTime(about);
  return 'instant' in about && Date.parse(about.instant) >= endOfDay(date) - 60_000 ? addDays(date, 1) : date;
}

/** Returns the number of a game in its title: `Gulls @ Foxes (Game 2)`, `Gulls @ Foxes G2`. */
function doubleheaderGame(title: string): number | undefined {
  const [, number] = /\b(?:game|gm|g|dh)\s?#?([12])\W*$/i.exec(title) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Returns the game titles that a text may contain: `over 34.5 points Gulls @ Foxes`. */
function titleIn(text: string): string[] {
  const found = /^(.+?)\s+(@|vs\.?|v)\s+(.+)$/i.exec(text);
  if (found === null) return [];
  const [, before = '', mark, after = ''] = found;
  const words = before.split(' ');
  // The bet can follow the second team.
  const [short = ''] = after.split(/:|\s(?=(?:over|under|[ou]\d|[+-]\d|ml|moneyline|draw|btts)\b|[+-]\d)/i);
  // The start of the first team's name is unknown, so the longest candidate comes first.
  return [...new Set([after, short.trim()])].flatMap((end) =>
    words.slice(-4).map((_, at, last) => `${last.slice(at).join(' ')} ${mark} ${end}`),
  );
}

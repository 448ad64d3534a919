import type { Capper } from '../../cappers/cappers.ts';
import { findGames, type Game, type GameName, gameKey } from '../../games/game.ts';
import { teamsOf } from '../../games/names/teams.ts';
import { readFixture } from '../../games/names/title.ts';
import { knownSubjects } from '../../games/subjects.ts';
import { type GameOfPick, lockGamesOfPicks } from '../../games/which-game.ts';
import type { Transaction } from '../../platform/database.ts';
import type { BetGame } from '../../rules/bet-text/day.ts';
import { otherSelection } from '../../rules/bet-text/read.ts';
import type { MoneylineWays } from '../../rules/markets/market.ts';
import type { Provenance } from '../../rules/vocabulary.ts';
import type { StoredPick } from '../pick.ts';
import { givenPick, unsigned } from '../pick-forms.ts';
import { closedGames } from './closed-games.ts';
import { type PickRow, refusal } from './pick-row.ts';
import { type Repeat, repeatsAmong } from './repeats.ts';

export interface Posting {
  row: PickRow;
  uuid: string;
  postedAt: EpochMs;
  signed?: Signed | undefined;
}

export interface Signed {
  /** The key's id. */
  key: string;
  nonce: string;
  /** Epoch milliseconds, by the author's clock. */
  at: number;
  signature: string;
}

export type UnstoredPick = Omit<StoredPick, 'id'>;

/** A judgment. `note` informs the sender about the game. */
export type Judged =
  | { state: 'accepted'; pick: UnstoredPick; note: string | undefined }
  | { state: 'refused'; reason: string; repeats?: string }
  | { state: 'retry'; reason: string };

type KnownCapper = Pick<Capper, 'id' | 'handle' | 'tier' | 'verified'>;

/** The differences between live and imported picks. */
interface Kind {
  /** Default of the row's `source`. */
  source: string;
  gamesOf(transaction: Transaction, rows: readonly PickRow[], now: number): Promise<GameOf>;
  /** Returns the reason why a game takes no such pick, or undefined. */
  closedBy(game: Game): string | undefined;
  /** Finds games that are closed to such picks because of their start. @returns the reasons by game id */
  closedGames(transaction: Transaction, ids: readonly number[], now: number): Promise<Map<number, string>>;
  /** Finds picks that repeat other picks. @returns by UUID */
  repeatsAmong(transaction: Transaction, picks: readonly UnstoredPick[]): Promise<Map<string, Repeat>>;
}

type GameOf = (row: PickRow) => GameOfPick<PickRow>;

const kinds: Readonly<Record<Provenance, Kind>> = {
  live: {
    source: 'operator',
    gamesOf: lockGamesOfPicks,
    closedBy: ({ status }) =>
      status === 'final' || status === 'cancelled' ? `the game is ${status}` : undefined,
    closedGames,
    repeatsAmong,
  },
  imported: {
    source: 'import',
    gamesOf: announcedGames,
    closedBy: () => undefined,
    closedGames: async () => new Map(),
    repeatsAmong: async () => new Map(),
  },
};

/**
 * Judges picks against stored cappers, games, and markets. Locks the games of live picks.
 * @returns the judgments, in order of `posts`
 */
export async function judge(
  transaction: Transaction,
  posts: readonly Posting[],
  provenance: Provenance,
  now: EpochMs,
): Promise<Judged[]> {
  if (posts.length === 0) return [];
  const rows = posts.map(({ row }) => row);
  const gameOf = await kinds[provenance].gamesOf(transaction, rows, now);
  const { cappers, ways } = await readCappersAndSports(transaction, rows);
  const ids = new Set(rows.flatMap((row) => gameOf(row).game?.id ?? []));
  const closedGames = await kinds[provenance].closedGames(transaction, [...ids], now);
  const judged = posts.map((post): Judged => {
    const { row, game, unknown, note } = gameOf(post.row);
    const capper = cappers.get(row.capperHandle.toLowerCase());
    const reason =
      unknown ??
      refusal(row, capper, game, ways, post.postedAt, startOf(provenance, game)) ??
      (provenance === 'live' ? wordsFault(row, game!, ways.get(row.sport) ?? 2) : undefined);
    if (reason !== undefined || capper === undefined || game === undefined)
      return { state: 'refused', reason: reason ?? 'unknown capper or game' };
    const closed = kinds[provenance].closedBy(game) ?? closedGames.get(game.id);
    if (closed !== undefined) return { state: 'refused', reason: closed };
    return { state: 'accepted', pick: pickOf({ ...post, row }, provenance, capper, game), note };
  });
  const named = await withKnownSubjects(transaction, judged);
  const accepted = named.flatMap((one) => (one.state === 'accepted' ? one.pick : []));
  const repeats = await kinds[provenance].repeatsAmong(transaction, accepted);
  return named.map((one) => (one.state === 'accepted' && repeats.get(one.pick.uuid)) || one);
}

/** Replaces the subjects of accepted picks with the names that their games know. A signed pick keeps its author's spelling, too. */
async function withKnownSubjects(transaction: Transaction, judged: readonly Judged[]): Promise<Judged[]> {
  const accepted = judged.flatMap((one) => (one.state === 'accepted' ? one.pick : []));
  const subjects = (await knownSubjects(transaction, accepted)).values();
  return judged.map((one) => {
    if (one.state !== 'accepted') return one;
    const subject = subjects.next().value ?? null;
    const isOwn = one.pick.authorKey !== null && one.pick.subject !== subject;
    return { ...one, pick: { ...one.pick, subject, authorSubject: isOwn ? one.pick.subject : null } };
  });
}

/** Returns the start that a pick has: the current one of its game, or of an import the first announced one. */
function startOf(
  provenance: Provenance,
  game: Pick<Game, 'startsAt' | 'announcedStart'> | undefined,
): number | null {
  return (provenance === 'live' ? game?.startsAt : game?.announcedStart) ?? null;
}

export function pickOf(
  { row, uuid, postedAt, signed }: Posting,
  provenance: Provenance,
  capper: Pick<Capper, 'id' | 'tier'>,
  game: Pick<Game, 'id' | 'name' | 'day' | 'startsAt' | 'announcedStart'>,
): UnstoredPick {
  return {
    ...givenPick(row),
    uuid,
    capperId: capper.id,
    tier: capper.tier,
    gameId: game.id,
    game: game.name,
    gameDay: game.day,
    startsAt: startOf(provenance, game),
    source: row.source ?? (signed === undefined ? kinds[provenance].source : 'author'),
    provenance,
    postedAt,
    ...(signed === undefined
      ? unsigned
      : {
          authorKey: signed.key,
          authorNonce: signed.nonce,
          authorAt: signed.at,
          authorSignature: signed.signature,
          authorSubject: null,
        }),
  };
}

async function announcedGames(transaction: Transaction, rows: readonly GameName[]): Promise<GameOf> {
  const games = await findGames(transaction, rows);
  return (row) => ({ row, game: games.get(gameKey(row)) });
}

/** Reads the rows' cappers by handle, and the ways of each sport's moneyline, in one round trip. */
async function readCappersAndSports(
  transaction: Transaction,
  rows: readonly PickRow[],
): Promise<{ cappers: Map<string, KnownCapper>; ways: Map<string, MoneylineWays> }> {
  const handles = new Set(rows.map(({ capperHandle }) => capperHandle.toLowerCase()));
  const {
    rows: [found],
  }: { rows: [{ cappers: KnownCapper[]; sports: { key: string; ways: MoneylineWays }[] }] } =
    await transaction.raw(
      `select
         (select coalesce(json_agg(c), '[]') from (
           select id, handle, tier, verified from cappers where handle = any(?::text[])) c) as cappers,
         (select coalesce(json_agg(s), '[]') from (
           select key, moneyline_ways as ways from sports order by position, key) s) as sports`,
      [[...handles]],
    );
  return {
    cappers: new Map(found.cappers.map((capper) => [capper.handle, capper])),
    ways: new Map(found.sports.map(({ key, ways }) => [key, ways])),
  };
}

/**
 * Returns why the text of a pick is refused: it reads as another selection of the same game (docs/rules/bet-text.md#the-text-of-a-pick).
 * Undefined if it says the same, or cannot be read.
 */
function wordsFault(
  { pick, market, subject = null, side, line = null }: PickRow,
  { sport, name }: Pick<Game, 'sport' | 'name'>,
  moneylineWays: MoneylineWays,
): string | undefined {
  const games = gamesNamed(sport, name, moneylineWays);
  const other =
    games === undefined ? undefined : otherSelection(pick, { market, subject, side, line }, games);
  return other === undefined
    ? undefined
    : `the text reads as ${other.read}, but the pick is ${other.given}: change one of them`;
}

const maxKnown = 2_000;
const known = new Map<string, readonly [BetGame] | undefined>();

/** Returns a game by its title. Remembers it with the index of its names, because most picks are on the same few games. */
function gamesNamed(
  sport: string,
  game: string,
  moneylineWays: MoneylineWays,
): readonly [BetGame] | undefined {
  const key = `${sport}\n${moneylineWays}\n${game}`;
  if (known.has(key)) return known.get(key);
  const fixture = readFixture(game, sport);
  const teams = teamsOf(sport);
  const opponent = (team: string) => ({ name: teams.fullName(team), names: teams.namesOf(team) });
  const found: readonly [BetGame] | undefined = fixture && [
    {
      sport,
      game,
      startsAt: null,
      moneylineWays,
      players: [],
      away: opponent(fixture.away),
      home: opponent(fixture.home),
    },
  ];
  if (known.size >= maxKnown) known.clear();
  known.set(key, found);
  return found;
}

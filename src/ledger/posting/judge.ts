import type { Capper } from '../../cappers/cappers.ts';
import { findGames, type Game, type GameName, gameKey } from '../../games/game.ts';
import { knownSubjects } from '../../games/subjects.ts';
import type { Transaction } from '../../platform/database.ts';
import type { MoneylineWays } from '../../rules/markets/market.ts';
import type { Provenance } from '../../rules/vocabulary.ts';
import type { StoredPick } from '../pick.ts';
import { givenPick, unsigned } from '../pick-forms.ts';
import { closedGames } from './closed-games.ts';
import { lockNamedGames, type NamedGame } from './named-games.ts';
import { type PickRow, refusal } from './pick-row.ts';
import { type Repeat, repeatsAmong } from './repeats.ts';

/** A pick to post. */
export interface Posting {
  row: PickRow;
  /** The uuid that the pick will have. */
  uuid: string;
  /** Epoch milliseconds. */
  postedAt: number;
  /** Absent: nobody signed it. */
  signed?: Signed | undefined;
}

/** The signature of a pick by its author. */
export interface Signed {
  /** The id of the key. */
  key: string;
  nonce: string;
  /** Epoch milliseconds, by the author's clock. */
  at: number;
  signature: string;
}

/** A pick that has no id yet. */
export type UnstoredPick = Omit<StoredPick, 'id'>;

/** `note`: what the sender should know of the game. */
export type Judged =
  | { state: 'accepted'; pick: UnstoredPick; note: string | undefined }
  | { state: 'refused'; reason: string; repeats?: string }
  | { state: 'retry'; reason: string };

type KnownCapper = Pick<Capper, 'id' | 'handle' | 'tier' | 'verified'>;

/** Where live picks and imported ones differ. */
interface Kind {
  /** The default of the row's source. */
  source: string;
  gamesOf(transaction: Transaction, rows: readonly PickRow[], now: number): Promise<GameOf>;
  /** Returns why a known game takes no such pick; undefined if it does. */
  closedBy(game: Game): string | undefined;
  /** Finds the games whose starts close them to such picks. @returns the reason, by game */
  closedGames(transaction: Transaction, ids: readonly number[], now: number): Promise<Map<number, string>>;
  /** Finds the picks that repeat others. @returns by uuid */
  repeatsAmong(transaction: Transaction, picks: readonly UnstoredPick[]): Promise<Map<string, Repeat>>;
}

type GameOf = (row: PickRow) => NamedGame<PickRow>;

const kinds: Readonly<Record<Provenance, Kind>> = {
  live: {
    source: 'operator',
    gamesOf: lockNamedGames,
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
 * Judges picks by present facts, and locks the games of live ones.
 * @param now epoch milliseconds
 * @returns the judgment of each, in order
 */
export async function judge(
  transaction: Transaction,
  posts: readonly Posting[],
  provenance: Provenance,
  now: number,
): Promise<Judged[]> {
  if (posts.length === 0) return [];
  const rows = posts.map(({ row }) => row);
  const gameOf = await kinds[provenance].gamesOf(transaction, rows, now);
  const { cappers, ways } = await readFacts(transaction, rows);
  const ids = new Set(rows.flatMap((row) => gameOf(row).game?.id ?? []));
  const closedGames = await kinds[provenance].closedGames(transaction, [...ids], now);
  const judged = posts.map((post): Judged => {
    const { row, game, unknown, note } = gameOf(post.row);
    const capper = cappers.get(row.capperHandle.toLowerCase());
    const reason = unknown ?? refusal(row, capper, game, ways, post.postedAt);
    if (reason !== undefined || capper === undefined || game === undefined)
      return { state: 'refused', reason: reason ?? 'its capper or game is unknown' };
    const closed = kinds[provenance].closedBy(game) ?? closedGames.get(game.id);
    if (closed !== undefined) return { state: 'refused', reason: closed };
    return { state: 'accepted', pick: pickOf({ ...post, row }, provenance, capper, game), note };
  });
  const named = await withKnownSubjects(transaction, judged);
  const accepted = named.flatMap((one) => (one.state === 'accepted' ? one.pick : []));
  const repeats = await kinds[provenance].repeatsAmong(transaction, accepted);
  return named.map((one) => (one.state === 'accepted' && repeats.get(one.pick.uuid)) || one);
}

/** Gives accepted picks the subjects under which their games know them. */
async function withKnownSubjects(transaction: Transaction, judged: readonly Judged[]): Promise<Judged[]> {
  const accepted = judged.flatMap((one) => (one.state === 'accepted' ? one.pick : []));
  const subjects = (await knownSubjects(transaction, accepted)).values();
  return judged.map((one) =>
    one.state === 'accepted'
      ? { ...one, pick: { ...one.pick, subject: subjects.next().value ?? null } }
      : one,
  );
}

/** A pick as it will be stored. A live one has its game's present start, an imported one the announced start. */
export function pickOf(
  { row, uuid, postedAt, signed }: Posting,
  provenance: Provenance,
  capper: Pick<Capper, 'id' | 'tier'>,
  game: Pick<Game, 'id' | 'name' | 'startsAt' | 'announcedStart'>,
): UnstoredPick {
  return {
    ...givenPick(row),
    uuid,
    capperId: capper.id,
    tier: capper.tier,
    gameId: game.id,
    game: game.name,
    startsAt: provenance === 'live' ? game.startsAt : game.announcedStart,
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
        }),
  };
}

/** The games that are announced under the names and starts of rows. */
async function announcedGames(transaction: Transaction, rows: readonly GameName[]): Promise<GameOf> {
  const games = await findGames(transaction, rows);
  return (row) => ({ row, game: games.get(gameKey(row)) });
}

/** Reads the cappers of rows, by handle, and the ways of each sport's moneyline, in one round trip. */
async function readFacts(
  transaction: Transaction,
  rows: readonly PickRow[],
): Promise<{ cappers: Map<string, KnownCapper>; ways: Map<string, MoneylineWays> }> {
  const handles = new Set(rows.map(({ capperHandle }) => capperHandle.toLowerCase()));
  const {
    rows: [facts],
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
    cappers: new Map(facts.cappers.map((capper) => [capper.handle, capper])),
    ways: new Map(facts.sports.map(({ key, ways }) => [key, ways])),
  };
}

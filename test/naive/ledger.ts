import { type Closing, closingOf, clvBps, edgeAt, type Price } from './closing.ts';
import { etDay, HOUR, iso } from './days.ts';
import { decimalOdds, type Fraction } from './fraction.ts';
import { netUnitsE4, type Settlement, settlementOf } from './grading.ts';
import { gameKey, importName, instant, marketKey, pickKey, scaled, uuidV5 } from './identity.ts';
import { type Checked, countsForLive, priceCheckOf, type Seen } from './price-check.ts';
import type { CapperRow, GameRow, PickRow, Result, ResultRow, Rows, Tier } from './read.ts';
import { statsKnown } from './stats.ts';

/** The values that the service assigns in the order of its inserts, or that the specification leaves opaque. */
export interface Ids {
  /** Returns the service's UUID and row id of a pick, by its key or its row. */
  idOf(key: string, row: PickRow): { uuid: string; id: number };
  capperIdOf(handle: string): number;
  /** Returns the row id of a game, by its key. */
  gameIdOf(key: string): number;
  /** Returns the first checkpoint that covered a pick; null while none does. Default: none covers any. */
  sealingOf?(row: PickRow): Sealing | null;
  /** Without it groups have no `groupId` and are ordered by their own names among equals. */
  groupIdOf?(group: {
    sport: string;
    game: string;
    announced: number | null;
    market: string;
    subject: string | null;
    side: string;
  }): string;
}

/** The first checkpoint that covers a pick. Instants are text. */
export interface Sealing {
  signedAt: string;
  /** When enough witnesses had cosigned. */
  witnessedAt: string | null;
}

export interface Surroundings {
  /** The service's clock, in epoch milliseconds. */
  now: number;
  /** Default: `http://localhost:3000`. */
  baseUrl?: string;
  ids?: Ids;
  /** When the service started. It chooses no Pick of the Day before that. Default: it has always run. */
  runningSince?: number;
  /** Picks of the Day of earlier days, the latest first. Default: none. */
  chosenBefore?: DayPick[];
}

export interface DayPick {
  day: string;
  uuid: string;
}

/** A pick with everything that is known of it at the state's `now`. */
export interface LedgerPick {
  uuid: string;
  id: number;
  capperHandle: string;
  /** At post time. */
  capperTier: Tier;
  /** Whether the capper is verified at `now`. */
  capperVerified: boolean;
  sharp: boolean;
  sport: string;
  game: string;
  /** The game's identity; then `gameKey` with market and subject; then with the side. */
  gameKey: string;
  gameId: number;
  marketKey: string;
  /** The market, plus the team for a team total. */
  contestKey: string;
  sideKey: string;
  announced: number | null;
  /** The current start. */
  start: number | null;
  /** The start as of the posting. */
  startPosted: number | null;
  /** The start that closings and checks of it take. */
  startHeld: number | null;
  /** The day of a game of which only that was announced. */
  day: string | null;
  /** Its slate: the Eastern date of the start, else that day, else the date of the posting. */
  slate: string;
  market: string;
  subject: string | null;
  side: string;
  lineE3: number | null;
  pick: string;
  oddsAmerican: number;
  decimal: Fraction;
  /** The odds at which it counts: docs/rules/prices.md. */
  counted: number;
  stakeE4: number;
  book: string | null;
  source: string;
  provenance: 'live' | 'imported';
  signed: boolean;
  postedAt: number;
  /** The prices of its market that count. With a price source, prices entered by hand do not count for a live pick. */
  prices: Price[];
  /** For a live pick; provisional while it is pending. */
  priceCheck: Checked | null;
  /** Whether figures count it. */
  counts: boolean;
  sealedAt: number | null;
  sealedInTime: 'witnessed' | 'signed' | 'late' | null;
  status: 'pending' | 'settled';
  closing: (Closing & { clvCountedBps: number }) | null;
  result: Result | null;
  half: boolean;
  /** The part of the stake that counted. */
  countedE4: number;
  settledAt: number | null;
  netUnitsE4: number | null;
  settlement: Settlement | null;
}

export interface LedgerState {
  now: number;
  today: string;
  baseUrl: string;
  ids: Ids;
  runningSince: number;
  chosenBefore: DayPick[];
  cappers: CapperRow[];
  games: GameRow[];
  /** Keys of games that were joined into others. */
  joined: ReadonlySet<string>;
  /** Posted at or before `now`, ordered by `postedAt`, then UUID. */
  picks: LedgerPick[];
  byCapper: Map<string, LedgerPick[]>;
  /** All picks by capper, if the others are only those of a market or provenance. */
  whole?: Map<string, LedgerPick[]>;
  byMarket: Map<string, LedgerPick[]>;
}

const keyed = <Row>(rows: Row[], key: (row: Row) => string): Map<string, Row[]> => {
  const map = new Map<string, Row[]>();
  for (const row of rows) {
    const list = map.get(key(row));
    if (list) list.push(row);
    else map.set(key(row), [row]);
  }
  return map;
};

/** Orders text by UTF-16 code units. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Assigns UUIDs in the URL namespace, and ids of picks, cappers, and games in the order of their rows. */
export function ownIds(rows: Rows): Ids {
  const position = new Map(rows.picks.map((row, index) => [row, index + 1]));
  const cappers = new Map(rows.cappers.map((row, index) => [row.handle.toLowerCase(), index + 1]));
  const games = new Map(rows.games.map((row, index) => [gameKey(row), index + 1]));
  return {
    idOf: (_key, row) => ({
      uuid: uuidV5('6ba7b811-9dad-11d1-80b4-00c04fd430c8', importName(row)),
      id: position.get(row)!,
    }),
    capperIdOf: (handle) => cappers.get(handle)!,
    gameIdOf: (key) => games.get(key)!,
  };
}

function pricesKnown(rows: Rows, now: number): Map<string, Price[]> {
  const known = rows.lines.filter((row) => Date.parse(row.capturedAt) <= now);
  const grouped = keyed(known, (row) => marketKey(gameKey(row), row));
  return new Map(
    [...grouped].map(([key, group]) => [
      key,
      group.map((row) => ({
        side: row.side,
        lineE3: scaled(row.line, 1000),
        oddsAmerican: row.oddsAmerican,
        capturedAt: Date.parse(row.capturedAt),
        closing: row.closing === true,
        book: row.book,
        byHand: row.byHand !== false,
        storedAt: instant(row.storedAt) ?? 0,
      })),
    ]),
  );
}

/** Returns every known price by game, and when providers priced each sport. */
function seenPrices(
  rows: Rows,
  now: number,
): { byGame: Map<string, Seen[]>; provided: Map<string, number[]> } {
  const known = rows.lines.filter((row) => Date.parse(row.capturedAt) <= now);
  const byGame = keyed(known, gameKey);
  const provided = keyed(
    known.filter((row) => row.byHand === false),
    (row) => row.sport,
  );
  return {
    byGame: new Map(
      [...byGame].map(([key, group]) => [
        key,
        group.map((row) => ({
          market: row.market,
          subject: row.subject ?? null,
          side: row.side,
          book: row.book,
          lineE3: scaled(row.line, 1000),
          oddsAmerican: row.oddsAmerican,
          capturedAt: Date.parse(row.capturedAt),
          closing: row.closing === true,
          byHand: row.byHand !== false,
          storedAt: instant(row.storedAt) ?? 0,
        })),
      ]),
    ),
    provided: new Map(
      [...provided].map(([sport, group]) => [sport, group.map((row) => Date.parse(row.capturedAt))]),
    ),
  };
}

const resultKey = (row: ResultRow | PickRow, game: string): string =>
  `${marketKey(game, row)} ${row.side} ${scaled(row.line, 1000)}`;

/**
 * Returns when a pick was sealed, and whether before its start. Witnesses' clocks have whole seconds, so the second of the start is too
 * late.
 */
function sealedFields(
  row: PickRow,
  start: number | null,
  sealing: Sealing | null,
): Pick<LedgerPick, 'sealedAt' | 'sealedInTime'> {
  if (sealing === null) return { sealedAt: null, sealedInTime: null };
  const sealedAt = Date.parse(sealing.signedAt);
  const witnessed = instant(sealing.witnessedAt);
  if (row.provenance !== 'live' || start === null) return { sealedAt, sealedInTime: null };
  if (witnessed !== null && witnessed < Math.floor(start / 1000) * 1000)
    return { sealedAt, sealedInTime: 'witnessed' };
  return { sealedAt, sealedInTime: sealedAt < start ? 'signed' : 'late' };
}

/** Returns the ledger that the service must show at `now`, from the rows of an import. Throws for an unknown game. */
export function ledgerAt(rows: Rows, surroundings: Surroundings): LedgerState {
  const { now } = surroundings;
  const ids = surroundings.ids ?? ownIds(rows);
  const prices = pricesKnown(rows, now);
  const { byGame, provided } = seenPrices(rows, now);
  const games = new Map(rows.games.map((row) => [gameKey(row), row]));
  const joined = new Map(rows.joins?.map(({ from, to }) => [gameKey(from), gameKey(to)]));
  const tiers = new Map(rows.cappers.map((row) => [row.handle.toLowerCase(), row.tier]));
  const verified = new Map(rows.cappers.map((row) => [row.handle.toLowerCase(), row.verified]));
  const statsOf = statsKnown(rows.stats, games);
  const results = new Map<string, ResultRow>(rows.results.map((row) => [resultKey(row, gameKey(row)), row]));

  const picks = rows.picks
    .filter((row) => Date.parse(row.postedAt) <= now)
    .map((row): LedgerPick => {
      const key = gameKey(row);
      const game = games.get(key);
      const capperHandle = row.capperHandle.toLowerCase();
      const capperTier = row.tier ?? tiers.get(capperHandle);
      if (!game || !capperTier) throw new Error(`unknown game or capper: ${JSON.stringify(row)}`);
      // A pick keeps its own game's start and prices, and is shown on the game that its game was joined into.
      const shownKey = joined.get(key) ?? key;
      const shown = games.get(shownKey)!;
      const shownStart = instant(shown.movedTo ?? shown.startsAt);
      const shownMarket = marketKey(shownKey, row);
      const announced = instant(game.startsAt);
      const start = instant(game.movedTo ?? game.startsAt);
      const live = row.provenance === 'live';
      const startHeld = live ? (instant(game.heldStart) ?? start) : start;
      const startPosted = row.startPosted === undefined ? instant(row.startsAt) : instant(row.startPosted);
      const lineE3 = scaled(row.line, 1000);
      const stakeE4 = scaled(row.stakeUnits, 10_000)!;
      const postedAt = Date.parse(row.postedAt);
      const { sport, market, side, oddsAmerican } = row;
      const about = marketKey(key, row);
      const subject = row.subject ?? null;
      const bought = { sport, market, subject, side, lineE3, oddsAmerican, book: row.book ?? null, postedAt };
      const hasSource = (provided.get(sport) ?? []).some(
        (at) => at >= postedAt - 30 * 24 * HOUR && (startHeld === null || at <= startHeld),
      );
      const priceCheck =
        row.provenance === 'live'
          ? priceCheckOf(bought, byGame.get(key) ?? [], {
              start: startHeld,
              hasSource,
              hasProvider: provided.size > 0,
            })
          : null;
      const counted = (prices.get(about) ?? []).filter(
        (price) => !live || countsForLive(price, startHeld, hasSource),
      );
      const bet = { sport, market, side, lineE3, oddsAmerican, book: row.book ?? null };

      const stats = row.subject == null ? [] : statsOf(key, row.subject);
      const event = results.get(resultKey(row, key));
      const claim = row.result == null ? null : { result: row.result, half: row.half === true };
      const settlement = settlementOf(bet, game, announced, start, event, stats, claim);
      const settled =
        settlement && settlement.settledAt <= now && settlement.knownAt <= now ? settlement : null;
      const countedE4 = settled?.half ? stakeE4 / 2 : stakeE4;
      const closes =
        startHeld !== null && startHeld <= now && (settled === null || startHeld <= settled.settledAt);
      return {
        ...bet,
        ...ids.idOf(pickKey({ ...row, startsAt: iso(start) }), row),
        capperHandle,
        capperTier,
        capperVerified: verified.get(capperHandle)!,
        sharp: capperTier !== 'listed',
        game: shown.game,
        gameKey: shownKey,
        gameId: ids.gameIdOf(shownKey),
        subject,
        marketKey: shownMarket,
        contestKey: `${shownMarket} ${market === 'team_total' ? side.split('_')[0] : ''}`,
        sideKey: `${shownMarket} ${side}`,
        announced: instant(shown.startsAt),
        start: shownStart,
        startPosted,
        startHeld,
        day: shown.day ?? null,
        slate: shownStart === null ? (shown.day ?? etDay(postedAt)) : etDay(shownStart),
        pick: row.pick,
        decimal: decimalOdds(oddsAmerican),
        counted: priceCheck?.countedAmerican ?? oddsAmerican,
        stakeE4,
        source: row.source ?? 'import',
        provenance: row.provenance ?? 'imported',
        signed: row.signed === true,
        postedAt,
        prices: counted,
        priceCheck,
        counts: priceCheck?.verdict !== 'unseen',
        ...sealedFields(row, startPosted, ids.sealingOf?.(row) ?? null),
        status: settled ? 'settled' : 'pending',
        closing: closes ? closingAt(bet, counted, startHeld, priceCheck, settled !== null) : null,
        result: settled?.result ?? null,
        half: settled?.half ?? false,
        countedE4,
        settlement: settled,
        settledAt: settled?.settledAt ?? null,
        netUnitsE4: settled
          ? netUnitsE4(settled.result, countedE4, priceCheck?.countedAmerican ?? oddsAmerican)
          : null,
      };
    })
    .sort((a, b) => a.postedAt - b.postedAt || byText(a.uuid, b.uuid));

  return {
    now,
    today: etDay(now),
    baseUrl: surroundings.baseUrl ?? 'http://localhost:3000',
    ids,
    runningSince: surroundings.runningSince ?? Number.NEGATIVE_INFINITY,
    chosenBefore: surroundings.chosenBefore ?? [],
    cappers: rows.cappers.map((row) => ({ ...row, handle: row.handle.toLowerCase() })),
    games: rows.games,
    joined: new Set(joined.keys()),
    picks,
    byCapper: keyed(picks, (pick) => pick.capperHandle),
    byMarket: keyed(picks, (pick) => pick.marketKey),
  };
}

/** Returns the closing with CLV at the counted odds, and, once the pick has settled, with the edge at these. */
function closingAt(
  bet: Parameters<typeof closingOf>[0],
  prices: Price[],
  start: number,
  check: Checked | null,
  isSettled: boolean,
): LedgerPick['closing'] {
  const closing = closingOf(bet, prices, start);
  const counted = check?.countedAmerican ?? bet.oddsAmerican;
  if (closing === null || counted === bet.oddsAmerican)
    return closing && { ...closing, clvCountedBps: closing.clvBps };
  return {
    ...closing,
    clvCountedBps: clvBps(counted, decimalOdds(closing.oddsAmerican)),
    edgePct: isSettled ? edgeAt(counted, closing.fair) : closing.edgePct,
  };
}

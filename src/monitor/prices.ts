import type { ClosingBody, PickBody, SettlementBody } from '../proof/bodies.ts';
import { hex } from '../proof/encoding.ts';
import { type LoggedPrice, priceLeaf, pricesRoot } from '../proof/prices.ts';
import type { SealedReceipt } from '../proof/receipt.ts';
import type { VerifierKey } from '../proof/verifier-key.ts';
import { verifyReceipt } from '../proof/verify-receipt.ts';
import { type Closing, closingMarket, closingOf } from '../rules/closing.ts';
import { followDelays, followerPrice } from '../rules/follow.ts';
import { scoreGraders } from '../rules/grading.ts';
import {
  admitted,
  type CheckedPick,
  checkPrice,
  type FoundPrice,
  type SeenPrice,
  sourceWindowMs,
} from '../rules/price-check.ts';
import type { FollowersAnswer, LogClient } from './log-client.ts';
import { isInTree, type SeenTree } from './promises.ts';
import { sealed } from './sealed.ts';
import { sha256 } from './sha256.ts';
import { iso, type LoggedGames, startsIn } from './starts.ts';

/** A monitor's knowledge of the prices in a log. The rows stay with the log, which shows them again when an event used them. */
export interface LoggedPrices {
  next: number;
  /** Whether the log publishes its rows. Absent before the first entry of prices. */
  isPublic?: boolean;
  /** When the newest row was stored, in epoch milliseconds. */
  storedAt?: number;
  /** Entries with prices of a game, by {@link nameOf}; forgotten a month after its start. */
  games: Record<string, { seqs: number[]; until: number }>;
  roots: Record<number, string>;
  /** By sport and day since 1970 (UTC), the number of the first price that a provider captured then. */
  days: Record<string, Record<number, number>>;
  provider?: number;
  /** Settled picks whose prices are judged once the tree is verified, by UUID. */
  settled: Record<string, SettledPrices>;
}

interface SettledPrices {
  seq: number;
  /** The possible followers' prices, each as {@link followersText}. Absent if the log does not publish its rows. */
  followers?: string[];
  /** The monitor's clock when it settled, in epoch milliseconds. */
  at: number;
}

export const noPrices = (): LoggedPrices => ({
  next: 1,
  games: {},
  roots: {},
  days: {},
  settled: {},
});

/** Time after a game's start for which its entries are remembered: picks can settle late. */
const rememberedMs = 30 * 86_400_000;

const dayOf = (at: number) => Math.floor(at / 86_400_000);

const nameOf = ({ sport, game }: Pick<LoggedPrice, 'sport' | 'game'>) => `${sport}: ${game}`;

const maxRows = 100_000;
const rowsRead = new WeakMap<LogClient, Map<number, LoggedPrice[]>>();

/** Checks the numbers, and the rows if the log publishes them. @throws Error that says how they differ from the entry */
export async function followPrices(
  log: LogClient,
  known: LoggedPrices,
  { seq, hash }: { seq: number; hash: string },
  body: unknown,
): Promise<void> {
  const { from_seq: from, to_seq: to, root } = sealed('prices', body, hash);
  const expected = known.next;
  known.next = to + 1;
  if (from !== expected) throw new Error(`its first price is ${from}, not ${expected}`);
  if (known.isPublic === false) return;
  known.roots[seq] = root;
  const rows = await rowsOf(log, known, seq);
  known.isPublic ??= rows !== undefined;
  if (rows === undefined) {
    if (known.isPublic) throw new Error('the log publishes its prices, but not these');
    return;
  }
  if (rows.length !== to - from + 1 || rows.some(({ price_seq }, at) => price_seq !== from + at))
    throw new Error(`the published prices are not those from ${from} to ${to}`);
  for (const row of rows) note(known, row, seq);
}

function note(known: LoggedPrices, row: LoggedPrice, seq: number): void {
  known.storedAt = Math.max(known.storedAt ?? 0, Date.parse(row.stored_at));
  known.games[nameOf(row)] ??= { seqs: [], until: 0 };
  const game = known.games[nameOf(row)]!;
  if (game.seqs.at(-1) !== seq) game.seqs.push(seq);
  const start = Date.parse(row.starts_at ?? `${row.day}T00:00:00Z`);
  game.until = Math.max(game.until, start + rememberedMs);
  if (row.source === 'hand') return;
  known.provider ??= row.price_seq;
  known.days[row.sport] ??= {};
  known.days[row.sport]![dayOf(Date.parse(row.captured_at))] ??= row.price_seq;
}

/** Forgets games that started long ago, and days that no check of a pick can need. */
export function forgetPrices({ games, roots, days, storedAt = 0 }: LoggedPrices): void {
  for (const [name, { until }] of Object.entries(games)) if (until < storedAt) delete games[name];
  const first = dayOf(storedAt - sourceWindowMs - rememberedMs);
  for (const known of Object.values(days))
    for (const day of Object.keys(known).map(Number)) if (day < first) delete known[day];
  const used = new Set(Object.values(games).flatMap(({ seqs }) => seqs));
  for (const seq of Object.keys(roots)) if (!used.has(Number(seq))) delete roots[Number(seq)];
}

/** Returns the rows of a known entry; undefined if the log does not show them. @throws Error if they are not those of the entry */
async function rowsOf(
  log: LogClient,
  { roots }: LoggedPrices,
  seq: number,
): Promise<LoggedPrice[] | undefined> {
  const kept = rowsRead.get(log) ?? new Map<number, LoggedPrice[]>();
  rowsRead.set(log, kept);
  const known = kept.get(seq);
  if (known !== undefined) return known;
  const rows = (await log.prices(seq)) as LoggedPrice[] | undefined;
  if (rows === undefined) return undefined;
  const root = hex(
    pricesRoot(
      rows.map((row) => priceLeaf(row, sha256)),
      sha256,
    ),
  );
  if (root !== roots[seq])
    throw new Error(`the published prices of entry ${seq} have the root ${root}, not ${roots[seq]}`);
  kept.set(seq, rows);
  let size = [...kept.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [old, { length }] of kept) {
    if (size <= maxRows || old === seq) break;
    kept.delete(old);
    size -= length;
  }
  return rows;
}

/** The prices that an event of a pick could use, and how the rules may take them. */
interface UsablePrices {
  prices: SeenPrice[];
  /** Whether the sport has a price source for the pick at a start: both, if this depends on the hour of a day's first price. The service
   * knows it of each Eastern day, which is within two days of UTC. */
  sourcesAt(start: number | null): boolean[];
  hasProvider: boolean;
}

interface Memory {
  games: LoggedGames;
  prices: LoggedPrices;
}

async function usablePrices(
  log: LogClient,
  { games, prices: logged }: Memory,
  pick: PickBody,
  to: number | null,
): Promise<UsablePrices> {
  const last = to ?? 0;
  const starts = startsIn(games, pick);
  const prices: SeenPrice[] = [];
  for (const seq of logged.games[nameOf(pick)]?.seqs ?? []) {
    const rows = await rowsOf(log, logged, seq);
    if (rows === undefined) throw new Error(`the log has ceased to publish the prices of entry ${seq}`);
    for (const row of rows)
      if (
        row.price_seq <= last &&
        nameOf(row) === nameOf(pick) &&
        row.day === pick.day &&
        (row.starts_at === null || starts.has(Date.parse(row.starts_at))) &&
        row.market === pick.market &&
        row.subject === pick.subject
      )
        prices.push(seenPrice(row));
  }
  const posted = Date.parse(pick.posted_at);
  const days = Object.entries(logged.days[pick.sport] ?? {}).flatMap(([day, first]) =>
    first <= last ? Number(day) : [],
  );
  return {
    prices,
    sourcesAt(start) {
      const from = dayOf(posted - sourceWindowMs);
      const until = start === null ? Number.POSITIVE_INFINITY : dayOf(start);
      const isWithin = (by: number) => days.some((day) => from + by <= day && day <= until - by);
      return isWithin(2) ? [true] : isWithin(-1) ? [true, false] : [false];
    },
    hasProvider: logged.provider !== undefined && logged.provider <= last,
  };
}

const seenPrice = (row: LoggedPrice): SeenPrice => ({
  market: row.market,
  subject: row.subject,
  side: row.side,
  lineE3: row.line_e3,
  oddsAmerican: row.odds_american,
  book: row.book,
  capturedAt: Date.parse(row.captured_at),
  storedAt: Date.parse(row.stored_at),
  byHand: row.source === 'hand',
  closing: row.closing,
});

const checkedPick = (pick: PickBody): CheckedPick => ({
  sport: pick.sport,
  market: pick.market,
  subject: pick.subject,
  side: pick.side,
  book: pick.book,
  lineE3: pick.line_e3,
  oddsAmerican: pick.odds_american,
  postedAt: Date.parse(pick.posted_at),
});

function closingsAt(
  { prices, sourcesAt }: UsablePrices,
  pick: PickBody,
  start: number,
): ReturnType<typeof closingOf>[] {
  const usable =
    pick.provenance === 'live'
      ? sourcesAt(start).map((hasSource) => admitted(prices, { start, hasSource }))
      : [prices];
  return usable.map((rows) => closingOf(closingMarket(pick.market, rows, start), checkedPick(pick)));
}

/** @throws Error that names the contradiction */
export async function judgePricedClosing(
  log: LogClient,
  memory: Memory,
  pick: PickBody,
  closing: ClosingBody,
): Promise<void> {
  const usable = await usablePrices(log, memory, pick, closing.prices_to);
  mustBeOneOf('the prices of the log', closingsAt(usable, pick, Date.parse(closing.closed_at)), closing);
}

function mustBeOneOf(source: string, expected: ReturnType<typeof closingsAt>, closing: ClosingBody): void {
  const texts = expected.map((each) => (each === null ? 'no closing' : closingText(each)));
  const shown = closingText({
    oddsAmerican: closing.odds_american,
    lineE3: closing.line_e3,
    book: closing.book,
    capturedAt: Date.parse(closing.captured_at),
    clvBps: closing.clv_bps,
    prices: closing.prices.map(({ side, odds_american }) => ({ side, oddsAmerican: odds_american })),
  });
  if (!texts.includes(shown)) throw new Error(`${source} give ${texts[0]}, not ${shown}`);
}

function closingText(closing: Omit<Closing, 'sameLine'>): string {
  const { oddsAmerican, lineE3, book, capturedAt, clvBps, prices } = closing;
  const sides = prices.map((price) => `${price.side} ${price.oddsAmerican}`).join(', ');
  return `${oddsAmerican} at ${lineE3} of ${book ?? 'all books'}, captured at ${iso(capturedAt)}, ${clvBps} bps (${sides})`;
}

/**
 * Recomputes a settlement's price check from the prices of the log, and finds a closing that is missing.
 * @param closedAt when the pick closed, in epoch milliseconds; null if it did not; undefined if the monitor did not see it
 * @returns the possible followers' prices of a live pick, each as text
 * @throws Error that names the contradiction
 */
export async function judgePricedSettlement(
  log: LogClient,
  memory: Memory,
  pick: PickBody,
  settlement: SettlementBody,
  closedAt: number | null | undefined,
): Promise<string[]> {
  const usable = await usablePrices(log, memory, pick, settlement.prices_to);
  const starts = closedAt == null ? [...startsIn(memory.games, pick)] : [closedAt];
  if (closedAt === null && [...scoreGraders, 'stat'].includes(settlement.grader)) {
    const settledAt = Date.parse(settlement.settled_at);
    const closings = starts.flatMap((start) => (start > settledAt ? null : closingsAt(usable, pick, start)));
    if (closings.length > 0 && closings.every((each) => each !== null))
      throw new Error(`it did not close, but the prices of the log give ${closingText(closings[0]!)}`);
  }
  const { price_check: check } = settlement;
  if (check === null) return [];
  const { prices, hasProvider } = usable;
  const ways = (starts.length === 0 ? [null] : starts).flatMap((start) =>
    usable.sourcesAt(start).map((hasSource) => ({ start, hasSource })),
  );
  const checks = ways.map((way) => checkText(checkPrice(checkedPick(pick), prices, { ...way, hasProvider })));
  mustBeChecked('the prices of the log', checks, check);
  return ways.map(({ start, hasSource }) =>
    followersText(followersOf(checkedPick(pick), admitted(prices, { start, hasSource }), start)),
  );
}

function mustBeChecked(
  source: string,
  expected: readonly string[],
  check: NonNullable<SettlementBody['price_check']>,
): void {
  const { verdict, odds_american, book, captured_at, counted_american } = check;
  const shown = checkText({
    verdict,
    oddsAmerican: odds_american,
    book,
    countedAmerican: counted_american,
    capturedAt: captured_at === null ? null : Date.parse(captured_at),
  });
  if (!expected.includes(shown)) throw new Error(`${source} make its price ${expected[0]}, not ${shown}`);
}

function checkText(
  check: { verdict: string; countedAmerican: number | null } & {
    [Key in keyof FoundPrice]: FoundPrice[Key] | null;
  },
): string {
  const { verdict, oddsAmerican, book, capturedAt, countedAmerican } = check;
  const by = oddsAmerican === null ? '' : ` by ${oddsAmerican} of ${book}, captured at ${iso(capturedAt!)}`;
  return `${verdict}${by}, counted at ${countedAmerican}`;
}

function followersOf(
  pick: CheckedPick,
  prices: readonly SeenPrice[],
  startsAt: number | null,
): FollowersAnswer {
  const snapshots = prices.map(({ book, capturedAt, side, lineE3, oddsAmerican }) => ({
    book,
    capturedAt,
    odds: side === pick.side && lineE3 === pick.lineE3 ? [oddsAmerican] : [],
  }));
  return followDelays.map((delay) => {
    const found = followerPrice(snapshots, { postedAt: pick.postedAt, startsAt }, delay);
    if (found === null || found === 'missed')
      return { delay, missed: found !== null, oddsAmerican: null, book: null, at: null };
    const { oddsAmerican, book, capturedAt } = found;
    return { delay, missed: false, oddsAmerican, book, at: iso(capturedAt) };
  });
}

function followersText(followers: FollowersAnswer): string {
  return followers
    .map(({ delay, missed, oddsAmerican, book, at }) => {
      const price =
        oddsAmerican === null ? (missed ? 'none' : 'unknown') : `${oddsAmerican} of ${book} at ${at}`;
      return `${price} after ${delay} minutes`;
    })
    .join(', ');
}

/** @throws Error that names the contradiction */
function judgeReceiptPrices({ pick, closing, settlement, proof }: SealedReceipt): void {
  const usable = (event: 'closed' | 'settled'): UsablePrices => ({
    prices: proof.prices.flatMap(({ prices }) =>
      prices.flatMap(({ price, decided }) => (decided.includes(event) ? seenPrice(price) : [])),
    ),
    // The receipt has only prices that count.
    sourcesAt: () => [false, true],
    hasProvider: true,
  });
  const start = closing === null ? null : Date.parse(closing.closed_at);
  const source = 'the prices in its receipt';
  if (closing !== null) mustBeOneOf(source, closingsAt(usable('closed'), pick, start!), closing);
  const check = settlement?.price_check ?? null;
  if (check === null || check.odds_american === null) return;
  const { prices, sourcesAt, hasProvider } = usable('settled');
  const checks = sourcesAt(start).map((hasSource) =>
    checkText(checkPrice(checkedPick(pick), prices, { start, hasSource, hasProvider })),
  );
  mustBeChecked(source, checks, check);
}

interface PriceFinding {
  kind: 'figures';
  seq: number;
  message: string;
}

/** Receipts read in a poll, chosen at random, so that the log does not know which. */
const receiptsAPoll = 16;

/** Time for which the service may not show followers' prices of a settled pick, in milliseconds. */
const shownWithinMs = 3_600_000;

/**
 * Judges the prices of settled picks: the followers' prices of those whose rows the log publishes, and the deciding prices in a sample of
 * the receipts of others.
 * @param prices is modified: a judged pick is not judged again
 * @param now the monitor's clock, in epoch milliseconds
 */
export async function judgeSettled(
  log: LogClient,
  prices: LoggedPrices,
  known: { keys: readonly VerifierKey[]; tree: SeenTree },
  now: number,
): Promise<PriceFinding[]> {
  const findings: PriceFinding[] = [];
  const report = (uuid: string, { seq }: SettledPrices, fault: string) =>
    findings.push({ kind: 'figures', seq, message: `pick ${uuid}: ${fault}` });
  const [hidden, open] = [true, false].map((isHidden) =>
    Object.entries(prices.settled).filter(([, { followers }]) => (followers === undefined) === isHidden),
  ) as [[string, SettledPrices][], [string, SettledPrices][]];
  const sample = hidden
    .map((each) => ({ each, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, receiptsAPoll);
  for (const { each } of sample) {
    const fault = await receiptFault(log, each[0], known);
    if (fault !== null) report(...each, fault);
  }
  for (const [uuid] of hidden) delete prices.settled[uuid];
  for (const [uuid, settled] of open) {
    const shown = await log.followers(uuid);
    if (shown == null && now - settled.at <= shownWithinMs) continue;
    delete prices.settled[uuid];
    const text = shown == null ? 'none at all' : followersText(shown);
    if (!settled.followers!.includes(text))
      report(uuid, settled, `the prices of the log give followers ${settled.followers![0]}, not ${text}`);
  }
  return findings;
}

async function receiptFault(
  log: LogClient,
  uuid: string,
  { keys, tree }: { keys: readonly VerifierKey[]; tree: SeenTree },
): Promise<string | null> {
  const receipt = (await log.receipt(uuid)) as SealedReceipt;
  const { proof, failed } = await verifyReceipt(receipt, { keys }, sha256);
  if (proof === 'failed') return `its receipt does not verify: ${failed!.detail}`;
  if (proof === 'unhashed' || receipt.settlement === null) return 'its receipt does not have its settlement';
  if (receipt.pickUuid !== uuid) return 'its receipt is that of another pick';
  if ((await isInTree(log, receipt, tree)) === false)
    return 'its receipt belongs to another tree than the one served here';
  try {
    judgeReceiptPrices(receipt);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

import type { ClosingBody, PickBody, SettlementBody } from '../proof/bodies.ts';
import type { Entry } from '../proof/entry.ts';
import { checkClv, checkNetUnits, checkPriceVerdict } from '../proof/figures.ts';
import { gradeByScore, scoreGraders } from '../rules/grading.ts';
import { marketSides } from '../rules/markets/index.ts';
import type { Outcome } from '../rules/markets/market.ts';
import { ownValue } from '../rules/own-value.ts';
import { gradeByFigure, isGradedByStats } from '../rules/player-grading.ts';
import type { Sets } from '../rules/sets.ts';
import { gradingScoreName } from '../rules/units.ts';
import { type AuthorFault, authorFaults, type LoggedKeys } from './authors.ts';
import type { Checked, OpenPick } from './chains.ts';
import { type LogClient, LogUnreadable } from './log-client.ts';
import {
  followPrices,
  forgetPrices,
  judgePricedClosing,
  judgePricedSettlement,
  type LoggedPrices,
} from './prices.ts';
import { sealedWithinMs } from './promises.ts';
import { NotSealed, sealed } from './sealed.ts';
import {
  followJoin,
  followMove,
  forgetGames,
  iso,
  type LoggedGames,
  msOf,
  noteResult,
  type StartFault,
  startFault,
} from './starts.ts';

export interface PickMemory {
  open: Record<string, OpenPick>;
  /** End of the last poll by the monitor's clock, in epoch milliseconds. Entries that were not in the log then were sealed later. */
  polledAt?: number;
  games: LoggedGames;
  authors: LoggedKeys;
  prices: LoggedPrices;
  /** The log's origin, and those of earlier logs that it continues: a capper's signature names one of them. */
  origins: string[];
  /** Final scores shown by settlements, by game: the last {@link maxGames}. */
  scores: Record<string, { away: number; home: number; shortened?: true; seenAt: number }>;
}

export interface PickFinding {
  /**
   * `body`: a body differs from the sealed one. `late`: a pick was sealed after its game's start, or long after its stated time. `figures`:
   * result, units, closing, price check, or followers' prices do not follow from score, odds, and prices. `prices`: the published prices
   * are not those of the entry. `score`: two settlements show different scores of one game. `unsettled`: a settlement is missing. `pair`
   * and `moved`: see {@link StartFault}. Others: see {@link AuthorFault}.
   */
  kind: 'body' | 'figures' | 'prices' | 'score' | 'unsettled' | StartFault['kind'] | AuthorFault['kind'];
  seq?: number;
  message: string;
}

/** Time within which a known final score must settle all picks that it decides, in milliseconds. */
const settledWithinMs = 3_600_000;
/** Time within which a pick must be settled after its game's start, in milliseconds. A postponed game voids its picks after 2 days. */
const settledAfterStartMs = 14 * 86_400_000;
const maxGames = 2_000;
const requestsAtOnce = 8;

/** @param memory is modified. @param now the monitor's clock, in epoch milliseconds */
export async function judgeBodies(
  log: LogClient,
  memory: PickMemory,
  checked: readonly Checked[],
  now: number,
): Promise<PickFinding[]> {
  const events = checked.flatMap(({ entry, pick }) =>
    entry !== undefined && (pick !== undefined || isOfGame(entry)) ? [{ entry, pick }] : [],
  );
  const seqs = new Set(events.flatMap(({ entry, pick }) => [entry.seq, pick?.seq ?? entry.seq]));
  const bodies = await readBodies(log, seqs);
  const findings: PickFinding[] = [];
  for (const { entry, pick } of events) {
    if (pick === undefined) {
      const body = bodies.get(entry.seq);
      if (entry.kind === 'prices') findings.push(...(await judgePrices(log, memory, entry, body)));
      else findings.push(...judgeMove(memory, entry, body));
      continue;
    }
    const report = (kind: PickFinding['kind'], message: string) =>
      findings.push({ kind, seq: entry.seq, message });
    const about = `pick ${entry.uuid}`;
    try {
      const pickBody = sealed('posted', bodies.get(pick.seq), pick.pickHash);
      if (entry.kind === 'posted') await judgePosted(memory, pick, pickBody, now, report);
      else if (entry.kind === 'closed') {
        const closing = sealed('closed', bodies.get(entry.seq), entry.hash);
        pick.closedAt = Date.parse(closing.closed_at);
        mustBeKnown(memory.prices, closing);
        judgeClosing(pickBody, closing);
        if (memory.prices.isPublic) await judgePricedClosing(log, memory, pickBody, closing);
      } else {
        const settlement = sealed('settled', bodies.get(entry.seq), entry.hash);
        mustBeKnown(memory.prices, settlement);
        judgeSettlement(memory, pickBody, settlement, now, report);
        const closedAt = pick.kind === 'closed' ? pick.closedAt : null;
        const settled = { seq: entry.seq, at: now };
        if (memory.prices.isPublic === false) memory.prices.settled[pickBody.uuid] = settled;
        else if (memory.prices.isPublic) {
          const followers = await judgePricedSettlement(log, memory, pickBody, settlement, closedAt);
          if (followers.length > 0) memory.prices.settled[pickBody.uuid] = { ...settled, followers };
        }
      }
    } catch (error) {
      if (error instanceof LogUnreadable) throw error;
      report(error instanceof NotSealed ? 'body' : 'figures', `${about}: ${(error as Error).message}`);
    }
  }
  // By the time of the log: the monitor may be reading its past.
  forgetGames(memory.games, Math.min(now, memory.prices.storedAt ?? now));
  forgetPrices(memory.prices);
  return findings;
}

/** Reports whether an entry without a pick describes games: a move of a start, a join, or prices. */
export function isOfGame({ kind }: Pick<Entry, 'kind'>): boolean {
  return kind === 'start_moved' || kind === 'game_joined' || kind === 'prices';
}

async function judgePrices(
  log: LogClient,
  { prices }: PickMemory,
  entry: Pick<Entry, 'seq' | 'hash'>,
  body: unknown,
): Promise<PickFinding[]> {
  try {
    await followPrices(log, prices, entry, body);
    return [];
  } catch (error) {
    if (error instanceof LogUnreadable) throw error;
    const { message } = error as Error;
    return [{ kind: error instanceof NotSealed ? 'body' : 'prices', seq: entry.seq, message }];
  }
}

function mustBeKnown({ next }: LoggedPrices, { prices_to: to }: ClosingBody | SettlementBody): void {
  if (to !== null && to >= next) throw new Error(`no earlier entry has the price ${to} that it could use`);
}

function judgeMove(
  { games, polledAt }: PickMemory,
  { seq, hash, kind }: Entry,
  body: unknown,
): PickFinding[] {
  try {
    if (kind === 'game_joined') {
      followJoin(games, sealed('game_joined', body, hash));
      return [];
    }
    const move = sealed('start_moved', body, hash);
    const fault = followMove(games, move);
    const findings: PickFinding[] = fault === undefined ? [] : [{ ...fault, seq }];
    if (polledAt !== undefined && polledAt - Date.parse(move.at) > sealedWithinMs)
      findings.push({
        kind: 'late',
        seq,
        message: `the start of ${move.sport}: ${move.game} was moved at ${move.at}, but the move was not in the log at ${iso(polledAt)}`,
      });
    return findings;
  } catch (error) {
    return [{ kind: 'body', seq, message: (error as Error).message }];
  }
}

/**
 * Records the games in moves of starts, in joins, and in open picks, without judging them, and the prices.
 * @param entries those that {@link isOfGame} matches, in the order of the log
 */
export async function learnGames(
  log: LogClient,
  memory: PickMemory,
  entries: readonly Entry[],
): Promise<PickFinding[]> {
  const { open, games } = memory;
  const unknown = Object.values(open).filter(({ game }) => game === undefined);
  const findings: PickFinding[] = [];
  const bodies = await readBodies(log, new Set([...entries, ...unknown].map(({ seq }) => seq)));
  for (const entry of entries) {
    const { seq, hash, kind } = entry;
    if (kind === 'prices') {
      findings.push(...(await judgePrices(log, memory, entry, bodies.get(seq))));
      continue;
    }
    try {
      if (kind === 'game_joined') followJoin(games, sealed(kind, bodies.get(seq), hash));
      else followMove(games, sealed('start_moved', bodies.get(seq), hash));
    } catch (error) {
      findings.push({ kind: 'body', seq, message: (error as Error).message });
    }
  }
  forgetPrices(memory.prices);
  for (const pick of unknown)
    try {
      const body = sealed('posted', bodies.get(pick.seq), pick.pickHash);
      learn(pick, body);
      if (body.provenance === 'live') startFault(games, body);
    } catch (error) {
      findings.push({ kind: 'body', seq: pick.seq, message: (error as Error).message });
    }
  return findings;
}

async function readBodies(log: LogClient, seqs: ReadonlySet<number>): Promise<Map<number, unknown>> {
  const left = [...seqs];
  const bodies = new Map<number, unknown>();
  const read = async () => {
    for (let seq = left.pop(); seq !== undefined; seq = left.pop()) bodies.set(seq, await log.body(seq));
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, read));
  return bodies;
}

type Report = (kind: PickFinding['kind'], message: string) => void;

const gameOf = ({ sport, game, starts_at }: PickBody) => `${sport}: ${game} (${starts_at ?? 'no start'})`;

function learn(pick: OpenPick, body: PickBody): void {
  const { market, side } = body;
  pick.game = gameOf(body);
  pick.startsAt = msOf(body.starts_at);
  pick.scored =
    gradingScoreName(market, body.sport) === 'final' && marketSides(market, 3)?.includes(side) === true;
}

async function judgePosted(
  { origins, polledAt, games, authors }: PickMemory,
  pick: OpenPick,
  body: PickBody,
  now: number,
  report: Report,
): Promise<void> {
  learn(pick, body);
  // The time of an imported pick is only a claim.
  if (body.provenance !== 'live') return;
  const postedAt = Date.parse(body.posted_at);
  const about = `pick ${body.uuid} of ${body.capper}`;
  if (postedAt > now + 60_000) report('late', `${about} was posted in the future, at ${body.posted_at}`);
  const fault = startFault(games, body);
  if (fault !== undefined) report(fault.kind, fault.message);
  for (const { kind, message } of await authorFaults(authors, origins, body, pick.seq)) report(kind, message);
  if (body.starts_at !== null && postedAt >= Date.parse(body.starts_at))
    report('late', `${about} was posted at ${body.posted_at}, not before the start at ${body.starts_at}`);
  if (polledAt === undefined) return;
  if (body.starts_at !== null && polledAt >= Date.parse(body.starts_at))
    report('late', `${about} was not in the log at ${iso(polledAt)}, after the start at ${body.starts_at}`);
  else if (polledAt - postedAt > sealedWithinMs)
    report(
      'late',
      `${about} was not in the log at ${iso(polledAt)}, although it was posted at ${body.posted_at}`,
    );
}

function judgeClosing(pick: PickBody, closing: ClosingBody): void {
  checkClv(pick, closing);
  if (Date.parse(closing.captured_at) > Date.parse(closing.closed_at))
    throw new Error(`its closing price was captured at ${closing.captured_at}, after ${closing.closed_at}`);
}

/** @throws Error that names the contradiction */
function judgeSettlement(
  memory: PickMemory,
  pick: PickBody,
  settlement: SettlementBody,
  now: number,
  report: Report,
): void {
  const { away_score: away, home_score: home, sets, grader } = settlement;
  const result = outcomeText(settlement);
  const game = gameOf(pick);
  const known = memory.scores[game];
  const about = `pick ${pick.uuid}`;
  if (grader !== 'cancelled' && grader !== 'postponed') noteResult(memory.games, pick);
  const isFinalScore = grader === 'score' || grader === 'sets';
  if (isFinalScore && away !== null && home !== null) {
    const shortened = settlement.played === 'shortened' && { shortened: true as const };
    if (known === undefined) remember(memory, game, { away, home, ...shortened, seenAt: now });
    else if (known.away !== away || known.home !== home)
      report(
        'score',
        `${about} was settled by ${away}-${home}, but ${game} ended ${known.away}-${known.home}`,
      );
  } else if (
    known !== undefined &&
    known.shortened !== true &&
    grader !== 'first_half_score' &&
    grader !== 'claim'
  ) {
    const possible = outcomesBy(pick, { ...known, sets: null });
    if (possible.length > 0 && !possible.includes(result))
      report(
        'score',
        `${about} was settled as ${result} by ${grader}, but ${game} ended ${known.away}-${known.home}`,
      );
  }
  if ((scoreGraders as readonly string[]).includes(grader)) {
    if (away === null || home === null) throw new Error('it was settled by a score, but has none');
    const possible = outcomesBy(pick, { away, home, sets });
    // A shortened game voids undecided picks. The log does not say how much of it was played.
    const isLeft = possible.length > 0 && settlement.played === 'shortened' && settlement.result === 'void';
    if (!possible.includes(result) && !isLeft)
      throw new Error(
        `the score ${away}-${home} makes it ${possible[0] ?? 'a pick that no score decides'}, not ${result}`,
      );
  } else if (
    grader === 'result' &&
    gradingScoreName(pick.market, pick.sport) === 'final' &&
    settlement.played !== 'shortened' &&
    outcomesBy(pick, { away: 0, home: 0, sets: null }).length > 0
  )
    throw new Error(`the score decides a ${pick.market}, but a result event settled it`);
  else if (grader === 'cancelled' || grader === 'postponed') {
    if (settlement.result !== 'void')
      throw new Error(`a pick on a game that is ${grader} is void, not ${result}`);
  } else if (grader === 'stat') judgeStat(pick, settlement);
  else if (grader === 'claim') {
    if (pick.provenance !== 'imported') throw new Error('only an imported pick is settled by its own claim');
  } else if (grader !== 'result') throw new Error(`${grader} is not a grader`);
  checkNetUnits(pick, settlement);
  if (pick.provenance === 'live' && settlement.price_check === null) throw new Error('it has no price check');
  checkPriceVerdict(pick, settlement);
  if (grader === 'score' && pick.starts_at !== null && settlement.settled_at < pick.starts_at)
    throw new Error(`it was settled at ${settlement.settled_at}, before the start at ${pick.starts_at}`);
}

/** Void is correct if the player did not play, or if a shortened game left the pick undecided. @throws Error */
function judgeStat({ sport, market, side, line_e3 }: PickBody, settlement: SettlementBody): void {
  const { stat, played } = settlement;
  if (!isGradedByStats(sport, market)) throw new Error(`no statistic decides a ${market} in ${sport}`);
  if (settlement.result === 'void' && (stat === null || played === 'shortened')) return;
  const expected =
    stat === null
      ? null
      : gradeByFigure(
          { sport, market, side, lineE3: line_e3 },
          { name: stat.name, value: stat.value_e3 / 1000 },
        );
  const result = outcomeText(settlement);
  if (expected === null || outcomeText(expected) !== result)
    throw new Error(
      `${stat?.name ?? 'no statistic'} of ${(stat?.value_e3 ?? 0) / 1000} does not make it ${result}`,
    );
}

/** Returns the possible outcomes by a score: the log does not say whether the draw is a side. Empty if no score decides the pick. */
function outcomesBy(
  { sport, market, side, line_e3 }: PickBody,
  { away, home, sets }: { away: number; home: number; sets: Sets | null },
): string[] {
  const scores = { homeScore: home, awayScore: away, homeHalfScore: home, awayHalfScore: away };
  const game = { sport, ...scores, sets, played: 'full' as const, periodsE3: null };
  const outcomes = ([2, 3] as const).map((moneylineWays) =>
    gradeByScore({ ...game, market, side, lineE3: line_e3, moneylineWays }),
  );
  return [...new Set(outcomes.flatMap((outcome) => (outcome === null ? [] : [outcomeText(outcome)])))];
}

function outcomeText({ result, half }: Outcome): string {
  return half ? `half a ${result}` : `a ${result}`;
}

function remember(memory: PickMemory, game: string, score: PickMemory['scores'][string]): void {
  memory.scores[game] = score;
  const games = Object.keys(memory.scores);
  for (const old of games.slice(0, Math.max(0, games.length - maxGames))) delete memory.scores[old];
}

/** Finds open picks with an overdue settlement. Reports each once. */
export function judgeOpen({ open, scores }: PickMemory, now: number): PickFinding[] {
  const findings: PickFinding[] = [];
  for (const [uuid, pick] of Object.entries(open)) {
    if (pick.overdue === true || pick.game === undefined) continue;
    const score = ownValue(scores, pick.game);
    const since =
      pick.scored === true && score !== undefined && now - score.seenAt > settledWithinMs
        ? `${pick.game} ended ${score.away}-${score.home}, known since ${iso(score.seenAt)}`
        : pick.startsAt != null && now - pick.startsAt > settledAfterStartMs
          ? `${pick.game} should have ended long ago`
          : undefined;
    if (since === undefined) continue;
    pick.overdue = true;
    findings.push({
      kind: 'unsettled',
      seq: pick.seq,
      message: `pick ${uuid} of ${pick.capper} is not settled, although ${since}`,
    });
  }
  return findings;
}

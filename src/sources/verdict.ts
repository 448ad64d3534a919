import { isDeepStrictEqual } from 'node:util';
import type { Played } from '../rules/played.ts';
import type { Sets } from '../rules/sets.ts';
import { sources } from './index.ts';
import type { Source } from './source.ts';

/**
 * State of an event, as a source reports it. `delayed` and `suspended` games will continue; `postponed` ones have not started, or will
 * restart.
 */
export type EventState =
  | 'scheduled'
  | 'delayed'
  | 'in_progress'
  | 'suspended'
  | 'postponed'
  | 'cancelled'
  | 'final';

/** Notes on finished soccer matches: the score of the 90 minutes is unknown, or possibly includes extra time. */
export const afterExtraTime = 'after extra time';
export const maybeExtraTime = 'may include extra time';

/** A source's statement about a game, with home and away as in the game's name. */
export interface Statement {
  source: string;
  state: EventState;
  /** Null with state `final`: over, without a score to grade by. */
  homeScore: number | null;
  awayScore: number | null;
  homeHalfScore: number | null;
  awayHalfScore: number | null;
  sets: Sets | null;
  /** Null: the source does not say how much was played. */
  played: Played | null;
  periodsE3: number | null;
  /** Why there is no score. */
  note: string | null;
  /** Time since which the source has reported exactly this. */
  saidAt: EpochMs;
}

/**
 * Verdict on a game from all statements. `none`: no source says that it ended. `wait`: not before that instant. `unscored`: it ended, but
 * no source has a score to grade by.
 */
export type Verdict =
  | { verdict: 'none' }
  | { verdict: 'unscored'; statement: Statement }
  | { verdict: 'wait'; until: number }
  | { verdict: 'disagree'; statements: readonly Statement[] }
  | { verdict: 'take'; statement: Statement; finalAt?: number };

const minute = 60_000;
/**
 * How long one source's score waits for confirmation by another free source that follows the game, in ms. A score without the length of
 * play waits longer, because the other source is polled at least once an hour.
 */
const confirmationMs = { known: 10 * minute, unknown: 60 * minute };

/**
 * Weighs statements: docs/rules/games.md#several-sources. Two that agree count at once, a single one after its time to settle, and
 * contradicting ones not at all.
 * @param awaited whether another free source that follows the game may still report
 * @param suspendedUntil when a game still suspended becomes final as far as played; null: never
 */
export function verdictOn(
  statements: readonly Statement[],
  awaited: boolean,
  now: number,
  suspendedUntil: number | null = null,
): Verdict {
  if (suspendedUntil === null || suspendedUntil > now) return verdictOnEnds(statements, awaited, now);
  const suspended = new Set(
    statements.filter(({ state }) => state === 'suspended').map(({ source }) => source),
  );
  const ended = statements.map((statement) =>
    suspended.has(statement.source) ? asEnded(statement) : statement,
  );
  const verdict = verdictOnEnds(ended, awaited, now);
  if (verdict.verdict !== 'take' || !suspended.has(verdict.statement.source)) return verdict;
  return { ...verdict, finalAt: suspendedUntil };
}

function asEnded(statement: Statement): Statement {
  const note = statement.homeScore === null ? 'suspended' : statement.note;
  return { ...statement, state: 'final', played: 'shortened', note };
}

function verdictOnEnds(all: readonly Statement[], awaited: boolean, now: number): Verdict {
  const hadExtraTime = all.some(({ note }) => note === afterExtraTime);
  const statements = hadExtraTime ? all.filter((statement) => !isOfUnknownExtent(statement)) : all;
  const scored = statements.filter(({ state, homeScore }) => state === 'final' && homeScore !== null);
  const cancelled = statements.filter(({ state }) => state === 'cancelled');
  const ends = [...scored, ...cancelled].sort(byTrust);
  const [best] = ends;
  if (best === undefined) {
    const over = statements.find(({ state }) => state === 'final');
    return over === undefined ? { verdict: 'none' } : { verdict: 'unscored', statement: over };
  }
  const against = statements.filter((statement) => contradicts(best, statement));
  if (against.length > 0) return { verdict: 'disagree', statements: [best, ...against.sort(byTrust)] };
  if (ends.length > 1) return { verdict: 'take', statement: fullest(ends) };
  const confirmation = awaited ? confirmationMs[isOfUnknownExtent(best) ? 'unknown' : 'known'] : 0;
  const until = best.saidAt + Math.max(settleMs(best), confirmation);
  return until <= now ? { verdict: 'take', statement: best } : { verdict: 'wait', until };
}

/** Reports whether a score may include extra time or belong to a shortened game. */
function isOfUnknownExtent({ state, homeScore, played }: Statement): boolean {
  return state === 'final' && homeScore !== null && played === null;
}

function contradicts(best: Statement, statement: Statement): boolean {
  const { state } = statement;
  if (best.state === 'cancelled') return ['final', 'in_progress', 'suspended'].includes(state);
  if (state === 'final') return statement.homeScore !== null && !isSameEnd(best, statement);
  return ['cancelled', 'postponed', 'suspended'].includes(state);
}

function isSameEnd(one: Statement, other: Statement): boolean {
  const isSame = (a: unknown, b: unknown) => a === null || b === null || isDeepStrictEqual(a, b);
  return (
    one.homeScore === other.homeScore &&
    one.awayScore === other.awayScore &&
    isSame(one.sets, other.sets) &&
    isSame(one.played, other.played)
  );
}

/** Returns the statement with most fields among those that agree; on a tie, the most trusted one. */
function fullest(ends: readonly Statement[]): Statement {
  const known = ({ homeHalfScore, sets, played }: Statement) =>
    [homeHalfScore, sets, played].filter((each) => each !== null).length;
  return ends.reduce((best, one) => (known(one) > known(best) ? one : best));
}

function byTrust(one: Statement, other: Statement): number {
  return trustOf(one.source) - trustOf(other.source) || (one.source < other.source ? -1 : 1);
}

function offerOf(name: string): Source['offers']['scores'] {
  const declared: Source | undefined = sources.find((source) => source.name === name);
  return declared?.offers.scores;
}

function trustOf(source: string): number {
  return offerOf(source)?.trust ?? Number.MAX_SAFE_INTEGER;
}

function settleMs({ source, state }: Statement): number {
  return state === 'final' ? (offerOf(source)?.settleMs ?? 0) : 0;
}

/** Formats a statement, such as `espn says 17-24`, away before home. */
export function statementText({
  source,
  state,
  homeScore,
  awayScore,
  sets,
  played,
  periodsE3,
}: Statement): string {
  if (homeScore === null) return `${source} says ${state.replace('_', ' ')}`;
  const inSets = sets === null ? '' : ` (${sets.map(([home, away]) => `${away}-${home}`).join(', ')})`;
  const isPart = state === 'suspended' || played === 'shortened';
  const after = isPart && periodsE3 !== null ? ` after ${periodsE3 / 1000} periods` : '';
  const [before, behind] = state === 'suspended' ? ['suspended at ', ''] : ['', isPart ? ', shortened' : ''];
  return `${source} says ${before}${awayScore}-${homeScore}${inSets}${after}${behind}`;
}

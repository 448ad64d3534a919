import { isDeepStrictEqual } from 'node:util';
import type { Played } from '../rules/played.ts';
import type { Sets } from '../rules/sets.ts';
import { sources } from './index.ts';
import type { Source } from './source.ts';

/** What a source says of an event. `delayed` and `suspended` games go on; `postponed` ones have not begun, or begin again. */
export type EventState =
  | 'scheduled'
  | 'delayed'
  | 'in_progress'
  | 'suspended'
  | 'postponed'
  | 'cancelled'
  | 'final';

/** Notes of soccer matches that are over: no score of the 90 minutes is known, or nobody says that the score is of these only. */
export const afterExtraTime = 'after extra time';
export const maybeExtraTime = 'may include extra time';

/** What one source says became of a game, home and away as in the game's name. */
export interface Said {
  /** Name of the source. */
  source: string;
  state: EventState;
  /** Null with state `final`: over, without a score that picks may be graded by. */
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
  /** Since when it has said exactly this, in epoch milliseconds. */
  saidAt: number;
}

/**
 * What becomes of a game by all that is said of it. `none`: no source says that it ended; `wait`: not before that instant; `unscored`: it
 * ended, but no source has a score to grade by.
 */
export type Verdict =
  | { verdict: 'none' }
  | { verdict: 'unscored'; said: Said }
  | { verdict: 'wait'; until: number }
  | { verdict: 'disagree'; saids: readonly Said[] }
  | { verdict: 'take'; said: Said; finalAt?: number };

const minute = 60_000;
/**
 * How long the score of one source waits for that of another free one that follows the game, in milliseconds. One that does not say how
 * much was played waits longer: the other one is asked at least once an hour.
 */
const confirmationMs = { known: 10 * minute, unknown: 60 * minute };

/**
 * Weighs what sources say: docs/rules/games.md#several-sources. Two that agree are believed at once; one alone after its time to
 * settle; of two that contradict each other, neither.
 * @param awaited whether another free source that follows the game may still speak
 * @param suspendedUntil when the game is final as far as it was played, if it is suspended then; null: never
 */
export function verdictOn(
  saids: readonly Said[],
  awaited: boolean,
  now: number,
  suspendedUntil: number | null = null,
): Verdict {
  if (suspendedUntil === null || suspendedUntil > now) return verdictOnEnds(saids, awaited, now);
  const suspended = new Set(saids.filter(({ state }) => state === 'suspended').map(({ source }) => source));
  const ended = saids.map((said) => (suspended.has(said.source) ? asEnded(said) : said));
  const verdict = verdictOnEnds(ended, awaited, now);
  if (verdict.verdict !== 'take' || !suspended.has(verdict.said.source)) return verdict;
  return { ...verdict, finalAt: suspendedUntil };
}

function asEnded(said: Said): Said {
  const note = said.homeScore === null ? 'suspended' : said.note;
  return { ...said, state: 'final', played: 'shortened', note };
}

function verdictOnEnds(all: readonly Said[], awaited: boolean, now: number): Verdict {
  const hadExtraTime = all.some(({ note }) => note === afterExtraTime);
  const saids = hadExtraTime ? all.filter((said) => !isOfUnknownExtent(said)) : all;
  const scored = saids.filter(({ state, homeScore }) => state === 'final' && homeScore !== null);
  const cancelled = saids.filter(({ state }) => state === 'cancelled');
  const ends = [...scored, ...cancelled].sort(byTrust);
  const [best] = ends;
  if (best === undefined) {
    const over = saids.find(({ state }) => state === 'final');
    return over === undefined ? { verdict: 'none' } : { verdict: 'unscored', said: over };
  }
  const against = saids.filter((said) => contradicts(best, said));
  if (against.length > 0) return { verdict: 'disagree', saids: [best, ...against.sort(byTrust)] };
  if (ends.length > 1) return { verdict: 'take', said: fullest(ends) };
  const confirmation = awaited ? confirmationMs[isOfUnknownExtent(best) ? 'unknown' : 'known'] : 0;
  const until = best.saidAt + Math.max(settleMs(best), confirmation);
  return until <= now ? { verdict: 'take', said: best } : { verdict: 'wait', until };
}

/** A score that may include extra time, or be that of a shortened game. */
function isOfUnknownExtent({ state, homeScore, played }: Said): boolean {
  return state === 'final' && homeScore !== null && played === null;
}

function contradicts(best: Said, said: Said): boolean {
  const { state } = said;
  if (best.state === 'cancelled') return ['final', 'in_progress', 'suspended'].includes(state);
  if (state === 'final') return said.homeScore !== null && !isSameEnd(best, said);
  return ['cancelled', 'postponed', 'suspended'].includes(state);
}

function isSameEnd(one: Said, other: Said): boolean {
  const isSame = (a: unknown, b: unknown) => a === null || b === null || isDeepStrictEqual(a, b);
  return (
    one.homeScore === other.homeScore &&
    one.awayScore === other.awayScore &&
    isSame(one.sets, other.sets) &&
    isSame(one.played, other.played)
  );
}

/** Of those that agree: the most trusted one of those that say most. */
function fullest(ends: readonly Said[]): Said {
  const known = ({ homeHalfScore, sets, played }: Said) =>
    [homeHalfScore, sets, played].filter((each) => each !== null).length;
  return ends.reduce((best, one) => (known(one) > known(best) ? one : best));
}

function byTrust(one: Said, other: Said): number {
  return place(one.source) - place(other.source) || (one.source < other.source ? -1 : 1);
}

function offerOf(name: string): Source['offers']['scores'] {
  const declared: Source | undefined = sources.find((source) => source.name === name);
  return declared?.offers.scores;
}

function place(source: string): number {
  return offerOf(source)?.trust ?? Number.MAX_SAFE_INTEGER;
}

function settleMs({ source, state }: Said): number {
  return state === 'final' ? (offerOf(source)?.settleMs ?? 0) : 0;
}

/** What a source says, such as `espn says 17-24`, away before home. */
export function saidText({ source, state, homeScore, awayScore, sets, played, periodsE3 }: Said): string {
  if (homeScore === null) return `${source} says ${state.replace('_', ' ')}`;
  const inSets = sets === null ? '' : ` (${sets.map(([home, away]) => `${away}-${home}`).join(', ')})`;
  const isPart = state === 'suspended' || played === 'shortened';
  const after = isPart && periodsE3 !== null ? ` after ${periodsE3 / 1000} periods` : '';
  const [before, behind] = state === 'suspended' ? ['suspended at ', ''] : ['', isPart ? ', shortened' : ''];
  return `${source} says ${before}${awayScore}-${homeScore}${inSets}${after}${behind}`;
}

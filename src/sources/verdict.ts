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
  | { verdict: 'take'; said: Said };

/** How long the score of one source waits for that of another free one that follows the game, in milliseconds. */
const confirmationMs = 10 * 60_000;

/**
 * Weighs what sources say: docs/rules/games.md#several-sources. Two that agree are believed at once; one alone after its time to
 * settle; of two that contradict each other, neither.
 * @param awaited whether another free source that follows the game may still speak
 */
export function verdictOn(saids: readonly Said[], awaited: boolean, now: number): Verdict {
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
  const until = best.saidAt + Math.max(settleMs(best), awaited ? confirmationMs : 0);
  return until <= now ? { verdict: 'take', said: best } : { verdict: 'wait', until };
}

function contradicts(best: Said, { state, homeScore, awayScore }: Said): boolean {
  if (best.state === 'cancelled') return ['final', 'in_progress', 'suspended'].includes(state);
  if (state === 'final')
    return homeScore !== null && (homeScore !== best.homeScore || awayScore !== best.awayScore);
  return state === 'cancelled' || state === 'postponed';
}

/** Of those that agree: the most trusted one with the score of the first half, if any has it. */
function fullest(ends: readonly Said[]): Said {
  return ends.find(({ homeHalfScore }) => homeHalfScore !== null) ?? ends[0]!;
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

/** What a source says, such as `espn says 17-24`. */
export function saidText({ source, state, homeScore, awayScore }: Said): string {
  return `${source} says ${homeScore === null ? state.replace('_', ' ') : `${awayScore}-${homeScore}`}`;
}

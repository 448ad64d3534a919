import { closingAgeMs } from '../../rules/closing-snapshot.ts';
import type { Spending } from './budget.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How long before a start it is asked for the last time: late enough to be a closing price, early enough to ask again. */
export const leadMs = 4 * minute;

/** How far ahead calls are planned: the starts of a day share its credits. */
export const horizonMs = 24 * hour;

/** What a price is worth that is as old as a closing price may be, against one at the start. */
const worthOldest = 0.7;

/**
 * What a credit must add to be spent, in picks with a price of the start, where a credit a day comes and a credit a day is used. It falls with the
 * credits that come, and where fewer are used than come: they are kept for days with more games only as long as they are short.
 */
const gainAtOneADay = 3;
const mostGainAsked = 0.5;

/** What is kept for last calls before any credit goes to earlier prices, in times of what they usually need: some days need more. */
const keptFor = 1.5;

/** The least interval between calls for earlier prices of a sport. */
const earlierMs = 10 * minute;

/** Prices that picks need at the start of their game: of one market, by one kind of request. */
export interface Need {
  /** Sport key of the provider. */
  key: string;
  /** Event that is asked for alone; null where the answer for the whole sport has the market. */
  eventId: string | null;
  /** Market keys of the provider that are asked for together. */
  markets: readonly string[];
  /** Epoch milliseconds. */
  startsAt: number;
  /** How many picks a price closes. One that closes a pick less well counts in part. */
  picks: number;
  /** When it was asked for last, in epoch milliseconds; null: never. */
  askedAt: number | null;
}

/** A request for prices. */
export interface Call {
  key: string;
  eventId: string | null;
  markets: string[];
  /** When, in epoch milliseconds. */
  at: number;
  credits: number;
}

/** Part of a call: market keys that serve the same needs. */
interface Part {
  call: Omit<Call, 'markets' | 'credits'>;
  markets: readonly string[];
  needs: Need[];
  gain: number;
}

/**
 * The last calls before starts with picks on them, in the order in which they are due. A call prices all games of its sport, so starts
 * that follow one another share one. Where credits are short those calls come first that price most picks for a credit; a call shortly
 * before each start comes with more credits.
 * @param marketCredits credits that each market of a call costs
 */
export function planLastCalls(
  needs: readonly Need[],
  spending: Spending,
  marketCredits: number,
  now: number,
): Call[] {
  const pricedAt = new Map(needs.map((need) => [need, need.askedAt ?? Number.NEGATIVE_INFINITY]));
  const open = partsOf(needs, now);
  const gainOf = (part: Part) => gain(part, pricedAt) / (part.markets.length * marketCredits);
  for (const part of open) part.gain = gainOf(part);
  const leastGain = Math.max(leastGainOf(spending), Number.EPSILON);
  const chosen: Part[] = [];
  for (let left = spending.allowance; ; ) {
    const best = takeBest(open, gainOf);
    if (best === undefined || best.gain < leastGain) break;
    const credits = best.markets.length * marketCredits;
    if (credits > left) continue;
    left -= credits;
    chosen.push(best);
    for (const need of best.needs)
      if (best.call.at < need.startsAt) pricedAt.set(need, Math.max(pricedAt.get(need)!, best.call.at));
  }
  return merged(chosen, marketCredits);
}

/** What a credit must add to be spent, in picks. */
export function leastGainOf({ perDay, usualPerDay }: Spending): number {
  const isShort = Math.min(1, usualPerDay / Math.max(1, perDay));
  return Math.min(mostGainAsked, (gainAtOneADay / Math.max(1, perDay)) * isShort);
}

/** A sport with games in the next day. Instants in epoch milliseconds. */
export interface EarlierSubject {
  key: string;
  /** When its prices were asked for last; null: never. */
  askedAt: number | null;
  /** When the newest live pick on its games was posted; null: there is none. */
  pickedAt: number | null;
}

/** An event with live picks that no answer for a whole sport prices. Instants in epoch milliseconds. */
export interface UnseenEvent {
  key: string;
  eventId: string;
  /** Market keys of the provider that are asked for together. */
  markets: readonly string[];
  /** When they were asked for last; null: never. */
  askedAt: number | null;
  /** When the newest of the picks was posted. */
  pickedAt: number;
  picks: number;
}

/** What is planned, and the credits that it leaves. */
export interface Plan {
  last: Call[];
  earlier: Call[];
  left: number;
}

/**
 * The calls of the next day: the last ones before starts with picks on them and, with credits that these leave, calls for earlier prices,
 * spread evenly over the day and the sports. New picks that no price was seen for come first, those of single events before others:
 * docs/rules/prices.md#price-sources.
 * @param unseen single events to ask for as far as credits are spare, those with most picks for a credit first
 * @param markets market keys to ask for earlier
 * @param marketCredits credits that each market of a call costs
 */
export function planCalls(
  needs: readonly Need[],
  subjects: readonly EarlierSubject[],
  unseen: readonly UnseenEvent[],
  markets: readonly string[],
  spending: Spending,
  marketCredits: number,
  now: number,
): Plan {
  const last = planLastCalls(needs, spending, marketCredits, now);
  const planned = last.reduce((sum, call) => sum + call.credits, 0);
  const left = spending.allowance - planned;
  let spare =
    Math.min(spending.allowance, spending.perDay) - keptFor * Math.max(planned, spending.usualPerDay);
  const single: Call[] = [];
  for (const event of unseen.toSorted((a, b) => b.picks / b.markets.length - a.picks / a.markets.length)) {
    const cost = event.markets.length * marketCredits;
    if (cost > spare) continue;
    spare -= cost;
    const at = event.askedAt === null ? now : Math.max(now, event.askedAt + earlierMs);
    single.push({ key: event.key, eventId: event.eventId, markets: [...event.markets], at, credits: cost });
  }
  const credits = markets.length * marketCredits;
  const callsADay = spare / Math.max(1, subjects.length * credits);
  if (callsADay < 1) return { last, earlier: single, left };
  const every = Math.max(earlierMs, horizonMs / callsADay);
  const earlier = subjects.map(({ key, askedAt, pickedAt }) => ({
    key,
    eventId: null,
    markets: [...markets],
    at:
      askedAt === null
        ? now
        : Math.max(now, Math.round(askedAt + (pickedAt !== null && pickedAt > askedAt ? earlierMs : every))),
    credits,
  }));
  return { last, earlier: [...single, ...earlier], left };
}

function partsOf(needs: readonly Need[], now: number): Part[] {
  const bySubject = Map.groupBy(needs, ({ key, eventId, markets }) => [key, eventId, ...markets].join(' '));
  return [...bySubject.values()].flatMap((same) => {
    const { key, eventId, markets } = same[0]!;
    const times = new Set(same.map(({ startsAt }) => Math.max(now, startsAt - leadMs)));
    return [...times].map((at) => ({
      call: { key, eventId, at },
      markets,
      needs: same.filter(({ startsAt }) => startsAt > at && startsAt - at <= closingAgeMs),
      gain: 0,
    }));
  });
}

function gain({ call, needs }: Part, pricedAt: ReadonlyMap<Need, number>): number {
  let sum = 0;
  for (const need of needs) {
    const before = pricedAt.get(need)!;
    if (before < call.at)
      sum += need.picks * (worth(need.startsAt - call.at) - worth(need.startsAt - before));
  }
  return sum;
}

/** What a price of this age at the start is worth, of 1. */
function worth(ageMs: number): number {
  if (ageMs > closingAgeMs) return 0;
  return 1 - (1 - worthOldest) * (ageMs / closingAgeMs);
}

/**
 * Removes and returns the part that gains most. What a part gains only falls as others are chosen: one that is still first after it was
 * computed again is the best.
 */
function takeBest(open: Part[], gainOf: (part: Part) => number): Part | undefined {
  for (;;) {
    let first = -1;
    open.forEach((part, index) => {
      if (first < 0 || before(part, open[first]!)) first = index;
    });
    const best = open[first];
    if (best === undefined) return undefined;
    const known = best.gain;
    best.gain = gainOf(best);
    if (best.gain < known) continue;
    open.splice(first, 1);
    return best;
  }
}

function before(one: Part, other: Part): boolean {
  return (other.gain - one.gain || one.call.at - other.call.at) < 0;
}

/** The answer for a whole sport comes first: it may make that for an event needless. */
function byTime(a: Call, b: Call): number {
  return a.at - b.at || Number(a.eventId !== null) - Number(b.eventId !== null) || (a.key < b.key ? -1 : 1);
}

function merged(parts: readonly Part[], marketCredits: number): Call[] {
  const byCall = Map.groupBy(parts, ({ call }) => [call.key, call.eventId, call.at].join(' '));
  return [...byCall.values()]
    .map((same) => {
      const markets = [...new Set(same.flatMap((part) => part.markets))].sort();
      return { ...same[0]!.call, markets, credits: markets.length * marketCredits };
    })
    .sort(byTime);
}

import { closingAgeMs } from '../../rules/closing-snapshot.ts';
import { horizonMs, type Spending, spareCredits } from './credits.ts';

const minute = 60_000;

/** How long before a start the last call is made, in ms: late enough for a closing price, early enough for a retry. */
export const leadMs = 4 * minute;

/** Value of a price of the greatest closing age, relative to one at the start. */
const worthOldest = 0.7;

/**
 * Minimum gain of a spent credit, in picks with a price at the start, at one credit per day received and used. It falls with more credits,
 * and if fewer are used than received: saving for days with more games makes sense only while credits are short. {@link mostGainAsked} caps
 * it.
 */
const gainAtOneADay = 3;
const mostGainAsked = 0.5;

/** Shortest interval between calls for earlier prices of a sport, in ms. */
const earlierMs = 10 * minute;

/** Prices that picks need at the start of their game, of one market, from one kind of request. */
export interface Need {
  /** Sport key of the provider. */
  key: string;
  /** Event to request separately; null if the answer for the whole sport has the market. */
  eventId: string | null;
  /** Market keys of the provider that are requested together. */
  markets: readonly string[];
  startsAt: EpochMs;
  /** Number of picks that a price closes. A price that closes a pick less well counts in part. */
  picks: number;
  /** Last request; null: never. */
  askedAt: EpochMs | null;
}

export interface Call {
  key: string;
  eventId: string | null;
  markets: string[];
  /** Planned time. */
  at: EpochMs;
  credits: number;
}

/** Part of a call: market keys that serve the same needs. */
interface Part {
  call: Omit<Call, 'markets' | 'credits'>;
  markets: readonly string[];
  needs: Need[];
}

/**
 * Plans the last calls before starts with picks, by due time. A call prices all games of its sport, so consecutive starts share one. If
 * credits are short, calls that price most picks per credit come first. With more credits, each start gets its own call shortly before it.
 * @param marketCredits credits per market of a call
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
  const leastGain = Math.max(leastGainOf(spending), Number.EPSILON);
  const chosen: Part[] = [];
  for (let left = spending.allowance; ; ) {
    // Each chosen call lowers the gains of others.
    const gains = open.map((part) => ({ part, gain: gainOf(part) }));
    const [best] = gains.sort((one, other) => other.gain - one.gain || one.part.call.at - other.part.call.at);
    if (best === undefined || best.gain < leastGain) break;
    const { part } = best;
    open.splice(open.indexOf(part), 1);
    const credits = part.markets.length * marketCredits;
    if (credits > left) continue;
    left -= credits;
    chosen.push(part);
    for (const need of part.needs)
      if (part.call.at < need.startsAt) pricedAt.set(need, Math.max(pricedAt.get(need)!, part.call.at));
  }
  return merged(chosen, marketCredits);
}

/** Returns the minimum gain of a spent credit, in picks. */
export function leastGainOf({ perDay, usualPerDay }: Spending): number {
  const isShort = Math.min(1, usualPerDay / Math.max(1, perDay));
  return Math.min(mostGainAsked, (gainAtOneADay / Math.max(1, perDay)) * isShort);
}

/** A sport with games in the next day. Instants in epoch milliseconds. */
export interface EarlierSubject {
  key: string;
  /** Last request of its prices; null: never. */
  askedAt: number | null;
  /** Live picks whose selection had no price within 15 minutes before them; null: none. */
  unpriced: UnpricedPicks | null;
}

/** When the newest of some picks was posted, the market keys of all of them, and when these were last requested; null: never. */
export interface UnpricedPicks {
  pickedAt: number;
  markets: readonly string[];
  askedAt: number | null;
}

/** An event with live picks that no answer for a whole sport prices. Instants in epoch milliseconds. */
export interface UnseenEvent {
  key: string;
  eventId: string;
  /** Market keys of the provider that are requested together. */
  markets: readonly string[];
  /** Last request; null: never. */
  askedAt: number | null;
  /** Posting time of the newest pick. */
  pickedAt: number;
  picks: number;
}

/** Planned calls, and the credits they leave. */
export interface Plan {
  last: Call[];
  earlier: Call[];
  left: number;
}

/**
 * Plans the calls of the next day. Last calls before starts with picks come first. Calls for earlier prices use the credits that these
 * leave, spread evenly over the day and the sports. New picks without a price come first, at once, and among them those of single
 * events: docs/rules/prices.md#price-sources.
 * @param unseen single events to request with spare credits, most picks per credit first
 * @param markets market keys of earlier calls
 * @param marketCredits credits per market of a call
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
  let spare = spareCredits(spending, planned);
  const single: Call[] = [];
  for (const event of unseen.toSorted((a, b) => b.picks / b.markets.length - a.picks / a.markets.length)) {
    const cost = event.markets.length * marketCredits;
    if (cost > spare) continue;
    spare -= cost;
    const at = event.askedAt === null ? now : Math.max(now, event.askedAt + earlierMs);
    single.push({ key: event.key, eventId: event.eventId, markets: [...event.markets], at, credits: cost });
  }
  // A call for new picks takes only their markets, so that it fits into what few credits are left.
  const forPicks = subjects.flatMap(({ key, unpriced }): Call[] => {
    if (unpriced === null) return [];
    const { pickedAt, markets: own, askedAt } = unpriced;
    const cost = own.length * marketCredits;
    if (cost > spare || (askedAt !== null && askedAt >= pickedAt)) return [];
    spare -= cost;
    const at = askedAt === null ? now : Math.max(now, askedAt + earlierMs);
    return [{ key, eventId: null, markets: [...own], at, credits: cost }];
  });
  const credits = markets.length * marketCredits;
  const callsADay = spare / Math.max(1, subjects.length * credits);
  const every = Math.max(earlierMs, horizonMs / callsADay);
  const spread = subjects.map(({ key, askedAt }) => ({
    key,
    eventId: null,
    markets: [...markets],
    credits,
    at: askedAt === null ? now : Math.max(now, Math.round(askedAt + every)),
  }));
  return { last, earlier: [...forPicks, ...single, ...(callsADay < 1 ? [] : spread)], left };
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

/** Returns the value of a price of this age at the start, from 0 to 1. */
function worth(ageMs: number): number {
  if (ageMs > closingAgeMs) return 0;
  return 1 - (1 - worthOldest) * (ageMs / closingAgeMs);
}

/** Orders by time. The answer for a whole sport comes first: it may make one for an event unnecessary. */
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

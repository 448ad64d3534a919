import { closingAgeMs } from '../../../src/rules/closing-snapshot.ts';
import { type Budget, horizonMs, spending } from '../../../src/sources/odds-api/credits.ts';
import { type EarlierSubject, type Need, planCalls } from '../../../src/sources/odds-api/plan.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
export const begin = Date.parse('2026-01-01T05:00:00Z');

interface Start {
  key: string;
  startsAt: number;
  /** Picks by market key, with the instant at which each was posted. */
  picks: { market: string; postedAt: number }[];
}

/** Returns random numbers from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Local times of starts in the eastern United States (`HH:MM`), with the maximum number of games, by day of the week. */
type Slots = Readonly<Record<string, number>>;
interface Season {
  key: string;
  slots: (weekday: number, dayOfMonth: number) => Slots;
  /** The share of its games with picks. */
  picked: number;
}

const weekend = (weekday: number) => weekday === 0 || weekday === 6;

/** The sports in season in January, at the times at which their leagues play. Saturday is 6, Sunday 0. */
const seasons: readonly Season[] = [
  {
    key: 'basketball_nba',
    picked: 0.9,
    slots: (weekday, date) => {
      if (date === 19)
        return { '13:00': 1, '14:30': 1, '15:00': 1, '17:00': 1, '18:00': 1, '20:00': 2, '22:30': 1 };
      if (weekday === 4) return { '19:30': 2, '20:00': 1, '22:00': 2 };
      if (weekday === 0) return { '15:30': 2, '18:00': 3, '19:00': 1, '21:00': 1 };
      if (weekday === 6) return { '17:00': 1, '19:00': 3, '20:00': 3, '20:30': 1, '22:00': 1 };
      return { '19:00': 3, '19:30': 2, '20:00': 2, '21:00': 1, '22:00': 1, '22:30': 1 };
    },
  },
  {
    key: 'icehockey_nhl',
    picked: 0.85,
    slots: (weekday) => {
      if (weekday === 6) return { '13:00': 2, '16:00': 1, '19:00': 5, '20:00': 1, '22:00': 2 };
      if (weekday === 2 || weekday === 4)
        return { '19:00': 5, '19:30': 1, '20:00': 2, '21:00': 2, '22:00': 2 };
      if (weekday === 0) return { '13:00': 1, '15:00': 1, '17:00': 1, '19:00': 1 };
      return { '19:00': 2, '19:30': 1, '22:00': 1 };
    },
  },
  {
    key: 'basketball_ncaab',
    picked: 0.33,
    slots: (weekday) => {
      if (weekday === 6)
        return {
          '12:00': 6,
          '13:00': 6,
          '14:00': 8,
          '15:30': 4,
          '16:00': 8,
          '18:00': 6,
          '20:00': 5,
          '22:00': 3,
        };
      if (weekday === 2 || weekday === 3)
        return { '18:30': 3, '19:00': 12, '20:00': 5, '21:00': 6, '23:00': 1 };
      if (weekday === 4) return { '19:00': 6, '21:00': 3, '22:00': 3 };
      return { '18:00': 1, '19:00': 3, '21:00': 2 };
    },
  },
  {
    key: 'soccer_epl',
    picked: 0.95,
    slots: (weekday, date) => {
      if (weekday === 6) return { '07:30': 1, '10:00': 4, '12:30': 1 };
      if (weekday === 0) return { '09:00': 2, '11:30': 1 };
      if (date === 6 || date === 7) return { '14:30': 3, '15:15': 2 };
      return weekday === 1 ? { '15:00': 1 } : {};
    },
  },
  {
    key: 'americanfootball_nfl',
    picked: 1,
    slots: (weekday, date) => {
      if (date === 3) return { '16:30': 1, '20:00': 1 };
      if (date === 4) return { '13:00': 7, '16:25': 6, '20:20': 1 };
      if (date === 12) return { '20:15': 1 };
      if (date > 9 && date < 19 && weekend(weekday)) return { '13:00': 1, '16:30': 1, '20:00': 1 };
      return date === 25 ? { '15:00': 1, '18:30': 1 } : {};
    },
  },
  {
    key: 'americanfootball_ncaaf',
    picked: 1,
    slots: (_weekday, date) =>
      date === 1
        ? { '12:00': 1, '16:00': 1, '20:00': 1 }
        : date === 2
          ? { '13:00': 1, '16:30': 1, '20:00': 1 }
          : {},
  },
];

/**
 * Returns a January with picks on exactly `count` starts, the same for the same seed. Fictional, at the times at which the leagues play.
 */
export function januaryWithPicks(count = 694, seed = 16): Start[] {
  const random = seeded(seed);
  const starts: Start[] = [];
  for (let date = 1; date <= 31; date++) {
    const midnight = begin + (date - 1) * day;
    const weekday = new Date(midnight).getUTCDay();
    for (const { key, slots, picked } of seasons)
      for (const [time, games] of Object.entries(slots(weekday, date)))
        for (let game = 0; game < games; game++) {
          if (random() > picked) continue;
          const [hours, minutes] = time.split(':').map(Number) as [number, number];
          // Basketball tips off ten minutes after the hour; other starts are as announced.
          const late = key === 'basketball_nba' ? 10 * minute : 0;
          const startsAt = midnight + hours * hour + minutes * minute + late;
          starts.push({ key, startsAt, picks: picksOf(startsAt, random) });
        }
  }
  while (starts.length > count) starts.splice(Math.floor(random() * starts.length), 1);
  if (starts.length < count) throw new Error(`only ${starts.length} starts`);
  return starts.sort((a, b) => a.startsAt - b.startsAt);
}

function picksOf(startsAt: number, random: () => number): Start['picks'] {
  const number = 1 + Math.floor(random() ** 2 * 4);
  return Array.from({ length: number }, () => {
    const of = random();
    const market = of < 0.4 ? 'h2h' : of < 0.8 ? 'spreads' : 'totals';
    return { market, postedAt: startsAt - Math.floor((0.2 + random() ** 2 * 20) * hour) };
  });
}

export interface Month {
  starts: number;
  /** Starts all of whose picks had a price of their market within six hours before the start. */
  priced: number;
  /** Starts all of whose picks had such a price within 30 minutes, and within 10, before the start. */
  within30: number;
  within10: number;
  picks: number;
  picksPriced: number;
  /** The median age of the priced picks' prices, in minutes. */
  medianMinutes: number;
  lastCalls: number;
  earlierCalls: number;
  spent: number;
}

/** Plays a month with the planner, minute by minute when something is due. */
export function playMonth(starts: readonly Start[], credits: number, regions: number): Month {
  const end = begin + 31 * day;
  let remaining = credits;
  let lastCalls = 0;
  let earlierCalls = 0;
  const askedAt = new Map<string, number>();
  const from = Date.parse('2026-01-01T00:00:00Z');
  const spent: { at: number; credits: number }[] = [];
  const ages = starts.map(() => new Map<string, number>());
  for (let now = begin; now < end; ) {
    const budget: Budget = { remaining, used: credits - remaining, from, atStart: credits };
    const needs = needsAt(starts, askedAt, now);
    const lately = spent.filter(({ at }) => at > now - 7 * day);
    const days = lately.length === 0 ? 1 : Math.max(1, (now - lately[0]!.at) / day);
    const usual = lately.reduce((sum, each) => sum + each.credits, 0) / days;
    const budgeted = spending(budget, usual, now);
    const { last, earlier } = planCalls(
      needs,
      subjectsAt(starts, askedAt, now),
      [],
      featured,
      budgeted,
      regions,
      now,
    );
    const isLast = new Set(last);
    const plan = [...last, ...earlier].sort((a, b) => a.at - b.at);
    for (const call of plan.filter(({ at }) => at <= now)) {
      remaining -= call.credits;
      if (isLast.has(call)) {
        lastCalls += 1;
        spent.push({ at: now, credits: call.credits });
      } else earlierCalls += 1;
      for (const market of call.markets) askedAt.set(`${call.key} ${market}`, now);
      starts.forEach((start, index) => {
        if (start.key === call.key && start.startsAt > now)
          for (const market of call.markets) ages[index]!.set(market, start.startsAt - now);
      });
    }
    const nextCall = plan.find(({ at }) => at > now)?.at ?? end;
    now = Math.min(nextCall, now + 10 * minute);
  }
  const oldest = starts.map(({ picks }, index) =>
    Math.max(...picks.map(({ market }) => ages[index]!.get(market) ?? Number.POSITIVE_INFINITY)),
  );
  const pickAges = starts.flatMap(({ picks }, index) =>
    picks.map(({ market }) => ages[index]!.get(market) ?? Number.POSITIVE_INFINITY),
  );
  const priced = pickAges.filter((age) => age <= closingAgeMs).sort((a, b) => a - b);
  const within = (ms: number) => oldest.filter((age) => age <= ms).length;
  return {
    starts: starts.length,
    priced: within(closingAgeMs),
    within30: within(30 * minute),
    within10: within(10 * minute),
    picks: pickAges.length,
    picksPriced: priced.length,
    medianMinutes: Math.round((priced[priced.length >> 1] ?? 0) / minute),
    lastCalls,
    earlierCalls,
    spent: credits - remaining,
  };
}

const featured = ['h2h', 'spreads', 'totals'];

function subjectsAt(
  starts: readonly Start[],
  askedAt: ReadonlyMap<string, number>,
  now: number,
): EarlierSubject[] {
  const soon = starts.filter(({ startsAt }) => startsAt > now && startsAt <= now + horizonMs);
  return [...new Set(soon.map(({ key }) => key))].map((key) => {
    const times = featured.map((market) => askedAt.get(`${key} ${market}`) ?? null);
    return {
      key,
      askedAt: times.includes(null) ? null : Math.min(...(times as number[])),
      unpriced: null,
    };
  });
}

function needsAt(starts: readonly Start[], askedAt: ReadonlyMap<string, number>, now: number): Need[] {
  return starts.flatMap(({ key, startsAt, picks }) => {
    if (startsAt <= now || startsAt > now + horizonMs) return [];
    const posted = picks.filter(({ postedAt }) => postedAt <= now);
    return [...Map.groupBy(posted, ({ market }) => market)].map(([market, same]) => ({
      key,
      eventId: null,
      markets: [market],
      startsAt,
      picks: same.length,
      askedAt: askedAt.get(`${key} ${market}`) ?? null,
    }));
  });
}

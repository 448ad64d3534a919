import { hotStreaks, latestInstants } from './boards-sharp.ts';
import { pickOfTheDay } from './confidence.ts';
import { activeGroups } from './consensus.ts';
import { DAY, dayBefore, etDay, HOUR, iso } from './days.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import { byStart, newestFirst, pickList, startOrder, wholeList } from './pick-body.ts';
import { bounded, type Query } from './query.ts';
import type { Tier } from './read.ts';
import { recordOf, settledIn, settledOnly } from './record.ts';

/** The sport keys that every service knows. An operator may have added others. */
export const SPORTS = 'mlb mma nba ncaab ncaaf nfl nhl soccer tennis wnba'.split(' ');

const ofSport = (picks: LedgerPick[], sport: string | undefined): LedgerPick[] =>
  picks.filter((pick) => sport === undefined || pick.sport === sport);

const onSlate = (state: LedgerState, sport?: string): LedgerPick[] =>
  ofSport(state.picks, sport).filter((pick) => pick.slate === state.today);

/** Returns the teams in the name of a game. */
export const sidesOf = (game: string): string[] => game.split(/ (?:@|vs) /);

const narrowed = (picks: LedgerPick[], { sport, capper_handle, market, team, player }: Query): LedgerPick[] =>
  ofSport(picks, sport)
    .filter((pick) => capper_handle === undefined || pick.capperHandle === capper_handle)
    .filter((pick) => market === undefined || pick.market === market)
    .filter(({ subject }) => player === undefined || subject === player)
    .filter(({ game }) => team === undefined || sidesOf(game).includes(team));

/** `/api/feed/picks`: picks of cappers verified today. */
export function feedPicks(state: LedgerState, params: Query = {}) {
  const verified = state.cappers.filter((capper) => capper.verified).map(({ handle }) => handle);
  const [, at = '', uuid = ''] = /^(\d+)-(.*)$/.exec(String(params.cursor ?? '')) ?? [];
  const picks = ofSport(state.picks, params.sport)
    .filter((pick) => verified.includes(pick.capperHandle))
    .filter(
      (pick) => at === '' || pick.postedAt < Number(at) || (pick.postedAt === Number(at) && pick.uuid > uuid),
    );
  const page = pickList(state, picks.sort(newestFirst), 100);
  const last = picks[99];
  return { ...page, nextCursor: picks.length > 100 ? `${last!.postedAt}-${last!.uuid}` : null };
}

/** `/api/feed/today`. */
export const feedToday = (state: LedgerState, params: Query = {}) => ({
  day: state.today,
  ...wholeList(state, narrowed(onSlate(state), params).sort(byStart)),
});

/** `/api/feed/upcoming`. */
export function feedUpcoming(state: LedgerState, params: Query = {}) {
  const until = state.now + bounded(params.hours, 4, 24) * HOUR;
  const picks = narrowed(state.picks, params).filter(
    ({ start, status }) => start !== null && start > state.now && start <= until && status === 'pending',
  );
  return pickList(state, picks.sort(byStart));
}

/** `/api/games/today`: the games of the slate's picks; `tiers` counts different cappers. */
export function gamesToday(state: LedgerState, params: Query = {}) {
  const slate = onSlate(state, params.sport);
  const games = [...new Set(slate.map((pick) => pick.gameKey))]
    .map((key) => slate.filter((pick) => pick.gameKey === key))
    .sort(
      ([a], [b]) =>
        startOrder(a!, b!) ||
        byText(a!.sport, b!.sport) ||
        byText(a!.game, b!.game) ||
        (a!.announced ?? 0) - (b!.announced ?? 0),
    )
    .map((picks) => {
      const cappers = (tier?: Tier | undefined): number =>
        new Set(picks.filter((pick) => !tier || pick.capperTier === tier).map((pick) => pick.capperHandle))
          .size;
      const { sport, game, gameId, start, day } = picks[0]!;
      return {
        gameId,
        sport,
        game,
        startsAt: iso(start),
        day,
        pickCount: picks.length,
        capperCount: cappers(),
        marketCount: new Set(picks.map((pick) => pick.market)).size,
        tiers: {
          elite: cappers('elite'),
          verified_sharp: cappers('verified_sharp'),
          listed: cappers('listed'),
        },
      };
    });
  return { day: state.today, count: games.length, games };
}

/** `/api/feed/settled`. */
export function feedSettled(state: LedgerState, params: Query = {}) {
  const picks = settledOnly(ofSport(state.picks, params.sport)).sort(
    (a, b) => b.settledAt! - a.settledAt! || newestFirst(a, b),
  );
  return pickList(state, picks, bounded(params.limit, 100, 200));
}

/** `/api/feed/by-tier`: by the tier at post time. */
export function feedByTier(state: LedgerState, params: Query & { tier: Tier }) {
  const picks = ofSport(state.picks, params.sport).filter((pick) => pick.capperTier === params.tier);
  return pickList(state, picks.sort(newestFirst), bounded(params.limit, 50, 200));
}

const postedSince = (picks: LedgerPick[], first: string): LedgerPick[] =>
  picks.filter((pick) => etDay(pick.postedAt) >= first);

/** `/api/sports`, without `label` and `links`. */
export function sports(state: LedgerState) {
  return {
    count: SPORTS.length,
    sports: SPORTS.map((sport) => {
      const picks = ofSport(state.picks, sport);
      return {
        sport,
        picks7d: postedSince(picks, dayBefore(state.today, 6)).length,
        record30d: recordOf(settledIn(state, picks, '30d')),
      };
    }),
  };
}

/** `/api/markets`: the pairs with a pick in the window. */
export function markets(state: LedgerState, params: Query = {}) {
  const recent = postedSince(state.picks, dayBefore(state.today, bounded(params.days, 30, 90) - 1));
  const pairs = new Map<string, LedgerPick[]>();
  for (const pick of recent) {
    const key = `${pick.sport} ${pick.market}`;
    pairs.set(key, [...(pairs.get(key) ?? []), pick]);
  }
  const list = [...pairs.values()]
    .map((picks) => ({
      sport: picks[0]!.sport,
      market: picks[0]!.market,
      picks: picks.length,
      lastPostedAt: iso(picks.at(-1)!.postedAt),
    }))
    .sort((a, b) => byText(a.sport, b.sport) || byText(a.market, b.market));
  return { count: list.length, markets: list };
}

/** `/api/snapshot`. */
export const snapshot = (state: LedgerState) => ({
  consensusGroups: activeGroups(state).length,
  hotStreaks: hotStreaks(state).length,
  hasPickOfTheDay: pickOfTheDay(state) !== null,
  ...latestInstants(state, state.picks),
});

/** `/api/snapshot/sport/:sport`. */
export function snapshotOfSport(state: LedgerState, params: { sport: string }) {
  const picks = ofSport(state.picks, params.sport);
  const elite = picks.filter((pick) => pick.capperTier === 'elite' && pick.postedAt >= state.now - DAY);
  return {
    consensusGroups: activeGroups(state, params.sport).length,
    hotStreaks: hotStreaks(state).filter((hot) => hot.sports.includes(params.sport)).length,
    hasPickOfTheDay: pickOfTheDay(state)?.pick.sport === params.sport,
    ...latestInstants(state, picks),
    eliteCappers24h: new Set(elite.map((pick) => pick.capperHandle)).size,
    picksToday: onSlate(state, params.sport).length,
  };
}

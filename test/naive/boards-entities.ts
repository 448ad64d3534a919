import { sidesOf } from './boards-feeds.ts';
import { leaderboard, leaders } from './boards-leaderboards.ts';
import { bestNow } from './boards-picks.ts';
import { today } from './boards-sharp.ts';
import { iso } from './days.ts';
import { gameKey, instant } from './identity.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import { byStart, newestFirst, pickBody } from './pick-body.ts';
import { recordOf, settledOnly } from './record.ts';

/** Returns a name's letters and digits, without case and accents. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

const open = (state: LedgerState, picks: LedgerPick[]) =>
  picks
    .filter(({ status }) => status === 'pending')
    .sort(byStart)
    .slice(0, 100)
    .map((pick) => ({ ...pickBody(state, pick), best: bestNow(state, pick) }));

const cappers = (state: LedgerState, picks: LedgerPick[], sport: string) => {
  const ofCapper = (handle: string) => picks.filter((pick) => pick.capperHandle === handle);
  return leaders(state, ofCapper, sport);
};

interface OfEntity {
  sport: string;
  name: string;
}

/** `/api/players/:sport/:name`. */
export function player(state: LedgerState, { sport, name }: OfEntity) {
  const picks = state.picks.filter(
    (pick) =>
      pick.sport === sport &&
      /^(player|batter|pitcher)_/.test(pick.market) &&
      plain(pick.subject ?? '') === plain(name),
  );
  const settled = settledOnly(picks).sort((a, b) => b.settledAt! - a.settledAt! || newestFirst(a, b));
  return {
    sport,
    name: [...picks].sort(newestFirst)[0]!.subject,
    open: open(state, picks),
    markets: [...new Set(settled.map(({ market }) => market))]
      .map((market) => ({ market, ...recordOf(settled.filter((pick) => pick.market === market)) }))
      .sort((a, b) => b.picks - a.picks || byText(a.market, b.market)),
    results: settled.slice(0, 20).map((pick) => ({
      ...pickBody(state, pick),
      actual: pick.settlement?.stat?.value ?? null,
    })),
    cappers: cappers(state, settled, sport),
  };
}

/** `/api/teams/:sport/:name`, of a team whose name is that in its games. */
export function team(state: LedgerState, { sport, name }: OfEntity) {
  const games = state.games
    .filter(
      (game) => game.sport === sport && sidesOf(game.game).includes(name) && !state.joined.has(gameKey(game)),
    )
    .map((game) => ({
      id: state.ids.gameIdOf(gameKey(game)),
      row: game,
      start: instant(game.movedTo ?? game.startsAt),
      ended: game.status === 'final' && endOf(game) <= state.now,
    }));
  const start = (game: (typeof games)[0]) => game.start ?? Number.MAX_SAFE_INTEGER;
  const shown = ({ id, row, start: at, ended }: (typeof games)[0]) => ({
    id,
    game: row.game,
    startsAt: iso(at),
    day: row.day ?? null,
    status: ended ? 'final' : 'scheduled',
    awayScore: ended ? row.awayScore : null,
    homeScore: ended ? row.homeScore : null,
  });
  const next = games
    .filter(
      (game) =>
        (endOf(game.row) > state.now || game.row.status === 'scheduled') &&
        (game.start === null ? (game.row.day ?? state.today) >= state.today : game.start > state.now),
    )
    .sort((a, b) => start(a) - start(b) || a.id - b.id)
    .slice(0, 5);
  const last = games
    .filter(({ ended }) => ended)
    .sort((a, b) => start(b) - start(a) || b.id - a.id)
    .slice(0, 5);
  const picks = state.picks.filter((pick) => pick.sport === sport && sidesOf(pick.game).includes(name));
  const sided = settledOnly(picks).filter(({ side }) => ['home', 'away'].includes(side));
  const backs = ({ game, side }: LedgerPick) => sidesOf(game)[side === 'home' ? 1 : 0] === name;
  return {
    sport,
    name,
    coming: next.map(shown),
    played: last.map(shown),
    open: open(
      state,
      picks.filter(({ gameId }) => next.some(({ id }) => id === gameId)),
    ),
    backing: recordOf(sided.filter(backs)),
    against: recordOf(sided.filter((pick) => !backs(pick))),
    cappers: cappers(state, sided, sport),
  };
}

/** Returns when the outcome of a game is known. */
function endOf(game: LedgerState['games'][0]): number {
  const start = instant(game.movedTo ?? game.startsAt) ?? Number.POSITIVE_INFINITY;
  return game.status === 'postponed' ? start : (instant(game.finalAt) ?? start + 3 * 3_600_000);
}

/** `/api/markets/:sport/:market`, over the picks of that market. */
export function market(state: LedgerState, { sport, market: name }: { sport: string; market: string }) {
  return {
    sport,
    market: name,
    groups: today(state, { sport }).groups,
    cappers: leaderboard(state, { sport, market: name, limit: 10 }).cappers,
    open: state.picks
      .filter((pick) => pick.sport === sport && pick.slate === state.today)
      .sort(byStart)
      .map((pick) => pickBody(state, pick)),
  };
}

import { rosterRow } from './boards-leaderboards.ts';
import { HOUR, iso } from './days.ts';
import { gameKey, instant } from './identity.ts';
import { byText, type LedgerState } from './ledger.ts';
import { pickBody } from './pick-body.ts';

const words = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .split(/[^a-z0-9\u0080-\uffff]+/u)
    .filter(Boolean);

/** Reports whether each word of a query is the prefix of a word in the name. A single letter must be a whole word. */
const matches = (name: string, query: string): boolean => {
  const known = words(name);
  return words(query).every((word) =>
    known.some((other) => (word.length === 1 ? other === word : other.startsWith(word))),
  );
};

const tiers = ['elite', 'verified_sharp', 'listed'];

/** `/api/search` without other names of teams, hashes, and suggestions. */
export function search(state: LedgerState, params: { q?: unknown }) {
  const text = String(params.q).trim().toLowerCase();
  const named =
    words(text).length === 0
      ? []
      : state.cappers.filter(({ handle }) => matches(handle, text) || handle === text);
  const place = ({ handle, tier }: (typeof named)[0]) => (handle === text ? -1 : tiers.indexOf(tier));
  named.sort((a, b) => place(a) - place(b) || byText(a.handle, b.handle));

  const games = words(text).length === 0 ? [] : state.games.filter(({ game }) => matches(game, text));
  const startOf = (game: (typeof games)[0]) => instant(game.movedTo ?? game.startsAt);
  /** Reports whether a game's outcome is known by now. */
  const hasCome = (game: (typeof games)[0]) => {
    const start = startOf(game) ?? Number.POSITIVE_INFINITY;
    const end = game.status === 'postponed' ? start : (instant(game.finalAt) ?? start + 3 * HOUR);
    return end <= state.now;
  };
  const idOf = (game: (typeof games)[0]) => state.ids.gameIdOf(gameKey(game));
  const known = games.filter((game) => startOf(game) !== null);
  const coming = [
    ...known
      .filter((game) => startOf(game)! > state.now)
      .sort((a, b) => startOf(a)! - startOf(b)! || byText(a.game, b.game)),
    // Games without a start may still be played.
    ...games.filter((game) => startOf(game) === null).sort((a, b) => idOf(b) - idOf(a)),
  ];
  const started = known
    .filter((game) => startOf(game)! <= state.now)
    .sort((a, b) => startOf(b)! - startOf(a)! || byText(a.game, b.game));

  return {
    picks: state.picks
      .filter(({ id, uuid }) => String(id) === text || uuid === text)
      .map((pick) => pickBody(state, pick)),
    cappers: named.slice(0, 20).map((capper) => rosterRow(state, capper)),
    games: [...coming.slice(0, 10), ...started.slice(0, 20)].map((game) => ({
      id: idOf(game),
      sport: game.sport,
      game: game.game,
      startsAt: iso(startOf(game)),
      day: game.day ?? null,
      status: hasCome(game) ? game.status : 'scheduled',
    })),
  };
}

import type { Game } from '../../games/game.ts';
import { teamsOf } from '../../games/names/teams.ts';
import { readFixture } from '../../games/names/title.ts';
import type { BetGame } from '../../rules/bet-text/day.ts';
import { otherSelection } from '../../rules/bet-text/read.ts';
import type { MoneylineWays } from '../../rules/markets/market.ts';
import type { PickRow } from './pick-row.ts';

/**
 * Returns why the text of a pick is refused: it reads as another selection of the same game (docs/rules/bet-text.md#the-text-of-a-pick).
 * Undefined if it says the same, or cannot be read.
 */
export function wordsFault(
  { pick, market, subject = null, side, line = null }: PickRow,
  { sport, name }: Pick<Game, 'sport' | 'name'>,
  moneylineWays: MoneylineWays,
): string | undefined {
  const games = gamesNamed(sport, name, moneylineWays);
  const other =
    games === undefined ? undefined : otherSelection(pick, { market, subject, side, line }, games);
  return other === undefined
    ? undefined
    : `the text reads as ${other.read}, but the pick is ${other.given}: change one of them`;
}

const maxKnown = 2_000;
const known = new Map<string, readonly [BetGame] | undefined>();

/** Returns a game by its title. Remembers it with the index of its names, because most picks are on the same few games. */
function gamesNamed(
  sport: string,
  game: string,
  moneylineWays: MoneylineWays,
): readonly [BetGame] | undefined {
  const key = `${sport}\n${moneylineWays}\n${game}`;
  if (known.has(key)) return known.get(key);
  const fixture = readFixture(game, sport);
  const teams = teamsOf(sport);
  const opponent = (team: string) => ({ name: teams.fullName(team), names: teams.namesOf(team) });
  const found: readonly [BetGame] | undefined = fixture && [
    {
      sport,
      game,
      startsAt: null,
      moneylineWays,
      players: [],
      away: opponent(fixture.away),
      home: opponent(fixture.home),
    },
  ];
  if (known.size >= maxKnown) known.clear();
  known.set(key, found);
  return found;
}

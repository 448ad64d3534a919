import type { Game } from '../../games/game.ts';
import { teamsOf } from '../../games/names/teams.ts';
import { readFixture } from '../../games/names/title.ts';
import { otherSelection } from '../../rules/bet-text/other-selection.ts';
import type { MoneylineWays } from '../../rules/markets/market.ts';
import type { PickRow } from './pick-row.ts';

/**
 * Returns why the text of a pick is refused: it reads as another selection of the same game (docs/rules/bet-text.md#the-text-of-a-pick).
 * Undefined if it says the same, or cannot be read.
 */
export function wordsFault(
  { pick, market, subject = null, side, line = null }: PickRow,
  { sport, name, announcedStart }: Pick<Game, 'sport' | 'name' | 'announcedStart'>,
  moneylineWays: MoneylineWays,
): string | undefined {
  const fixture = readFixture(name, sport);
  if (fixture === undefined) return undefined;
  const teams = teamsOf(sport);
  const opponent = (team: string) => ({ name: teams.fullName(team), names: teams.namesOf(team) });
  const other = otherSelection(
    pick,
    { market, subject, side, line },
    {
      ...{ sport, game: name, startsAt: announcedStart, moneylineWays, players: [] },
      ...{ away: opponent(fixture.away), home: opponent(fixture.home) },
    },
  );
  return other === undefined
    ? undefined
    : `the text reads as ${other.read}, but the pick is ${other.given}: change one of them`;
}

import { playerPath } from '../../boards/entities/player.ts';
import { teamPath } from '../../boards/entities/team.ts';
import { readFixture } from '../../games/names/title.ts';
import { isAboutPlayer } from '../../games/subjects.ts';
import { type Html, html } from '../html.ts';
import { marketLabel } from '../labels.ts';

/** False if the name of the game is not one of two opponents. */
export function teamLinks({ sport, game }: { sport: string; game: string }): Html | false {
  const fixture = readFixture(game, sport);
  const link = (name: string) => html`<a href="${teamPath({ sport, name })}"><bdi>${name}</bdi></a>`;
  return fixture !== undefined && html`${link(fixture.away)} @ ${link(fixture.home)}`;
}

export function aboutLinks({
  sport,
  market,
  subject,
}: {
  sport: string;
  market: string;
  subject: string | null;
}): Html {
  const of = html`<a href="/market/${sport}/${market}">${subject === null ? marketLabel(market) : marketLabel(market).toLowerCase()}</a>`;
  if (subject === null) return of;
  const name = isAboutPlayer(market)
    ? html`<a href="${playerPath({ sport, name: subject })}"><bdi>${subject}</bdi></a>`
    : html`<bdi>${subject}</bdi>`;
  return html`${name}: ${of}`;
}

import { sportTag } from '../../boards/formats/pick-text.ts';
import { type Html, html } from '../html.ts';
import { labelOf } from '../labels.ts';
import { type Start, unknownStart, when } from '../times.ts';

export interface ListedGame extends Start {
  id: number;
  sport: string;
  game: string;
  status: string;
}

/** Renders a game in a list. */
export function gameLine({ id, sport, game, startsAt, day, status }: ListedGame, now: number): Html {
  return html`<li><span class="sport">${sportTag(sport)}</span> <a href="/game/${id}"><bdi>${game}</bdi></a> <small>${
    startsAt === null ? unknownStart({ day }) : when(startsAt, now)
  }${status !== 'scheduled' && `, ${labelOf('gameStatus', status).toLowerCase()}`}</small></li>
`;
}

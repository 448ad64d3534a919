import { sportTag } from '../../boards/formats/pick-text.ts';
import { type Html, html } from '../html.ts';
import { labelOf } from '../labels.ts';
import { when } from '../times.ts';

/** A game in a list. */
export interface GameFacts {
  id: number;
  sport: string;
  game: string;
  startsAt: string | null;
  status: string;
}

/** A game in a list. */
export function gameLine({ id, sport, game, startsAt, status }: GameFacts, now: number): Html {
  return html`<li><span class="sport">${sportTag(sport)}</span> <a href="/game/${id}"><bdi>${game}</bdi></a> <small>${
    startsAt === null ? 'start time not announced' : when(startsAt, now)
  }${status !== 'scheduled' && `, ${labelOf('gameStatus', status).toLowerCase()}`}</small></li>
`;
}

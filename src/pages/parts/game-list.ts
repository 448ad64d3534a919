import { type Html, html } from '../html.ts';
import { when } from '../times.ts';

/** What a list shows of a game. */
export interface GameFacts {
  sport: string;
  game: string;
  startsAt: string | null;
  status: string;
}

/** A game in a list. */
export function gameLine({ sport, game, startsAt, status }: GameFacts, now: number): Html {
  return html`<li><span class="sport">${sport.toUpperCase()}</span> <bdi>${game}</bdi> <small>${
    startsAt === null ? 'start not announced' : when(startsAt, now)
  }${status !== 'scheduled' && `, ${status}`}</small></li>
`;
}

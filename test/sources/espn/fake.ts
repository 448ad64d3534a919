import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Told } from '../odds-api/fake.ts';

/** A game as ESPN's scoreboard has it. */
export interface FakeGame {
  id?: string;
  date?: string;
  away?: string;
  home?: string;
  status?: string;
  state?: string;
  completed?: boolean;
  detail?: string;
  period?: number;
  score?: readonly [away: string, home: string];
  linescores?: readonly [away: readonly number[], home: readonly number[]];
  winner?: 'away' | 'home';
  timeValid?: boolean;
}

/** The state and completion that ESPN gives a status; the others are `post` and completed. */
const usual: Record<string, readonly [state: string, completed: boolean]> = {
  STATUS_SCHEDULED: ['pre', false],
  STATUS_DELAYED: ['pre', false],
  STATUS_RAIN_DELAY: ['in', false],
  STATUS_IN_PROGRESS: ['in', false],
  STATUS_SUSPENDED: ['in', false],
  STATUS_POSTPONED: ['post', false],
  STATUS_CANCELED: ['post', false],
};

export function fakeGame(game: FakeGame = {}): unknown {
  const { id = '401700001', date = '2026-01-11T18:00Z', status = 'STATUS_SCHEDULED', period = 0 } = game;
  const [state, completed] = usual[status] ?? ['post', true];
  const { detail = 'x', timeValid = true } = game;
  const competitor = (side: 'away' | 'home', index: 0 | 1, displayName: string) => ({
    id: String(index + 1),
    homeAway: side,
    ...(game.winner === undefined ? {} : { winner: game.winner === side }),
    score: game.score?.[index] ?? '0',
    ...(game.linescores === undefined
      ? {}
      : { linescores: game.linescores[index].map((value, at) => ({ value, period: at + 1 })) }),
    team: { id: String(index + 1), displayName, abbreviation: displayName.slice(0, 3).toUpperCase() },
  });
  const type = {
    id: '1',
    name: status,
    state: game.state ?? state,
    completed: game.completed ?? completed,
    detail,
  };
  const competitors = [
    competitor('home', 1, game.home ?? 'Copper Foxes'),
    competitor('away', 0, game.away ?? 'Harbor Gulls'),
  ];
  const competition = { id, date, timeValid, status: { period, clock: 0, type }, competitors };
  return { id, date, name: 'a game', competitions: [competition] };
}

interface FakeBout {
  id: string;
  fighters: readonly [string, string];
  status?: string;
  winner?: 0 | 1;
}

/** A card: one event with many competitions, whose fighters are neither home nor away. */
export function fakeCard(bouts: readonly FakeBout[], date = '2026-01-11T23:00Z'): unknown {
  const competitions = bouts.map(({ id, fighters, status = 'STATUS_SCHEDULED', winner }) => {
    const [state, completed] = usual[status] ?? ['post', true];
    const competitors = fighters.map((displayName, index) => ({
      id: String(index),
      order: index + 1,
      winner: winner === index,
      athlete: { displayName },
    }));
    return {
      id,
      date,
      status: { period: 3, type: { id: '3', name: status, state, completed, detail: 'x' } },
      competitors,
    };
  });
  return { id: '600001', date, name: 'Card 1', competitions };
}

/** The scoreboard: its games, and what it answers instead when told to. */
export class FakeEspn {
  events: unknown[] = [];
  instead: (path: string, dates: string) => Told | undefined = () => undefined;

  answer(req: IncomingMessage, res: ServerResponse): void {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://provider');
    const told = this.instead(pathname, searchParams.get('dates') ?? '');
    const {
      status,
      body = '',
      headers = {},
    } = told ?? {
      status: 200,
      body: { leagues: [], events: this.events },
    };
    res.writeHead(status, { 'content-type': 'application/json', ...headers });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

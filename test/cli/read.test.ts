import { expect } from 'chai';
import { teamAliases } from '../../src/games/names/aliases.ts';
import { applyGames } from '../../src/intake/game.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';
import { runVerb, verbEnvironment } from '../support/verbs.ts';

describe('the read verb', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const environment = () => verbEnvironment(asLogin(stores.url, 'operator'), redis.url);

  const hour = 3_600_000;
  const now = Date.now();
  const at = (hours: number) => new Date(Math.floor(now / 1000) * 1000 + hours * hour).toISOString();

  before(async () => {
    const game = (sport: string, name: string, startsAt: string) => ({
      sport,
      game: name,
      startsAt,
      status: 'scheduled' as const,
    });
    await applyGames(
      stores.database,
      [
        game('nba', 'Los Angeles Lakers @ Golden State Warriors', at(5)),
        game('nba', 'Sacramento Kings @ Portland Trail Blazers', at(6)),
        game('nhl', 'Los Angeles Kings @ Vegas Golden Knights', at(7)),
        game('nba', 'New York Knicks @ Boston Celtics', at(60)),
        game('nfl', 'Harbor Gulls @ Silver Foxes', at(3)),
      ],
      { now, imported: false },
    );
    await teamAliases.put(stores.database, { sport: 'nfl', alias: 'hbg', team: 'harbor gulls' });
  });

  it('says what a line means and what it leaves open', async () => {
    const { status, out } = await runVerb(['read', 'Lakers -3.5 -110 2u'], environment);
    expect([status, out]).to.deep.equal([
      0,
      `NBA: Los Angeles Lakers -3.5 -110 2u: nba Los Angeles Lakers @ Golden State Warriors, ${at(5)}, spread away -3.5\n`,
    ]);
    expect((await runVerb(['read', 'Gulls ML'], environment)).out).to.include(
      ' (no price, no stake): nfl Harbor Gulls',
    );
  });

  it("knows the operator's aliases", async () => {
    expect((await runVerb(['read', 'HBG +3'], environment)).out).to.include('NFL: Harbor Gulls +3');
  });

  it('lists the choices', async () => {
    const { status, out } = await runVerb(['read', 'Kings ML'], environment);
    expect(status).to.equal(0);
    expect(out.split('\n')[0]).to.equal('The text fits 2 bets.');
    expect(out).to.include('NBA: Sacramento Kings ML').and.to.include('NHL: Los Angeles Kings ML');
  });

  it('refuses a game that is too far off, and prints JSON', async () => {
    const { status, err } = await runVerb(['read', 'Knicks ML'], environment);
    expect([status, err]).to.deep.equal([
      1,
      'No team or player Knicks plays in these games, and it is not a betting term.\n',
    ]);
    const { out } = await runVerb(['read', '--json', 'Lakers -3.5'], environment);
    expect(JSON.parse(out)).to.deep.include({ kind: 'bet' });
  });
});

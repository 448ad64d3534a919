import { expect } from 'chai';
import { withServedLeague } from '../support/served-league.ts';

const now = Date.parse('2025-01-01T00:00:00Z');
const nobody = '00000000-0000-4000-8000-000000000000';

describe('refusals of boards', () => {
  const served = withServedLeague(now);

  const refusals: [path: string, status: number, sentence: RegExp][] = [
    [`/api/picks/${nobody}`, 404, /There is no pick 0{8}/],
    [`/api/picks/${nobody}/confidence`, 404, /There is no pick/],
    ['/api/picks/not-a-uuid', 404, /There is no pick "not-a-uuid"/],
    ['/api/cappers/nobody-here/stats', 404, /nobody-here/],
    ['/api/cappers/ada/vs/nobody-here', 404, /nobody-here/],
    ['/api/cappers/by-tier/gold', 404, /tier "gold"/],
    ['/api/snapshot/sport/curling', 404, /sport "curling".*one of/],
    ['/api/sharp/today?sport=curling', 400, /sport must be one of nba, nfl/],
    ['/api/leaderboard?window=1d', 400, /window must be one of 7d, 30d, 90d, all/],
    ['/api/cappers?tier=gold', 400, /tier must be one of elite/],
    ['/api/feed/by-tier', 400, /tier is missing: it must be one of elite, verified_sharp, listed/],
    ['/api/feed/by-tier?tier=gold', 400, /tier must be one of elite/],
    ['/api/picks/by-game?sport=nfl', 400, /game is missing/],
    ['/api/feed/upcoming?hours=0', 400, /hours must be >= 1/],
    ['/api/cappers/ada/clv?last_n=many', 400, /last_n must be integer/],
    ['/api/nothing', 404, /There is nothing at \/api\/nothing/],
  ];

  for (const [path, status, sentence] of refusals)
    it(`have status ${status} and a helpful sentence for ${path}`, async () => {
      const response = await fetch(served.site.address + path);
      const body = (await response.json()) as Record<string, unknown>;
      expect(response.status).to.equal(status);
      expect(response.headers.get('content-type')).to.equal('application/problem+json');
      expect(body).to.include({ status, instance: path.split('?')[0] });
      expect(body.detail).to.match(sentence);
    });

  it('are never caused by the case of a capper, sport, or tier, or by a number above its maximum', async () => {
    for (const [path, effective] of [
      ['/api/cappers/ADA/stats', { handle: 'ada' }],
      ['/api/sharp/today?sport=NFL', { sport: 'nfl' }],
      ['/api/cappers/by-tier/Elite?limit=99999', { tier: 'elite', limit: 500 }],
    ] as const) {
      const response = await fetch(served.site.address + path);
      expect(response.status).to.equal(200);
      expect(((await response.json()) as { query: object }).query).to.deep.include(effective);
    }
  });
});

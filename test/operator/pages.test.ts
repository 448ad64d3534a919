import { expect } from 'chai';
import { withDatabase } from '../support/database.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';

const [ada, bram] = ['token-of-ada-the-operator', 'token-of-bram-the-operator'];
const now = Date.parse('2024-10-06T16:00:00Z');
const game = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };
const pick = {
  capperHandle: 'zoe',
  ...game,
  market: 'spread',
  side: 'home',
  line: '-3.5',
  pick: 'Foxes -3.5',
};

describe("the operator's pages", () => {
  const stores = withDatabase();
  const redis = withRedis();
  let operator: RunningOperator;
  let address: string;

  before(async () => {
    const settings = { OPERATOR_TOKEN: `ada:${ada},bram:${bram}` };
    operator = await startOperator({ database: stores, redis }, { now: () => now }, settings);
    address = operator.address;
  });
  after(() => operator?.close());

  const basic = (token: string) => ({ Authorization: `Basic ${btoa(`anyone:${token}`)}` });

  async function send(kind: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const response = await fetch(`${address}/forms/${kind}`, {
      method: 'POST',
      headers: { Origin: address, ...basic(ada), ...headers },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }
  const actions = (): Promise<
    { operator: string; action: string; counts: object; refused: number; picks: string[] }[]
  > =>
    stores
      .database('operator_actions as a')
      .join('operator_outcomes as o', 'o.action_id', 'a.id')
      .orderBy('a.id')
      .select('a.operator', 'a.action', 'o.counts', 'o.refused', 'o.picks');

  it('ask a browser for a token, greet its owner by name, and run no script', async () => {
    const refused = await fetch(`${address}/`);
    expect([refused.status, refused.headers.get('www-authenticate')?.slice(0, 5)]).to.deep.equal([
      401,
      'Basic',
    ]);
    const page = await fetch(`${address}/`, { headers: basic(bram) });
    const text = await page.text();
    expect(text).to.contain('<h1>bram</h1>').and.not.contain('<script');
    expect(page.headers.get('content-security-policy')).to.contain("default-src 'none'; style-src 'self'");
    expect(page.headers.get('cache-control')).to.equal('no-store');
    const [, styles = ''] = /rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    expect((await fetch(address + styles, { headers: basic(bram) })).status).to.equal(200);
    expect(text).not.to.contain(bram);
  });

  it('add a capper and a game, post a pick once, and record who did it', async () => {
    expect((await send('cappers', { handle: 'zoe', tier: 'elite', verified: 'yes' })).text).to.contain(
      'Added.',
    );
    const added = await send('games', { ...game, status: 'scheduled' }, basic(bram));
    expect(added.text).to.contain('Added.');
    const fields = { ...pick, oddsAmerican: '-110', stakeUnits: '1.5', key: 'once' };
    const posted = await send('picks', fields);
    expect(posted.text).to.match(/The pick is posted: [0-9a-f-]{36}\./);
    expect((await send('picks', fields)).text).to.contain('The pick exists already');
    const [stored] = await stores.database('picks').select('uuid', 'line_e3', 'stake_e4', 'provenance');
    expect(stored).to.include({ line_e3: -3500, stake_e4: 15000, provenance: 'live' });
    const recorded = await actions();
    expect(recorded.map(({ operator, action }) => [operator, action])).to.deep.equal([
      ['ada', 'cappers'],
      ['bram', 'games'],
      ['ada', 'picks'],
      ['ada', 'picks'],
    ]);
    expect(recorded[2]).to.deep.include({ counts: { added: 1 }, picks: [stored.uuid] });
  });

  it('accept markets and sides in other words', async () => {
    const words = { market: 'O/U', side: 'Over', line: '41.5', pick: 'over 41.5', oddsAmerican: '-110' };
    const posted = await send('picks', { ...pick, ...words, stakeUnits: '1' });
    expect(posted.text).to.contain('The pick is posted');
    const [stored] = await stores.database('picks').where('pick', 'over 41.5');
    expect(stored).to.include({ market: 'total', side: 'over' });
  });

  it('say why a row is refused, keep the input, and list the refusal from then on', async () => {
    const { status, text } = await send('picks', { ...pick, oddsAmerican: '50', stakeUnits: '1' });
    expect(status).to.equal(422);
    expect(text).to.contain('role="alert"').and.contain('value="Foxes -3.5"');
    const page = await (await fetch(`${address}/`, { headers: basic(bram) })).text();
    expect(page).to.match(/aria-label="Refused rows"[\s\S]*ada[\s\S]*row 1: /);
  });

  it('add a notice to the log', async () => {
    expect((await send('notices', { text: 'Prices of 3 March came <late>.' })).text).to.contain('Added.');
    const [notice] = await stores.database('notices').orderBy('id', 'desc').limit(1);
    expect(notice).to.include({ topic: 'remark', text: 'Prices of 3 March came <late>.' });
    expect((await send('notices', { text: '' })).status).to.equal(422);
  });

  it('refuse a form posted from another site or without an origin', async () => {
    for (const headers of [
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null' },
    ])
      expect((await send('notices', { text: 'x' }, headers)).status).to.equal(403);
    const silent = await fetch(`${address}/forms/notices`, {
      method: 'POST',
      headers: basic(ada),
      body: new URLSearchParams({ text: 'x' }),
    });
    expect(silent.status).to.equal(403);
  });

  it('record what programs post, and store nothing that cannot be recorded', async () => {
    const headers = { Authorization: `Bearer ${bram}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify([{ handle: 'yan', tier: 'listed', verified: true }, { handle: '?' }]);
    await fetch(`${address}/cappers`, { method: 'POST', headers, body });
    expect((await actions()).at(-1)).to.deep.include({
      operator: 'bram',
      counts: { added: 1, refused: 1 },
      refused: 1,
    });
    await stores.owner.raw('alter table operator_actions add constraint full_up check (false) not valid');
    try {
      const answer = await fetch(`${address}/cappers`, {
        method: 'POST',
        headers,
        body: body.replace('yan', 'xia'),
      });
      expect(answer.status).to.equal(500);
      expect(await stores.database('cappers').where({ handle: 'xia' })).to.deep.equal([]);
    } finally {
      await stores.owner.raw('alter table operator_actions drop constraint full_up');
    }
  });

  it("set a player's statistic, or that the player did not play", async () => {
    const basket = { sport: 'nba', game: 'Meadow Hawks @ River Otters', startsAt: '2024-10-06T12:00:00Z' };
    await send('games', { ...basket, status: 'scheduled' });
    const set = (fields: Record<string, string>) =>
      send('stats', { ...basket, player: 'Ada Cole', ...fields });
    expect((await set({ played: 'yes', statistic: 'points', value: '21' })).text).to.contain('Added.');
    expect((await set({ played: 'yes', value: '21' })).text).to.contain('value is not a field');
    expect((await set({ player: 'Bea Ray', played: 'no' })).text).to.contain('Added.');
    const stats = stores
      .database('stats')
      .orderBy('subject')
      .orderBy('stat')
      .select('subject', 'stat', 'value_e3');
    expect(await stats).to.deep.equal([
      { subject: 'Ada Cole', stat: 'played', value_e3: 1000 },
      { subject: 'Ada Cole', stat: 'points', value_e3: 21_000 },
      { subject: 'Bea Ray', stat: 'played', value_e3: 0 },
    ]);
  });

  it('set the sets of a match, how much of a game was played, and a result of half the stake', async () => {
    const match = { sport: 'tennis', game: 'Ada Cole @ Bea Ray', startsAt: '2024-10-06T12:00:00Z' };
    const final = { ...match, status: 'final', homeScore: '2', awayScore: '1' };
    expect((await send('games', { ...final, sets: 'two to one' })).text).to.contain('one to seven sets');
    expect((await send('games', { ...final, sets: '6-4 3-6 7-6(4)' })).text).to.contain('Added.');
    const rain = { sport: 'mlb', game: 'Tampa Bay Rays @ Boston Red Sox', startsAt: '2024-10-06T12:00:00Z' };
    const early = { ...rain, status: 'final', homeScore: '3', awayScore: '2', played: 'shortened' };
    expect(
      (await send('games', { ...early, periods: '5.5', competition: 'Regular season' })).text,
    ).to.contain('Added.');
    expect(
      await stores
        .database('games')
        .whereIn('sport', ['tennis', 'mlb'])
        .orderBy('id')
        .select('sets', 'played', 'periods_e3', 'competition'),
    ).to.deep.equal([
      {
        sets: [
          [6, 4],
          [3, 6],
          [7, 6],
        ],
        played: null,
        periods_e3: null,
        competition: null,
      },
      { sets: null, played: 'shortened', periods_e3: 5500, competition: 'Regular season' },
    ]);
    const half = { ...rain, market: 'total', side: 'over', line: '4.75', result: 'win', half: 'yes' };
    expect((await send('results', half)).text).to.contain('Added.');
    expect(await stores.database('results').orderBy('id', 'desc').first('result', 'half')).to.include({
      half: true,
    });
  });
});

import { expect } from 'chai';
import { withDatabase } from '../support/database.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';

const [ada, bram] = ['token-of-ada-the-operator', 'token-of-bram-the-operator'];
const now = Date.parse('2024-10-06T16:00:00Z');
const game = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00.000Z' };

describe("the operator's pages", () => {
  const stores = withDatabase();
  const redis = withRedis();
  let operator: RunningOperator;
  let address: string;
  let clock: { now(): number };

  before(async () => {
    clock = { now: () => now };
    const settings = { OPERATOR_TOKEN: `ada:${ada},bram:${bram}` };
    operator = await startOperator({ database: stores, redis }, clock, settings);
    address = operator.address;
    const rows = {
      cappers: [
        { handle: 'zoe', tier: 'elite', verified: true, displayName: 'Zoe Example' },
        { handle: 'zed', tier: 'listed', verified: true, displayName: 'Zed <b>' },
        { handle: 'new', tier: 'listed', verified: false },
      ],
      games: [
        game,
        { sport: 'nba', game: 'Los Angeles Lakers @ Boston Celtics', startsAt: '2024-10-07T23:00:00Z' },
        { sport: 'nba', game: 'Miami Heat @ Boston Celtics', startsAt: '2024-10-06T23:00:00Z' },
        { sport: 'nba', game: 'Chicago Bulls @ Miami Heat', startsAt: '2024-10-12T23:00:00Z' },
      ],
      lines: [
        { ...game, market: 'spread', side: 'home', line: -3.5, oddsAmerican: -108, book: 'north' },
        { ...game, market: 'spread', side: 'away', line: 3.5, oddsAmerican: -112, book: 'north' },
        {
          ...game,
          market: 'player_receptions',
          subject: 'Rory Finch',
          side: 'over',
          line: 4.5,
          oddsAmerican: 105,
          book: 'north',
        },
      ].map((line) => ({ ...line, capturedAt: '2024-10-06T15:59:00Z' })),
    };
    for (const [kind, body] of Object.entries(rows)) {
      const headers = { Authorization: `Bearer ${ada}`, 'Content-Type': 'application/json' };
      const answer = await fetch(`${address}/${kind}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(((await answer.json()) as { counts: object }).counts).to.deep.equal({ added: body.length });
    }
  });
  after(() => operator?.close());

  const basic = (token: string) => ({ Authorization: `Basic ${btoa(`anyone:${token}`)}` });

  /** Requests a page as a browser does. */
  async function open(path: string, token = ada) {
    const response = await fetch(address + path, { headers: basic(token) });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  /** Requests a step of a form with these fields filled in. */
  const step = (kind: string, fields: Record<string, string> = {}) =>
    open(`/forms/${kind}?${new URLSearchParams(fields)}`);

  async function send(kind: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const response = await fetch(`${address}/forms/${kind}`, {
      method: 'POST',
      headers: { Origin: address, ...basic(ada), ...headers },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  /** Returns the fields that the button of a review posts. */
  function reviewed(text: string): Record<string, string> {
    const fields = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
    expect(text, 'a review').to.contain('Review before you confirm');
    return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, plain(value)]));
  }

  /** Presses the button of the review that a step leads to. */
  async function confirm(kind: string, fields: Record<string, string>) {
    const { text } = await step(kind, { ...fields, review: 'yes' });
    return send(kind, reviewed(text));
  }

  /** Returns the links of a page whose text contains the given words. */
  function linksTo(text: string, words: string): string[] {
    const links = [...text.matchAll(/<a class="choice" href="([^"]*)">(.*?)<\/a>/gs)];
    return links.filter(([, , said = '']) => plain(said).includes(words)).map(([, path = '']) => plain(path));
  }

  const actions = (): Promise<
    { operator: string; action: string; counts: object; refused: number; picks: string[] }[]
  > =>
    stores
      .database('operator_actions as a')
      .join('operator_outcomes as o', 'o.action_id', 'a.id')
      .orderBy('a.id')
      .select('a.operator', 'a.action', 'o.counts', 'o.refused', 'o.picks');

  const idOf = async (name: string) => {
    const { id } = await stores.database('games').where({ name }).first('id');
    return String(id);
  };

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

  it('post a pick by links and fields: capper, game, bet with its stored price, stake, and review', async () => {
    expect((await step('picks')).text).to.contain('<option value="zoe">Zoe Example</option>');
    const games = await step('picks', { capperHandle: 'zoe example' });
    const [toGame = ''] = linksTo(games.text, 'Harbor Gulls @ Copper Foxes');
    const bets = await open(toGame);
    expect(linksTo(bets.text, 'Rory Finch over 4.5')).to.have.lengthOf(1);
    const [toBet = ''] = linksTo(bets.text, 'Copper Foxes -3.5 −108 at north');
    const prices = await open(toBet);
    expect(prices.text).to.match(/name="line"[^>]* value="-3.5"/);
    expect(prices.text).to.match(/name="oddsAmerican"[^>]* value="-108"/);
    const filled = new URLSearchParams(toBet.split('?')[1]);
    const typed = { line: '-3', oddsAmerican: '1.91', stakeUnits: '1.5u', book: 'DK', review: 'yes' };
    const review = await step('picks', { ...Object.fromEntries(filled), ...typed });
    for (const fact of [
      'Zoe Example (zoe), elite',
      'Harbor Gulls @ Copper Foxes',
      'Sun, Oct 6, 2024, 1:00\u00A0PM\u00A0ET',
      'Sun, 06 Oct 2024, 17:00 UTC',
      'Copper Foxes -3',
      '−110 (decimal 1.91), from 1.91',
      '1.5 units, from 1.5u',
      'draftkings',
      'You ask -110; nobody has seen a price of this bet. It would count at -110. It cannot be withdrawn.',
      'posted by the operator, not signed by the capper',
    ])
      expect(review.text).to.contain(fact);
    expect(await stores.database('picks')).to.deep.equal([]);
    const fields = reviewed(review.text);
    const posted = await send('picks', fields);
    expect(posted.text).to.contain('The pick is posted, on Sun, Oct 6, 2024, 12:00');
    expect((await send('picks', fields)).text).to.contain('The pick already exists');
    const stored = await stores
      .database('picks')
      .select('uuid', 'pick', 'line_e3', 'odds_american', 'stake_e4', 'book');
    expect(stored).to.have.lengthOf(1);
    expect(stored[0]).to.include({
      pick: 'Copper Foxes -3',
      line_e3: -3000,
      odds_american: -110,
      stake_e4: 15000,
    });
    expect(posted.text).to.contain(`/p/${stored[0].uuid}`);
    expect((await actions()).at(-1)).to.deep.include({
      operator: 'ada',
      action: 'picks',
      picks: [stored[0].uuid],
    });
  });

  it('read a pick from one line, and ask for what the line leaves out', async () => {
    const whole = await step('picks', { capperHandle: 'zoe', text: 'Lakers +3.5 -110 2u' });
    expect(reviewed(whole.text).row).to.contain('"pick":"Los Angeles Lakers +3.5"');
    const bare = await step('picks', { capperHandle: 'zoe', text: 'Foxes -3.5' });
    expect(bare.text)
      .to.match(/name="oddsAmerican"[^>]* value="-108"/)
      .and.not.contain('Review before');
    const unknown = await step('picks', { capperHandle: 'wombat' });
    expect([unknown.status, unknown.text.includes('href="/forms/cappers"')]).to.deep.equal([422, true]);
    const nothing = await step('picks', { capperHandle: 'zoe', text: 'Wombats ML' });
    expect([nothing.status, nothing.text.includes('role="alert"')]).to.deep.equal([422, true]);
    const several = await step('picks', { capperHandle: 'zoe', text: 'Celtics ML -110 1u' });
    expect(linksTo(several.text, 'Boston Celtics ML -110 1u')).to.have.lengthOf(2);
  });

  it('find games of other days and by any name of a team, but none that have started', async () => {
    const names = async (fields: Record<string, string>) =>
      ['Foxes', 'Lakers', 'Bulls'].filter((name) => linksTo(games.get(fields)!, name).length > 0);
    const games = new Map<Record<string, string>, string>();
    const asked = [{}, { q: 'LAL' }, { q: 'nba' }, { day: '2024-10-12' }, { day: '2024-10-05' }];
    for (const fields of asked)
      games.set(fields, (await step('picks', { capperHandle: 'zoe', ...fields })).text);
    expect(await Promise.all(asked.map(names))).to.deep.equal([
      ['Foxes', 'Lakers'],
      ['Lakers'],
      ['Lakers', 'Bulls'],
      ['Bulls'],
      [],
    ]);
    expect((await step('picks', { capperHandle: 'zoe', day: 'soon' })).text).to.contain('Choose a day');
    clock.now = () => Date.parse(game.startsAt);
    try {
      const late = await step('picks', { capperHandle: 'zoe', game: await idOf(game.game) });
      expect([late.status, late.text.includes('takes no picks')]).to.deep.equal([422, true]);
    } finally {
      clock.now = () => now;
    }
  });

  it('list the meanings of an ambiguous word, and accept words in every field', async () => {
    const who = await step('picks', { capperHandle: 'z' });
    expect([linksTo(who.text, 'zoe').length, linksTo(who.text, 'Zed <b>').length]).to.deep.equal([1, 1]);
    expect(who.text).to.contain('Zed &lt;b&gt;');
    expect((await step('picks', { capperHandle: 'new' })).text).to.contain('new is not verified');
    const bet = {
      capperHandle: 'zoe',
      game: await idOf(game.game),
      market: 'O/U',
      side: 'Over',
      line: '41½',
    };
    const odds = await step('picks', { ...bet, oddsAmerican: '150', stakeUnits: '1', review: 'yes' });
    expect(odds.status).to.equal(422);
    expect(linksTo(odds.text, '(American)')[0]).to.contain('oddsAmerican=%2B150');
    const row = reviewed((await open(linksTo(odds.text, '(American)')[0]!)).text).row!;
    expect(JSON.parse(row)).to.deep.include({ market: 'total', side: 'over', line: 41.5, oddsAmerican: 150 });
    const whole = { ...bet, oddsAmerican: '-110', stakeUnits: '1', review: 'yes' };
    const slip = await step('picks', { ...whole, market: 'spraed', side: 'Foxes' });
    expect([slip.status, slip.text.includes('did you mean spread?')]).to.deep.equal([422, true]);
    const sides = await step('picks', { ...whole, market: 'Spread', side: 'copper foxes', line: '-3.5' });
    expect(JSON.parse(reviewed(sides.text).row!)).to.include({ side: 'home', pick: 'Copper Foxes -3.5' });
    const lineless = await step('picks', { ...whole, market: 'total', line: '' });
    expect([lineless.status, lineless.text.includes('role="alert"')]).to.deep.equal([422, true]);
    expect((await step('picks', { ...whole, market: 'receptions' })).text).to.contain('needs a subject');
  });

  it('say why a row would be refused, keep the input, and list what was refused from then on', async () => {
    const bet = {
      capperHandle: 'zoe',
      game: await idOf(game.game),
      market: 'spread',
      side: 'home',
      line: '-3',
    };
    const again = await step('picks', { ...bet, oddsAmerican: '-120', stakeUnits: '2', review: 'yes' });
    expect(again.status).to.equal(422);
    expect(again.text).to.contain('role="alert"').and.contain('It repeats pick');
    expect(again.text).to.match(/name="oddsAmerican"[^>]* value="-120"/);
    const early = { game: bet.game, status: 'final', homeScore: '3', awayScore: '2', review: 'yes' };
    const score = await step('scores', early);
    expect([score.status, score.text.includes('before its start')]).to.deep.equal([422, true]);
    expect(await stores.database('operator_outcomes').where('refused', '>', 0)).to.deep.equal([]);
    const reviewed = { oddsAmerican: -120, stakeUnits: 2, pick: 'Foxes -3', capperHandle: 'zoe' };
    const row = { ...game, market: 'spread', side: 'home', line: -3, ...reviewed };
    const sent = await send('picks', { row: JSON.stringify(row), back: 'capper=zoe&oddsAmerican=-120' });
    expect([sent.status, sent.text.includes('It repeats pick')]).to.deep.equal([422, true]);
    expect(sent.text).to.contain('href="/forms/picks?capper=zoe&amp;oddsAmerican=-120">Edit');
    const page = await open('/', bram);
    expect(page.text).to.match(/aria-label="Refused rows"[\s\S]*ada[\s\S]*row 1: /);
  });

  it('post no pick whose game has moved since the review', async () => {
    const fields = {
      capperHandle: 'zed',
      game: await idOf(game.game),
      market: 'moneyline',
      side: 'away',
      review: 'yes',
    };
    const form = reviewed((await step('picks', { ...fields, oddsAmerican: '-120', stakeUnits: '2' })).text);
    const sent = await send('picks', { ...form, begins: String(Date.parse(game.startsAt) + 60_000) });
    expect([sent.status, sent.text.includes('has moved')]).to.deep.equal([422, true]);
    expect((await send('picks', form)).text).to.contain('The pick is posted');
  });

  it('add a capper without a preselected tier or verification', async () => {
    const form = await step('cappers', { handle: 'Una' });
    expect(form.text.match(/<option value="">Choose…/g)).to.have.lengthOf(2);
    expect(form.text).not.to.contain(' selected');
    const empty = await step('cappers', { handle: 'una', review: 'yes' });
    expect(empty.text).to.contain('Tier is missing.').and.contain('Verified is missing.');
    expect((await confirm('cappers', { handle: 'una', tier: 'listed', verified: 'yes' })).text).to.contain(
      'Added.',
    );
    const known = await step('cappers', { handle: 'una' });
    expect(known.text).to.match(/value="listed" selected/);
    expect((await confirm('cappers', { handle: 'una', tier: 'elite', verified: 'yes' })).text).to.contain(
      'Changed.',
    );
  });

  it('add a game by the names that people use, and note a team that no list knows', async () => {
    const teams = { sport: 'nba', startsAt: '2024-10-09 19:00 CT', review: 'yes' };
    const slip = await step('games', { ...teams, game: 'Knicks @ Celtcs' });
    expect([slip.status, slip.text.includes('similar: Boston Celtics')]).to.deep.equal([422, true]);
    const review = await step('games', { ...teams, game: 'Knicks @ BOS' });
    expect(review.text)
      .to.contain('Wed, Oct 9, 2024, 8:00\u00A0PM\u00A0ET')
      .and.contain('10 Oct 2024, 00:00 UTC');
    expect((await send('games', reviewed(review.text))).text).to.contain('Added.');
    const stored = await stores.database('games').where({ name: 'New York Knicks @ Boston Celtics' }).first();
    expect(stored).to.include({ status: 'scheduled', announced_start: Date.parse('2024-10-10T00:00:00Z') });
    const guests = await step('games', {
      ...teams,
      startsAt: 'Oct 20, 2024 7pm',
      game: 'Knicks @ Real Madrid',
    });
    expect(guests.text).to.contain('has no team Real Madrid');
    expect((await send('games', reviewed(guests.text))).text).to.contain('Added.');
    const soon = await step('games', { ...teams, game: 'Knicks @ BOS', startsAt: 'soon' });
    expect([soon.status, soon.text.includes('Enter a date and a time')]).to.deep.equal([422, true]);
    expect((await step('games', { ...teams, game: 'Knicks' })).text).to.contain('as Away @ Home');
    const day = await step('games', { ...teams, game: 'Knicks @ BOS', startsAt: '2024-10-25' });
    expect(JSON.parse(reviewed(day.text).row!))
      .to.include({ day: '2024-10-25' })
      .and.not.have.key('startsAt');
  });

  it('change nothing without a review, and refuse reviewed rows that are not rows', async () => {
    const count = () => stores.database('notices').where({ topic: 'remark' }).count();
    const before = await count();
    expect(reviewed((await send('notices', { text: 'Not yet.', review: 'yes' })).text).row).to.equal(
      '{"text":"Not yet."}',
    );
    expect(await count()).to.deep.equal(before);
    expect((await send('notices', { row: '{' })).status).to.equal(400);
    expect((await send('results', { row: '[]' })).status).to.equal(422);
    expect((await send('picks', { row: 'null' })).status).to.equal(422);
  });

  it('add a notice to the log, once for a review that is sent twice', async () => {
    const review = await send('notices', { text: 'Prices of 3 March came <late>.', review: 'yes' });
    const fields = reviewed(review.text);
    for (const sent of await Promise.all([send('notices', fields), send('notices', fields)]))
      expect(sent.text).to.contain('Added.');
    expect(
      await stores.database('notices').where({ text: 'Prices of 3 March came <late>.' }),
    ).to.have.lengthOf(1);
    const [notice] = await stores.database('notices').orderBy('id', 'desc').limit(1);
    expect(notice).to.include({ topic: 'remark', text: 'Prices of 3 March came <late>.' });
    expect((await send('notices', { text: '', review: 'yes' })).status).to.equal(422);
  });

  it('join two games that look like one with one click', async () => {
    const startsAt = '2024-10-06T20:00:00.000Z';
    const games = ['Gulls @ Foxes', 'Gulls @ CFX'].map((name) => ({
      sport: 'soccer',
      name,
      announced_start: startsAt,
      starts_at: startsAt,
    }));
    const [one, two] = (await stores.database('games').insert(games).returning('id')).map(({ id }) => id);
    const home = (await open('/')).text;
    expect(home).to.contain('Gulls @ CFX');
    const row = `{"game":${one},"other":${two}}`;
    const [, written = ''] = /name="row" value="([^"]*)"/.exec(home) ?? [];
    expect(plain(written)).to.equal(row);
    const done = await send('joins', { row, key: `${one}-${two}` });
    expect([done.status, done.text.includes('Gulls @ CFX is now Gulls @ Foxes.')]).to.deep.equal([200, true]);
    expect((await open('/')).text).not.to.contain('id="twins"');
    const again = await step('joins', { game: String(one), other: String(two), review: 'yes' });
    const refused = await send('joins', reviewed(again.text));
    expect([refused.status, refused.text.includes('joined into game')]).to.deep.equal([422, true]);
    expect((await send('joins', { row: '{"game":1}' })).status).to.equal(422);
    const [action] = await stores
      .database('operator_actions')
      .where({ action: 'joins' })
      .orderBy('id')
      .select('about');
    expect(action.about).to.equal(`games ${one} and ${two}`);
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

  it('list the games of scores, results, and statistics, and lead from waiting picks to their game', async () => {
    const finch = { market: 'player_receptions', subject: 'Rory Finch', side: 'over', line: 4.5 };
    const words = { capperHandle: 'zed', pick: 'Finch over 4.5', oddsAmerican: -110, stakeUnits: 1 };
    await post('picks', { ...game, ...finch, ...words });
    clock.now = () => Date.parse('2024-10-07T01:00:00Z');
    try {
      const list = await step('results');
      const [toGame = ''] = linksTo(list.text, 'Copper Foxes');
      expect(list.text).to.contain('<a href="/#waiting">Waiting picks</a>');
      const bets = await open(toGame);
      const [toBet = ''] = linksTo(bets.text, 'Rory Finch over 4.5 receptions 1 pick');
      expect(linksTo(bets.text, 'Copper Foxes -3')).to.deep.equal([]);
      expect((await open(toBet)).text).to.match(/name="line"[^>]* value="4.5"/);
      const home = (await open('/')).text;
      expect(home).to.match(/href="\/forms\/results\?game=\d+&amp;market=player_receptions/);
      expect(home).to.match(/href="\/forms\/scores\?game=\d+"/);
    } finally {
      clock.now = () => now;
    }
  });

  it("set a player's statistics, or that the player did not play", async () => {
    const basket = { sport: 'nba', game: 'Meadow Hawks @ River Otters', startsAt: '2024-10-06T12:00:00Z' };
    await post('games', basket);
    const about = { game: await idOf(basket.game), player: 'Ada Cole' };
    const form = await step('stats', about);
    expect(form.text).to.contain('Rebounds').and.not.contain('Passing yards');
    expect((await step('stats', { ...about, review: 'yes' })).text).to.contain('Played is missing.');
    expect((await confirm('stats', { ...about, played: 'yes', points: '21', threes: '3' })).text).to.contain(
      'Added.',
    );
    const bad = await step('stats', { ...about, played: 'yes', points: 'many', review: 'yes' });
    expect(bad.text).to.contain('Enter a whole number from -999 to 9999.');
    expect((await confirm('stats', { ...about, player: 'Bea Ray', played: 'no' })).text).to.contain('Added.');
    const stats = stores
      .database('stats')
      .orderBy('subject')
      .orderBy('stat')
      .select('subject', 'stat', 'value_e3');
    expect(await stats).to.deep.equal([
      { subject: 'Ada Cole', stat: 'played', value_e3: 1000 },
      { subject: 'Ada Cole', stat: 'points', value_e3: 21_000 },
      { subject: 'Ada Cole', stat: 'threes', value_e3: 3000 },
      { subject: 'Bea Ray', stat: 'played', value_e3: 0 },
    ]);
  });

  it('set the sets of a match, how much of a game was played, and a result of half the stake', async () => {
    const match = { sport: 'tennis', game: 'Ada Cole @ Bea Ray', startsAt: '2024-10-06T12:00:00Z' };
    const rain = { sport: 'mlb', game: 'Tampa Bay Rays @ Boston Red Sox', startsAt: '2024-10-06T12:00:00Z' };
    await post('games', match);
    await post('games', { ...rain, competition: 'Regular season' });
    const [ofMatch, ofRain] = [await idOf(match.game), await idOf(rain.game)];
    const final = { game: ofMatch, status: 'final', homeScore: '2', awayScore: '1' };
    expect((await step('scores', { game: ofMatch, review: 'yes' })).text).to.contain('Status is missing.');
    expect((await step('scores', { ...final, homeScore: '', review: 'yes' })).text).to.contain(
      'needs both scores',
    );
    const wrong = await step('scores', { ...final, sets: 'two to one', review: 'yes' });
    expect(wrong.text).to.contain('Enter the games of each set');
    expect((await confirm('scores', { ...final, sets: '6-4 3-6 7-6(4)' })).text).to.contain('Changed.');
    const early = { game: ofRain, status: 'final', homeScore: '3', awayScore: '2', played: 'shortened' };
    expect((await confirm('scores', { ...early, periods: '5.5' })).text).to.contain('Changed.');
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
    const bet = { game: ofRain, market: 'total', side: 'Over', line: '4.75' };
    expect((await step('results', { ...bet, review: 'yes' })).text).to.contain('Result is missing.');
    expect((await confirm('results', { ...bet, result: 'win', half: 'yes' })).text).to.contain('Added.');
    expect(await stores.database('results').orderBy('id', 'desc').first('result', 'half')).to.include({
      half: true,
    });
  });

  async function post(kind: string, row: object) {
    const headers = { Authorization: `Bearer ${ada}`, 'Content-Type': 'application/json' };
    await fetch(`${address}/${kind}`, { method: 'POST', headers, body: JSON.stringify(row) });
  }
});

/** Returns the text of a page without markup and escapes. */
function plain(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

import { expect } from 'chai';
import { request } from 'undici';
import { search } from '../../src/boards/search/search.ts';
import { swapHomes } from '../../src/games/home-team.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withServedLeague } from '../support/served-league.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

interface Found {
  pages: { title: string; path: string }[];
  picks: { pickUuid: string; id: number }[];
  entries: { seq: number; kind: string; hash: string; pickUuid: string | null }[];
  cappers: { handle: string }[];
  games: { game: string; startsAt: string }[];
  suggestion: string | null;
}

describe('search', () => {
  const served = withServedLeague(now);
  const database = () => served.database.database;

  const find = async (q: string, address = served.site.address): Promise<Found> => {
    const { statusCode, body } = await request(`${address}/api/search?${new URLSearchParams({ q })}`);
    const text = await body.text();
    expect(statusCode, text).to.equal(200);
    return JSON.parse(text);
  };
  const page = async (q: string) => {
    const { statusCode, headers, body } = await request(
      `${served.site.address}/search?${new URLSearchParams({ q })}`,
    );
    return { status: statusCode, headers, text: await body.text() };
  };
  // Another site, since each limits a client to sixty searches a minute.
  let further: RunningApi;
  before(async () => {
    further = await startApi(served, { clock: { now: () => now } });
  });
  after(() => further.close());
  const games = async (q: string) => (await find(q, further.address)).games.map(({ game }) => game);

  it('leads to a team that a league lists before it has a game', async () => {
    const { pages } = await find('lakers', further.address);
    expect(pages.map(({ path }) => path)).to.include('/team/nba/los-angeles-lakers');
    const answer = await request(`${further.address}/team/nba/los-angeles-lakers`);
    expect(answer.statusCode).to.equal(200);
    expect(await answer.body.text()).to.contain('No upcoming game is announced.');
  });

  it('leads to pages by sport, market, tier, ranking, and day, in any order', async () => {
    const paths = async (q: string) => (await find(q, further.address)).pages.map(({ path }) => path);
    expect(await paths('nba')).to.deep.equal(['/sport/nba']);
    expect(await paths('elite')).to.deep.equal(['/cappers?tier=elite']);
    expect(await paths('totals')).to.deep.equal(['/leaderboard?market=total']);
    expect(await paths('clv')).to.deep.equal(['/leaderboard?by=clv']);
    for (const q of ['nba totals', 'Totals NBA', 'total in the nba'])
      expect(await paths(q), q).to.deep.equal([
        '/market/nba/total',
        '/leaderboard?sport=nba&market=total',
        '/sport/nba',
      ]);
    expect(await paths('best nba capper')).to.deep.equal([
      '/leaderboard?sport=nba',
      '/cappers?sport=nba',
      '/sport/nba',
    ]);
    expect(await paths('tatum points')).to.deep.equal(['/leaderboard?market=player_points']);
    expect(await paths('football')).to.deep.equal(['/sport/nfl', '/sport/ncaaf', '/sport/soccer']);
    expect(await paths('ada')).to.deep.equal([]);
    expect(await paths('Ada vs. Bram')).to.deep.equal(['/vs/ada/bram']);
    expect(await paths('ada vs nobody')).to.deep.equal([]);
    for (const q of [
      'nba totals',
      'verified sharp nfl moneyline',
      'hot streaks',
      'pick of the day',
      'tonight',
      'ada vs bram',
    ])
      for (const path of await paths(q)) {
        const { statusCode, body } = await request(`${further.address}${path}`);
        await body.dump();
        expect(statusCode, path).to.equal(200);
      }
    expect((await page('elite')).text).to.include(
      '<a href="/cappers?tier=elite">All cappers: elite tier</a>',
    );
  });

  it('finds names beside such words', async () => {
    await served.database.owner('games').insert({
      sport: 'nba',
      name: 'Silver Kites @ Iron Badgers',
      starts_at: '2025-01-01T20:00:00Z',
      announced_start: '2025-01-01T20:00:00Z',
    });
    expect(await games('kites tonight')).to.deep.equal(['Silver Kites @ Iron Badgers']);
    const misspelled = await find('badgerz tonight', further.address);
    expect(misspelled.suggestion).to.equal('badgers');
    expect(misspelled.pages.map(({ path }) => path)).to.deep.equal(['/team/nba/iron-badgers', '/']);
  });

  it('looks each text up once', async () => {
    const asked: unknown[] = [];
    const note = ({ sql, bindings }: { sql: string; bindings: unknown[] }) => {
      if (/as known\s+from unnest/.test(sql)) asked.push(bindings[1]);
    };
    database().on('query', note);
    const context = {
      database: database(),
      now,
      sports: new Map(),
      baseUrl: 'https://picks.example',
      helpLine: '',
    };
    await search.compute(context, { q: 'otters points' });
    database().off('query', note);
    expect(asked).to.deep.equal([['otters', 'points'], ['otters']]);
  });

  it('leads to players and teams, whatever the order of words, and despite a misspelling', async () => {
    const paths = async (q: string) => (await find(q, further.address)).pages.map(({ path }) => path);
    const guard = '/player/nba/otters-guard';
    for (const q of ['otters guard', 'GUARD otters', 'otters guard nba', 'otters gard'])
      expect(await paths(q), q).to.include(guard);
    for (const q of ['otters guard points', 'points guard otters'])
      expect((await paths(q))[0], q).to.equal(`${guard}#player_points`);
    expect(await paths('otters')).to.include.members([guard, '/team/nba/river-otters']);
    expect(await paths('river otters nfl')).to.not.include('/team/nba/river-otters');
    for (const q of ['otters guard points', 'meadow hawks'])
      for (const path of await paths(q)) {
        const { statusCode, body } = await request(`${further.address}${path.replace(/#.*/, '')}`);
        await body.dump();
        expect(statusCode, path).to.equal(200);
      }
  });

  it('finds cappers by prefix of a handle or a display name, without regard to case and accents', async () => {
    await served.database
      .owner('cappers')
      .where({ handle: 'ada' })
      .update({ display_name: 'Ada Lovelace-Núñez' });
    for (const q of ['ada', 'AD', 'lovelace', 'nunez ada', 'Núñez'])
      expect(
        (await find(q)).cappers.map(({ handle }) => handle),
        q,
      ).to.include('ada');
    expect((await find('lovelace bob')).cappers).to.deep.equal([]);
    expect((await find('love lace')).cappers).to.deep.equal([]);
  });

  it('finds games by one team or both, in any order, and by other names of known teams', async () => {
    await served.database.owner('games').insert([
      {
        sport: 'nba',
        name: 'Boston Celtics @ Philadelphia 76ers',
        starts_at: '2025-01-02T00:00:00Z',
        announced_start: '2025-01-02T00:00:00Z',
      },
      {
        sport: 'nba',
        name: 'Boston Celtics @ Miami Heat',
        starts_at: '2025-01-01T03:00:00Z',
        announced_start: '2025-01-01T03:00:00Z',
      },
      {
        sport: 'nba',
        name: 'Boston Celtics @ Utah Jazz',
        starts_at: '2024-12-31T00:00:00Z',
        announced_start: '2024-12-31T00:00:00Z',
      },
      {
        sport: 'nba',
        name: 'Utah Jazz @ Boston Celtics',
        starts_at: '2021-12-31T00:00:00Z',
        announced_start: '2021-12-31T00:00:00Z',
      },
    ]);
    expect(await games('celtics philadelphia')).to.deep.equal(['Boston Celtics @ Philadelphia 76ers']);
    expect(await games('sixers')).to.deep.equal(['Boston Celtics @ Philadelphia 76ers']);
    expect(await games('heat bos')).to.deep.equal(['Boston Celtics @ Miami Heat']);
    // Future games come first, the next one leading; then those that have started, the latest first.
    expect(await games('boston')).to.deep.equal([
      'Boston Celtics @ Miami Heat',
      'Boston Celtics @ Philadelphia 76ers',
      'Boston Celtics @ Utah Jazz',
      'Utah Jazz @ Boston Celtics',
    ]);
    expect(await games('boston foxes')).to.deep.equal([]);
    for (const q of ['Sixers vs Celtics', 'celtics at philadelphia 76ers', 'celtics v. sixers'])
      expect(await games(q), q).to.deep.equal(['Boston Celtics @ Philadelphia 76ers']);
    expect(await games('vs')).to.deep.equal([]);
  });

  it('finds a game by its name before home and away were swapped, and by aliases', async () => {
    const owner = served.database.owner;
    const name = 'Quarry Herons @ Meadow Otters';
    const [game] = await owner('games')
      .insert({
        sport: 'nhl',
        name,
        starts_at: '2025-01-03T00:00:00Z',
        announced_start: '2025-01-03T00:00:00Z',
        home_known: false,
      })
      .returning(['id', 'sport', 'name']);
    await swapHomes(owner, [{ game, known: true }]);
    expect(await games('herons')).to.deep.equal(['Meadow Otters @ Quarry Herons']);
    for (const q of [name, 'Meadow Otters vs Quarry Herons', 'herons at otters'])
      expect(await games(q), q).to.deep.equal(['Meadow Otters @ Quarry Herons']);
    expect(await games('lakeside')).to.deep.equal([]);
    await owner('team_aliases').insert({ sport: 'nhl', alias: 'lakeside stilts', team: 'quarry herons' });
    for (const q of ['lakeside stilts', 'Lakeside Stilts'])
      expect(await games(q), q).to.deep.equal(['Meadow Otters @ Quarry Herons']);
  });

  it('orders games the same for a very common word as for a rare one', async () => {
    // An hour apart, half of them in the future.
    await served.database.owner.raw(
      `insert into games (sport, name, starts_at, announced_start)
       select 'mlb', 'Common Terns t' || i || ' @ Pier Gannets g' || lpad((i % 100)::text, 3, '0'), s, s
       from (select i, to_timestamp(?) + (i - 600) * interval '1 hour' as s from generate_series(1, 1200) i) g`,
      [now / 1000],
    );
    const number = (name: string) => Number(/Terns t(\d+)/.exec(name)?.[1]);
    const coming = Array.from({ length: 10 }, (_, index) => 601 + index);
    const started = Array.from({ length: 20 }, (_, index) => 600 - index);
    expect((await games('terns')).map(number)).to.deep.equal([...coming, ...started]);
    expect((await games('terns g007')).map(number)).to.deep.equal([
      ...Array.from({ length: 6 }, (_, index) => 607 + 100 * index),
      ...Array.from({ length: 6 }, (_, index) => 507 - 100 * index),
    ]);
    // Prefixes of many known words, and of a few.
    const downFrom = (last: number, length: number) => Array.from({ length }, (_, index) => last - index);
    expect((await games('terns t11')).map(number)).to.deep.equal([
      ...downFrom(1109, 10).reverse(),
      ...downFrom(119, 10),
      11,
    ]);
    expect((await games('terns t60')).map(number)).to.deep.equal([...downFrom(609, 9).reverse(), 600, 60]);
  });

  it('shows upcoming games, those without a start, and the latest of many with one name', async () => {
    const day = 86_400_000;
    const game = (start: number | null) => {
      const at = start === null ? null : new Date(now + start * day);
      return { sport: 'mlb', name: 'Same Puffins @ Same Petrels', starts_at: at, announced_start: at };
    };
    const starts = [...Array.from({ length: 1500 }, (_, index) => index - 1497.5), null];
    await served.database.owner.batchInsert('games', starts.map(game), 500);
    const { games: found } = await find('petrels puffins', further.address);
    const shown = found.map(({ startsAt }) =>
      startsAt === null ? null : (Date.parse(startsAt) - now) / day,
    );
    expect(shown).to.deep.equal([0.5, 1.5, null, ...Array.from({ length: 20 }, (_, index) => -0.5 - index)]);
  });

  it('suggests known words for misspelled ones, and nothing if all are known', async () => {
    const [{ name }] = await database()('games').where('name', 'like', '%@%').orderBy('id').select('name');
    const word: string = name.split(' ')[0].toLowerCase();
    expect((await find(`${word}x`)).suggestion).to.equal(word);
    expect((await find(word)).suggestion).to.equal(null);
    expect((await find('qqqqqqqq')).suggestion).to.equal(null);
  });

  it('knows the words of games and cappers as soon as they are stored', async () => {
    await served.database
      .owner('cappers')
      .insert({ handle: 'zebulon', tier: 'listed', verified: true, created_at: new Date() });
    expect((await find('zebullon')).suggestion).to.equal('zebulon');
    const [{ id }] = await served.database
      .owner('games')
      .insert({ sport: 'mlb', name: 'Terns @ Gannets', home_known: false })
      .returning('id');
    await served.database.owner('games').where({ id }).update({ name: 'Terns @ Quetzals' });
    expect(await games('terns quetzal')).to.deep.equal(['Terns @ Quetzals']);
  });

  it('finds a pick by UUID, prefix of a UUID, and number', async () => {
    const { uuid, id }: { uuid: string; id: number } = await database()('picks')
      .orderBy('uuid')
      .first('uuid', 'id');
    for (const q of [
      uuid,
      uuid.toUpperCase(),
      ` ${uuid} `,
      uuid.slice(0, 13),
      uuid.replaceAll('-', '').slice(0, 12),
    ])
      expect(
        (await find(q)).picks.map(({ pickUuid }) => pickUuid),
        q,
      ).to.deep.equal([uuid]);
    expect((await find(String(id))).picks.map(({ pickUuid }) => pickUuid)).to.deep.equal([uuid]);
    expect((await find(`${uuid.slice(0, 6)}-${uuid.slice(6, 8)}`)).picks).to.deep.equal([]);
    expect((await find(uuid.slice(0, 5))).picks).to.deep.equal([]);
  });

  it('finds an entry of the log by index, hash, and prefix of a hash', async () => {
    const entry: { seq: number; hash: string; uuid: string } = await database()('ledger_entries')
      .where('kind', 'closed')
      .orderBy('seq')
      .first('seq', 'uuid', database().raw(`encode(hash, 'hex') as hash`));
    const [byIndex] = (await find(String(entry.seq))).entries;
    expect(byIndex).to.deep.include({
      seq: entry.seq,
      kind: 'closed',
      hash: entry.hash,
      pickUuid: entry.uuid,
    });
    for (const q of [entry.hash, entry.hash.toUpperCase(), entry.hash.slice(0, 31), entry.hash.slice(0, 12)])
      expect((await find(q)).entries, q).to.deep.equal([byIndex]);
    expect((await find(`${entry.hash}0`)).entries).to.deep.equal([]);
  });

  it("redirects from a UUID or hash to the pick's page", async () => {
    const { uuid, hash } = await database()('ledger_entries')
      .where('kind', 'settled')
      .first('uuid', database().raw(`encode(hash, 'hex') as hash`));
    for (const q of [uuid, hash, hash.slice(0, 16)]) {
      const { status, headers } = await page(q);
      expect([status, headers.location], q).to.deep.equal([303, `/p/${uuid}`]);
    }
  });

  it('lists matches for a name, with the query, on a page closed to search engines', async () => {
    const { status, text } = await page('ada');
    expect(status).to.equal(200);
    expect(text).to.contain('<meta name="robots" content="noindex">').and.to.contain('href="/c/ada"');
    expect(text).to.contain('name="q" value="ada"');
    const sitemap = await (await request(`${served.site.address}/sitemap/pages.xml`)).body.text();
    expect(sitemap)
      .to.match(/\/rules\/search</)
      .and.not.match(/:\/\/[^/]+\/search</);
    const hostile = await page('"><script>alert(1)</script>');
    expect(hostile.text).to.contain('&lt;script&gt;alert');
    expect(hostile.text).not.to.contain('<script>alert');
  });

  it('accepts any text as a query, except an empty or overlong one', async () => {
    for (const q of [
      "'",
      "a' | 'b",
      '\\',
      ':*',
      '& | !',
      '%',
      '_',
      '@',
      '🦊',
      "o'brien:*",
      '-1',
      '0',
      '1e9',
      'א',
      '9'.repeat(30),
    ])
      expect((await find(q)).suggestion, q).to.be.a.oneOf([null, 'b', 'a']);
    for (const q of ['', 'x'.repeat(101)]) {
      const { statusCode } = await request(`${served.site.address}/api/search?${new URLSearchParams({ q })}`);
      expect(statusCode).to.equal(400);
    }
  });

  it('still finds exact matches, without suggestions, if the trigram extension is missing', async () => {
    await served.database.owner.raw('drop extension pg_trgm cascade');
    expect((await find('adda')).suggestion).to.equal(null);
    expect((await find('ada')).cappers).to.have.lengthOf(1);
  });

  it('never limits a client', async () => {
    for (let searched = 0; searched < 200; searched += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          request(`${served.site.address}${n % 2 === 0 ? '/api' : ''}/search?q=ada+${searched + n}`),
        ),
      );
      expect(new Set(answers.map(({ statusCode }) => statusCode))).to.deep.equal(new Set([200]));
      await Promise.all(answers.map(({ body }) => body.dump()));
    }
  });
});

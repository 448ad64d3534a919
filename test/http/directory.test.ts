import { expect } from 'chai';
import { request } from 'undici';
import { withServedLeague } from '../support/served-league.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

describe('the lists of cappers, picks, games, and sports', () => {
  const served = withServedLeague(now);
  const database = () => served.database.database;

  const get = async (path: string, status = 200): Promise<string> => {
    const { statusCode, body } = await request(served.site.address + path);
    const text = await body.text();
    expect(statusCode, `${path} ${text.slice(-300)}`).to.equal(status);
    return text;
  };
  const nextPath = (text: string) =>
    /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&').replace(/#.*/, '');
  /** Returns the matches of a pattern on a page and all following ones. */
  const throughout = async (first: string, pattern: RegExp): Promise<string[]> => {
    const found: string[] = [];
    for (let path: string | undefined = first; path !== undefined; ) {
      const text = await get(path);
      found.push(...[...text.matchAll(pattern)].map(([, value = '']) => value));
      path = nextPath(text);
    }
    return found;
  };
  const pickLinks = /slip-pick"><a href="\/p\/([^"]+)"/g;
  const capperLinks = /<th scope="row"><a class="capper" href="\/c\/([^"]+)"/g;

  const busiest = async () => {
    const { handle, id } = await database()('cappers as c')
      .join('board_picks as p', 'p.capper_id', 'c.id')
      .groupBy('c.id')
      .orderByRaw('count(*) desc, c.id')
      .first('c.id', 'c.handle');
    return { handle, id } as { handle: string; id: number };
  };
  const picksOf = (id: number) =>
    database()('board_picks').where('capper_id', id).orderByRaw('posted_at desc, uuid');

  it('have every pick of a capper once, in pages, newest first', async () => {
    const { handle, id } = await busiest();
    const all = await picksOf(id).pluck('uuid');
    expect(await throughout(`/c/${handle}/picks`, pickLinks)).to.deep.equal(all);
    const some: string[] = [];
    let cursor = '';
    do {
      const { picks, nextCursor } = JSON.parse(
        await get(`/api/cappers/${handle}/picks?limit=3${cursor && `&cursor=${cursor}`}`),
      );
      some.push(...picks.map(({ pickUuid }: { pickUuid: string }) => pickUuid));
      cursor = nextCursor ?? '';
    } while (cursor !== '');
    expect(some).to.deep.equal(all);
  });

  it('filter the picks of a capper by sport, market, result, month, and provenance', async () => {
    const { handle, id } = await busiest();
    const [{ sport, market, result, month }] = await picksOf(id)
      .whereNotNull('result')
      .select(
        'sport',
        'market',
        'result',
        database().raw(`to_char(posted_at at time zone 'America/New_York', 'YYYY-MM') as month`),
      );
    for (const [query, where] of [
      [`sport=${sport}&market=${market}`, { sport, market }],
      [`result=${result}&provenance=imported`, { result, provenance: 'imported' }],
      ['result=pending', { result: null }],
      ['provenance=live', { provenance: 'live' }],
    ] as const)
      expect(await throughout(`/c/${handle}/picks?${query}`, pickLinks), query).to.deep.equal(
        await picksOf(id).where(where).pluck('uuid'),
      );
    expect(await throughout(`/c/${handle}/picks?month=${month}`, pickLinks)).to.deep.equal(
      await picksOf(id)
        .whereRaw(`to_char(posted_at at time zone 'America/New_York', 'YYYY-MM') = ?`, [month])
        .pluck('uuid'),
    );
    await get(`/c/${handle}/picks?month=2025-13`, 400);
    await get('/c/nobody/picks', 404);
  });

  it('rank cappers by only their picks of one sport and market', async () => {
    const settled = () => database()('board_picks').whereNotNull('result');
    const { sport, market }: { sport: string; market: string } = await settled().first('sport', 'market');
    const ranked = async (path: string) =>
      [...(await get(path)).matchAll(capperLinks)].map(([, link = '']) => link.replace(/\?.*/, '')).sort();
    expect(await ranked(`/leaderboard?sport=${sport}&market=${market}`)).to.deep.equal(
      await settled()
        .where({ sport, market })
        .join('cappers as c', 'c.id', 'capper_id')
        .groupBy('handle')
        .orderByRaw('handle collate "C"')
        .pluck('handle'),
    );
    const { cappers } = JSON.parse(await get(`/api/leaderboard?sport=${sport}&market=${market}`));
    const counted = cappers.reduce((sum: number, { picks }: { picks: number }) => sum + picks, 0);
    expect(counted)
      .to.equal((await settled().where({ sport, market })).length)
      .and.to.be.above(0);
    const none = await get('/leaderboard?market=corners');
    expect(none).to.contain('No capper has a settled pick').and.to.contain('aria-current="true">Corners</a>');
  });

  it("carry sport and market from the leaderboard to a capper's page, which shows only those picks", async () => {
    const { sport, market }: { sport: string; market: string } = await database()('board_picks')
      .whereNotNull('result')
      .first('sport', 'market');
    const query = `sport=${sport}&market=${market}`;
    const [, link = ''] = (await get(`/leaderboard?${query}`)).match(
      /<th scope="row"><a class="capper" href="([^"]+)"/,
    )!;
    const path = link.replaceAll('&amp;', '&');
    expect(path)
      .to.match(/^\/c\/[^?]+/)
      .and.to.contain(`?${query}`);
    const page = await get(path);
    const chosen = [...page.matchAll(/aria-current="true">([^<]+)</g)].map(([, label = '']) =>
      label.toLowerCase(),
    );
    expect(chosen).to.include.members([sport, market.replaceAll('_', ' ')]);
    const handle = path.replace(/^\/c\/|\?.*/g, '');
    const picks = await database()('board_picks as p')
      .join('cappers as c', 'c.id', 'p.capper_id')
      .where({ handle, sport, market })
      .orderBy([{ column: 'p.posted_at', order: 'desc' }, { column: 'p.uuid' }])
      .pluck('uuid');
    expect([...page.matchAll(pickLinks)].map(([, uuid]) => uuid)).to.deep.equal(picks.slice(0, 3));
    const stats = JSON.parse(await get(`/api/cappers/${handle}/stats?${query}`));
    expect(stats.bySport).to.have.length(1);
    expect(stats.bySport[0]).to.deep.include({ sport, ...stats.lifetime });
    const none = await get(`/c/${handle}?market=corners`);
    expect(none).to.contain('No settled picks.').and.to.contain('No picks match these filters.');
  });

  it('rank all cappers in pages, each once and in the order of the board', async () => {
    const { owner } = served.database;
    const rows: { id: number }[] = await owner('cappers')
      .insert(
        Array.from({ length: 32 }, (_, index) => ({
          handle: `rank-${index}`,
          tier: 'listed',
          verified: true,
          created_at: new Date(now),
        })),
      )
      .returning('id');
    await owner('capper_totals').insert(
      rows.map(({ id }, index) => ({
        capper_id: id,
        sport: 'nhl',
        market: 'total',
        provenance: 'imported',
        posted: 40,
        wins: index,
        losses: 40 - index,
        last_posted_at: new Date(now),
      })),
    );
    const { cappers } = JSON.parse(await get('/api/leaderboard?sport=nhl&market=total&limit=200'));
    const handles = cappers.map(({ handle }: { handle: string }) => handle);
    expect(handles).to.include.members(rows.map((_, index) => `rank-${index}`));
    const links = await throughout('/leaderboard?sport=nhl&market=total', capperLinks);
    expect(links.map((link) => link.replace(/\?.*/, ''))).to.deep.equal(handles);
    expect(await get('/leaderboard?sport=nhl&market=total&after=500')).to.contain(
      'Nobody ranks below number 500.',
    );
    await get('/leaderboard?after=-1', 400);
  });

  it('list and filter all cappers with a pick, by handle, in pages', async () => {
    await served.database.owner('cappers').insert(
      Array.from({ length: 45 }, (_, index) => ({
        handle: `zz-${String(index).padStart(2, '0')}`,
        tier: 'listed',
        verified: true,
        created_at: new Date(now),
      })),
    );
    const { rows }: { rows: { id: number }[] } = await served.database.owner.raw(
      `select id from cappers where handle like 'zz-%'`,
    );
    await served.database.owner('capper_totals').insert(
      rows.map(({ id }, index) => ({
        capper_id: id,
        sport: 'nhl',
        market: 'total',
        provenance: 'imported',
        posted: index + 1,
        last_posted_at: new Date(now - 86_400_000 * (index < 5 ? 2 : 60)),
      })),
    );
    const handles = (await throughout('/cappers', capperLinks)).filter((each) => each.startsWith('zz-'));
    expect(handles).to.have.lengthOf(45);
    expect(handles).to.deep.equal([...handles].sort());
    expect(await throughout('/cappers?sport=nhl&active=7d', capperLinks)).to.include.members(
      handles.slice(0, 5),
    );
    expect(
      (await throughout('/cappers?sport=nhl&active=7d', capperLinks)).filter((each) =>
        each.startsWith('zz-'),
      ),
    ).to.have.lengthOf(5);
    expect(
      (await throughout('/cappers?min_picks=41', capperLinks)).filter((each) => each.startsWith('zz-')),
    ).to.deep.equal(handles.slice(40));
    expect(await throughout('/cappers?tier=elite', capperLinks)).not.to.include.members(handles.slice(0, 1));
    expect(await throughout('/cappers?provenance=live', capperLinks)).to.deep.equal([]);
  });

  it('show a game with its score, its prices, and every pick by side', async () => {
    const { id, name, side, market, count } = await database()('board_picks as p')
      .join('games as g', 'g.id', 'p.game_id')
      .where('g.status', 'final')
      .groupBy('g.id', 'p.market', 'p.side')
      .orderByRaw('count(*) desc, g.id, p.market, p.side')
      .first('g.id', 'g.name', 'p.market', 'p.side', database().raw('count(*)::int'));
    const text = await get(`/game/${id}`);
    expect(text).to.contain(name.replaceAll('&', '&amp;')).and.to.contain('Final');
    const all = await database()('board_picks')
      .where('game_id', id)
      .orderByRaw('posted_at desc, uuid')
      .pluck('uuid');
    expect(await throughout(`/game/${id}`, pickLinks)).to.deep.equal(all);
    expect(await throughout(`/game/${id}?market=${market}&side=${side}`, pickLinks)).to.have.lengthOf(count);
    await get('/game/999999', 404);
    await get('/game/0', 404);
  });

  it('chart the prices of a market per book', async () => {
    const { game_id: id, market } = await database()('lines')
      .groupBy('game_id', 'market')
      .havingRaw('count(distinct captured_at) > 1')
      .orderBy(['game_id', 'market'])
      .first('game_id', 'market');
    const books = await database()('lines').where({ game_id: id, market }).distinct('book').pluck('book');
    const text = await get(`/game/${id}?market=${market}`);
    expect(text.match(/class="curve book"/g)).to.have.lengthOf(books.length);
  });

  it('show a sport with its games, leaders, and record, and no unknown sport', async () => {
    const text = await get('/sport/nfl');
    expect(text).to.contain('id="today"').and.to.contain('id="leaders"').and.to.contain('All time');
    await get('/sport/chess', 404);
  });

  it('never send readers of a page to the JSON for the rest', async () => {
    const { handle } = await busiest();
    for (const path of ['/', `/c/${handle}`, '/cappers', '/sport/nfl', `/c/${handle}/picks`])
      expect(await get(path), path).not.to.match(/in <a href="\/api/);
  });
});

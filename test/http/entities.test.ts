import { expect } from 'chai';
import { request } from 'undici';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { busyDay } from '../support/ledgers.ts';
import { withRedis } from '../support/redis.ts';

describe('pages and boards of players, teams, and markets', () => {
  const database = withDatabase({ filling: busyDay });
  const redis = withRedis();
  let site: RunningApi;
  let player: { name: string; sport: string; game: string };
  before(async () => {
    site = await startApi({ database, redis }, { clock: fixedClock(busyDay.now) });
    player = await database
      .database('board_picks as p')
      .join('games as g', 'g.id', 'p.game_id')
      .whereRaw(`p.market ~ '^player_' and p.subject ~ '^[A-Z]. [A-Z][a-z]+$' and g.name ~ '^[A-Za-z @]+$'`)
      .orderBy('p.pick_id')
      .first({ name: 'p.subject', sport: 'p.sport', game: 'g.name' });
  });
  after(() => site.close());

  const get = async (path: string) => {
    const { statusCode, headers, body } = await request(site.address + path);
    return { status: statusCode, location: headers.location, text: await body.text() };
  };
  const json = async (path: string) => {
    const { status, text } = await get(path);
    expect(status, text).to.equal(200);
    return JSON.parse(text);
  };

  it('have one address for all spellings of a name', async () => {
    const slug = player.name.toLowerCase().replace('. ', '-');
    const path = `/player/${player.sport}/${slug}`;
    for (const spelling of [player.name, player.name.toUpperCase(), player.name.replace(' ', '')]) {
      expect((await json(`/api/players/${player.sport}/${encodeURIComponent(spelling)}`)).path).to.equal(
        path,
      );
      expect(await get(`/player/${player.sport}/${encodeURIComponent(spelling)}`)).to.include({
        status: 303,
        location: path,
      });
    }
    expect((await get(path)).status).to.equal(200);
    const [, home = ''] = player.game.split(' @ ');
    const { path: ofTeam } = await json(`/api/teams/${player.sport}/${encodeURIComponent(home)}`);
    expect(ofTeam).to.equal(`/team/${player.sport}/${home.toLowerCase().replaceAll(' ', '-')}`);
    expect((await get(ofTeam)).status).to.equal(200);
    expect((await get(`/market/${player.sport}/totals`)).text).to.match(
      new RegExp(`<link rel="canonical" href="[^"]*/market/${player.sport}/total">`),
    );
  });

  it('suggest similar names for an unknown one', async () => {
    const { name, sport } = player;
    const [first, last] = name.split(' ');
    const of = async (path: string) => {
      const { status, text } = await get(path);
      expect(status, path).to.equal(404);
      return JSON.parse(text).detail;
    };
    expect(first).to.have.length(2);
    for (const wrong of [`${first}x ${last}`, `Xavier ${last}`, `${last} the Great`, `Xavier ${last}x`])
      expect(await of(`/api/players/${sport}/${encodeURIComponent(wrong)}`), wrong).to.include(last!);
    expect(await of('/api/players/nba/zzzz-qqqq')).to.include('search for part');
    expect(await of('/api/teams/nba/boston-celtcs')).to.include('Did you mean Boston Celtics');
    expect(await of('/api/teams/nfl/%E2%98%83%E2%98%83')).to.include('Check the spelling');
    expect(await of(`/api/markets/${sport}/player_zigzags`)).to.include('Did you mean player_');
    expect(await of('/api/players/curling/ada-finch')).to.include('sport');
  });

  it('list the same picks in their feeds and calendars', async () => {
    const { name, sport } = player;
    const { path, open, results } = await json(`/api/players/${sport}/${encodeURIComponent(name)}`);
    const feed = (await get(`${path}/rss.xml`)).text;
    expect(feed).to.include(`<title>Picks on ${name}</title>`);
    for (const { pickUuid } of [...open, ...results].slice(0, 20)) expect(feed).to.include(pickUuid);
    const query = new URLSearchParams({ sport, player: name.toUpperCase() });
    const { picks } = await json(`/api/feed/today?${query}`);
    expect(picks.map(({ subject }: { subject: string }) => subject)).to.deep.equal(picks.map(() => name));
    expect((await get(`/api/feed/today.ics?${query}`)).text.match(/BEGIN:VEVENT/g) ?? []).to.have.length(
      picks.length,
    );
  });

  it('offer to follow only their picks, by notification and in a chat', async () => {
    const { sport, game, name } = player;
    const [, home = ''] = game.split(' @ ');
    for (const [kind, entity] of [
      ['team', home],
      ['player', name],
    ] as const) {
      const { path } = await json(`/api/${kind}s/${sport}/${encodeURIComponent(entity)}`);
      const query = String(new URLSearchParams({ sport, [kind]: entity })).replace('&', '&amp;');
      expect((await get(path)).text)
        .to.include(`data-push="/api/push?${query}"`)
        .and.include(`href="/webhooks?${query}#subscribe"`);
      expect((await get(`/webhooks?sport=${sport}&${kind}=${encodeURIComponent(entity)}`)).text).to.match(
        new RegExp(`name="${kind}"[^>]*value="${entity.replace('.', '\\.')}"`),
      );
    }
  });

  it('are linked from the pages of picks and games', async () => {
    const { uuid, game_id } = await database
      .database('board_picks')
      .where({ subject: player.name, sport: player.sport })
      .first('uuid', 'game_id');
    const slug = player.name.toLowerCase().replace('. ', '-');
    const [away = ''] = player.game.split(' @ ');
    const team = `href="/team/${player.sport}/${away.toLowerCase().replaceAll(' ', '-')}"`;
    const pick = (await get(`/p/${uuid}`)).text;
    expect(pick)
      .to.include(`href="/player/${player.sport}/${slug}"`)
      .and.include(`href="/market/${player.sport}/player_`);
    expect(pick).to.include('href="/team/');
    const [{ id }] = await database
      .database('games')
      .where({ name: player.game, sport: player.sport })
      .select('id');
    expect((await get(`/game/${id}`)).text).to.include(team);
    expect(game_id).to.be.above(0);
  });
});

import { expect } from 'chai';
import { teamAliases } from '../../../src/games/names/aliases.ts';
import { sealAll } from '../../../src/ledger/sealing/seal.ts';
import { tags } from '../../../src/projections/tags.ts';
import { updateProjections } from '../../../src/projections/update.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { withDatabase } from '../../support/database.ts';
import { fixedClock } from '../../support/fixed-clock.ts';
import { withFolder } from '../../support/folders.ts';
import { withRedis } from '../../support/redis.ts';
import { ingest, runPipeline } from '../../support/whole-way.ts';

describe('the picks of a game, found by its name', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  const clock = fixedClock('2024-10-06T14:00:00Z');
  const composed = 'Montréal Élans @ Šibenik Õllid';
  const decomposed = composed.normalize('NFD');
  let site: RunningApi;

  before(async () => {
    const game = { sport: 'nhl', game: decomposed, startsAt: '2024-10-06T17:00:00Z' };
    const pick = {
      capperHandle: 'ada',
      market: 'moneyline',
      side: 'home',
      oddsAmerican: -110,
      stakeUnits: 1,
    };
    const files = [
      folder.write('cappers.ndjson', [{ handle: 'ada', tier: 'elite', verified: true }]),
      folder.write('games.ndjson', [
        { ...game, status: 'scheduled' },
        { ...game, game: composed, status: 'scheduled' },
        { ...game, game: 'NYR @ Montréal Canadiens', status: 'scheduled' },
      ]),
      folder.write('picks.ndjson', [
        { ...game, ...pick, pick: decomposed, postedAt: '2024-10-06T12:00:00Z' },
        { ...game, ...pick, game: composed, pick: composed, postedAt: '2024-10-06T12:00:00Z' },
        { ...game, ...pick, game: 'NY Rangers at Canadiens', pick: 'Habs', postedAt: '2024-10-06T12:00:00Z' },
      ]),
    ];
    await ingest(database.database, files, clock.now());
    await runPipeline(database.database, clock.now());
    site = await startApi({ database, redis }, { clock });
  });
  after(() => site.close());

  it('treat texts that differ only in their Unicode form as one game and one pick', async () => {
    expect(await database.database('games').orderBy('id').pluck('name')).to.deep.equal([
      composed,
      'NYR @ Montréal Canadiens',
    ]);
    expect(await database.database('picks').orderBy('id').pluck('pick')).to.deep.equal([composed, 'Habs']);
  });

  for (const [how, name] of [
    ['as stored', composed],
    ['in NFD', decomposed],
    ['in upper case', composed.toUpperCase()],
    ['in lower case', composed.toLowerCase()],
  ] as const)
    it(`are found by the name ${how}`, async () => {
      const query = new URLSearchParams({ sport: 'NHL', game: name });
      const { picks } = (await (await fetch(`${site.address}/api/picks/by-game?${query}`)).json()) as {
        picks: { game: string }[];
      };
      expect(picks.map(({ game }) => game)).to.deep.equal([composed]);
    });

  it('include other spellings of the teams only if no game has the exact name', async () => {
    const rows = [
      {
        sport: 'nhl',
        game: 'NYR @ Toronto Maple Leafs',
        startsAt: '2024-10-07T17:00:00Z',
        status: 'scheduled',
      },
      { sport: 'nhl', game: 'Rangers @ Leafs', startsAt: '2024-12-07T17:00:00Z', status: 'scheduled' },
    ];
    const picks = rows.map(({ sport, game, startsAt }) => ({
      capperHandle: 'ada',
      sport,
      game,
      startsAt,
      market: 'moneyline',
      side: 'away',
      pick: game,
      oddsAmerican: 120,
      stakeUnits: 1,
      postedAt: '2024-10-06T12:30:00Z',
    }));
    const files = [folder.write('same-games.ndjson', rows), folder.write('same-picks.ndjson', picks)];
    await ingest(database.database, files, clock.now());
    await runPipeline(database.database, clock.now());
    const read = async (game: string) => {
      const query = new URLSearchParams({ sport: 'nhl', game });
      const answer = await (await fetch(`${site.address}/api/picks/by-game?${query}`)).json();
      return (answer as { picks: { game: string }[] }).picks.map((pick) => pick.game);
    };
    expect(await read('rangers @ leafs')).to.deep.equal(['Rangers @ Leafs']);
    expect(await read('NYR @ Toronto')).to.have.members(['NYR @ Toronto Maple Leafs', 'Rangers @ Leafs']);
  });

  it('start with the latest pick of all games of that name', async () => {
    const days = ['2024-10-07', '2024-10-08'].map((day) => ({
      sport: 'nhl',
      game: 'Terns @ Wrens',
      startsAt: `${day}T17:00:00Z`,
      status: 'scheduled',
    }));
    const picks = [0, 1, 2, 3].map((minute) => ({
      capperHandle: 'ada',
      sport: 'nhl',
      game: 'Terns @ Wrens',
      startsAt: days[minute % 2]!.startsAt,
      market: 'moneyline',
      side: 'away',
      pick: `${minute}`,
      oddsAmerican: 120,
      stakeUnits: 1,
      postedAt: `2024-10-06T12:0${minute}:00Z`,
    }));
    const files = [folder.write('twice-games.ndjson', days), folder.write('twice-picks.ndjson', picks)];
    await ingest(database.database, files, clock.now());
    await runPipeline(database.database, clock.now());
    const query = new URLSearchParams({ sport: 'nhl', game: 'terns @ wrens', limit: '3' });
    const answer = await (await fetch(`${site.address}/api/picks/by-game?${query}`)).json();
    expect((answer as { picks: { pick: string }[] }).picks.map(({ pick }) => pick)).to.deep.equal([
      '3',
      '2',
      '1',
    ]);
    expect(answer).to.deep.include({
      sides: [{ market: 'moneyline', subject: null, side: 'away', count: 4 }],
    });
  });

  it('start with the latest pick among many games, even if only some games have the latest picks', async () => {
    const name = { sport: 'nhl', game: 'Knots @ Ruffs' };
    const at = (instant: number) => new Date(instant).toISOString();
    const day = 86_400_000;
    const first = Date.parse('2024-10-07T17:00:00Z');
    const games = Array.from({ length: 40 }, (_, index) => ({ ...name, startsAt: at(first + index * day) }));
    // The picks on early games are the latest.
    const picks = games.flatMap(({ startsAt }, index) =>
      [0, 1, 2].map((pick) => ({
        ...name,
        startsAt,
        capperHandle: 'ada',
        market: 'moneyline',
        side: 'home',
        pick: `${index}.${pick}`,
        oddsAmerican: 120,
        stakeUnits: 1,
        postedAt: at(clock.now() - (10 + 3 * index + pick) * 60_000),
      })),
    );
    const files = [
      folder.write(
        'many-games.ndjson',
        games.map((game) => ({ ...game, status: 'scheduled' })),
      ),
      folder.write('many-picks.ndjson', picks),
    ];
    await ingest(database.database, files, clock.now());
    await runPipeline(database.database, clock.now());
    for (const limit of [1, 4, 47, 48, 49, 119, 120, 500]) {
      const query = new URLSearchParams({ sport: 'nhl', game: name.game, limit: `${limit}` });
      const answer = await (await fetch(`${site.address}/api/picks/by-game?${query}`)).json();
      expect((answer as { picks: { pick: string }[] }).picks.map(({ pick }) => pick)).to.deep.equal(
        picks.slice(0, limit).map(({ pick }) => pick),
      );
      expect(answer).to.deep.include({
        sides: [{ market: 'moneyline', subject: null, side: 'home', count: 120 }],
      });
    }
  });

  it('are found by other names of known teams, and go stale when a pick arrives under another name', async () => {
    const query = new URLSearchParams({ sport: 'nhl', game: 'New York Rangers @ Montreal Canadiens' });
    const read = async () =>
      (
        (await (await fetch(`${site.address}/api/picks/by-game?${query}`)).json()) as {
          picks: { pick: string }[];
        }
      ).picks.map(({ pick }) => pick);
    expect(await read()).to.deep.equal(['Habs']);
    const more = {
      capperHandle: 'ada',
      sport: 'nhl',
      game: 'MTL vs NYR',
      startsAt: '2024-10-06T17:00:00Z',
      market: 'moneyline',
      side: 'away',
      pick: 'Rangers',
      oddsAmerican: 120,
      stakeUnits: 1,
      postedAt: '2024-10-06T13:00:00Z',
    };
    await ingest(database.database, [folder.write('more-picks.ndjson', [more])], clock.now());
    await sealAll(database.database);
    const touched: string[] = [];
    await updateProjections(database.database, async (tags) => void touched.push(...tags));
    expect(touched).to.include(tags.game('nhl', 'New York Rangers @ Montreal Canadiens'));
  });

  it("are found by the operator's aliases as soon as they are added", async () => {
    const game = { sport: 'nhl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-11-06T17:00:00Z' };
    const pick = { ...game, capperHandle: 'ada', market: 'moneyline', side: 'home', pick: 'Foxes' };
    const files = [
      folder.write('alias-games.ndjson', [{ ...game, status: 'scheduled' }]),
      folder.write('alias-picks.ndjson', [
        { ...pick, oddsAmerican: 120, stakeUnits: 1, postedAt: '2024-10-06T12:30:00Z' },
      ]),
    ];
    await ingest(database.database, files, clock.now());
    await runPipeline(database.database, clock.now());
    const read = async (name: string) => {
      const query = new URLSearchParams({ sport: 'nhl', game: name });
      const answer = await (await fetch(`${site.address}/api/picks/by-game?${query}`)).json();
      return (answer as { picks: { game: string }[] }).picks.map((each) => each.game);
    };
    expect(await read('HG @ Foxes')).to.deep.equal([]);
    await teamAliases.put(database.database, { sport: 'nhl', alias: 'hg', team: 'harbor gulls' });
    await teamAliases.put(database.database, { sport: 'nhl', alias: 'foxes', team: 'copper foxes' });
    expect(await read('HG @ Foxes')).to.deep.equal([game.game]);
    expect(await read('foxes vs hg')).to.deep.equal([game.game]);
  });
});

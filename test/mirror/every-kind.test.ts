import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyLog } from '../../packages/client/src/mirror.ts';
import { addKeys, revokeKeyAsOperator } from '../../src/cappers/key-changes.ts';
import { joinGames } from '../../src/games/twins.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { auditSnapshot } from '../../src/ledger/audit/audit.ts';
import { startNewOrigin } from '../../src/ledger/publishing/new-origin.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { compareBoards } from '../../src/mirror/compare.ts';
import { rebuildFrom } from '../../src/mirror/rebuild.ts';
import { fetchBytes, openLog } from '../../src/monitor/log-client.ts';
import { iso } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { writeDataFiles } from '../../src/record/data-files.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { firstKey, keyToAdd, newAuthorKey } from '../support/author.ts';
import { createDatabase, dropDatabase, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { postPick } from '../support/post-pick.ts';
import { withRedis } from '../support/redis.ts';
import { origin, type RichLog, richLog } from '../support/rich-log.ts';
import { runPipeline } from '../support/whole-way.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('a database rebuilt from a log with joined games, other keys, and data files', function () {
  this.timeout(180_000);
  const original = withDatabase();
  // The kind of a log is that of the copied one.
  const rebuilt = withDatabase({ kind: 'live' });
  const redis = withRedis();
  const folder = withFolder();
  let log: RichLog;
  let site: RunningApi;
  let begin: number;
  let later: number;

  const intake = (now: number) => ({ now, imported: false });
  const goOn = async (now: number) => {
    await runPipeline(original.database, now);
    await publishCheckpoint(original.database, log.publisher, now);
  };
  const gameOf = (pair: number, home: string, startsAt: number) => ({
    sport: 'soccer',
    game: `Harbor Gulls ${'abcdef'[pair]} @ ${home} ${'abcdef'[pair]}`,
    startsAt: iso(startsAt),
  });
  const post = async (
    capperHandle: string,
    game: Pick<GameRow, 'sport' | 'game' | 'startsAt' | 'day'>,
    now: number,
    more = {},
  ) => {
    const bet = { market: 'moneyline', side: 'home', pick: 'Home', oddsAmerican: 150, stakeUnits: 1 };
    const posted = await postPick(
      original.database,
      { capperHandle, ...game, ...bet, ...more },
      undefined,
      now,
    );
    expect(posted).to.have.property('outcome', 'added');
  };
  const announce = (row: GameRow, now: number) =>
    original.database.transaction((transaction) => applyGames(transaction, [row], intake(now)));
  const price = (game: ReturnType<typeof gameOf>, now: number) =>
    original.database.transaction((transaction) => {
      const rows = (['away', 'home', 'draw'] as const).map((side) => ({
        ...game,
        market: 'moneyline',
        side,
        book: 'north',
        capturedAt: iso(now),
        oddsAmerican: side === 'home' ? 150 : 220,
      }));
      return applyLines(transaction, rows, intake(now), 'provider');
    });

  before(async () => {
    // As a migration does.
    const notice = {
      topic: 'log-kind',
      text: 'This log is a replay: its processes ran on a set clock, so its times prove nothing.',
    };
    for (const stores of [original, rebuilt])
      await stores.owner('notices').insert({ at: new Date(), ...notice });
    log = await richLog(original.database, folder, 10);
    begin = log.now + 2 * 24 * hour;
    const handles = ['ada', 'bea', 'cam'].map((handle) => ({
      handle,
      tier: 'elite' as const,
      verified: true,
    }));
    await applyCappers(original.database, handles, intake(begin));
    const capper = await original.database('cappers').where({ handle: 'ada' }).first('id', 'handle');
    const first = await firstKey(original.database, capper, begin);
    const next = await newAuthorKey();
    const added = await keyToAdd('ada', next, begin + minute, { endorser: first, origin });
    await original.database.transaction((transaction) =>
      addKeys(transaction, capper, [added], undefined, begin + minute),
    );
    await revokeKeyAsOperator(original.owner, capper, first.id, begin + 2 * minute);
    await gameOfDay();
    await joins();
    await goOn(begin + 3 * 24 * hour);
    later = begin + 40 * 24 * hour;
    const files = join(folder.path(), 'files');
    const written = await writeDataFiles(
      original.database,
      { ...log.publisher, dataFiles: files, publishPrices: true },
      later,
    );
    expect(written.length).to.be.greaterThan(4);
    await goOn(later);
    site = await startApi(
      { database: original, redis },
      { clock: { now: () => later }, settings: { PUBLISH_PRICES: '1', DATA_FILES: files } },
    );
    const mirror = join(folder.path(), 'mirror');
    await copyLog(openLog(site.address, fetchBytes), mirror);
    await rebuildFrom(mirror, rebuilt.owner);
  });
  after(() => site?.close());

  /** A game that was announced without a time: the log names it by the move to its time first, and by its day later. */
  async function gameOfDay() {
    const game = { sport: 'soccer', game: 'Tin Cats @ Iron Owls', day: iso(begin).slice(0, 10) };
    await announce({ ...game, status: 'scheduled' }, begin);
    const start = begin + 10 * hour;
    await announce({ ...game, status: 'scheduled', movedTo: iso(start) }, begin + minute);
    await goOn(begin + 2 * minute);
    await post('ada', game, begin + 3 * minute);
    await announce(
      { ...game, status: 'final', homeScore: 1, awayScore: 0, finalAt: iso(start + hour) },
      start + hour,
    );
  }

  /** Three pairs of games that were one fixture each. The log names the later game of the second pair first. */
  async function joins() {
    for (const pair of [0, 1, 2]) {
      const start = begin + (6 + pair) * hour;
      const at = begin + hour + pair * 10 * minute;
      const older = gameOf(pair, 'Copper Foxes', start);
      const newer = gameOf(pair, 'CFX', start + (pair === 1 ? 20 : -10) * minute);
      for (const game of [older, newer]) await announce({ ...game, status: 'scheduled' }, at);
      await price(newer, at);
      await post('bea', newer, at + minute);
      if (pair !== 1) await post('ada', older, at + minute);
      await goOn(at + 2 * minute);
      const ids: number[] = await original.database('games').orderBy('id', 'desc').limit(2).pluck('id');
      // The last pair is joined after it began.
      const joinedAt = pair === 2 ? start + hour : at + 3 * minute;
      if (pair === 2) await goOn(start + 30 * minute);
      await original.database.transaction((transaction) =>
        joinGames(transaction, ids[0]!, ids[1]!, joinedAt),
      );
      await goOn(joinedAt + minute);
      if (pair === 0) await post('cam', older, joinedAt + 2 * minute, { side: 'draw' });
    }
    const over = begin + 12 * hour;
    await goOn(over - hour);
    for (const pair of [0, 1, 2]) {
      const game = gameOf(pair, 'Copper Foxes', begin + (6 + pair) * hour);
      await announce({ ...game, status: 'final', homeScore: 2, awayScore: pair, finalAt: iso(over) }, over);
    }
    await goOn(over + hour);
  }

  it('gives every board as the service does', async () => {
    const { answers, differences } = await compareBoards(rebuilt.database, site.address);
    expect(differences).to.deep.equal([]);
    expect(answers).to.be.greaterThan(80);
  });

  it('has the same joins, keys, and data files, and the audit finds it sound', async () => {
    const found = await rebuilt.owner.transaction((transaction) => auditSnapshot(transaction, undefined, {}));
    expect(found).to.include({ difference: null });
    const rows = async (database: Database) => ({
      kinds: await database('ledger_entries').groupBy('kind').orderBy('kind').select('kind').count(),
      leaves: await database('ledger_entries').orderBy('seq').pluck('leaf_hash'),
      kind: await database('log_kind').pluck('kind'),
      notices: await database('notices').orderBy('id').select('topic', 'text'),
      moves: await database('start_moves as m')
        .join('games as g', 'g.id', 'm.game_id')
        .orderBy('m.id')
        .select('m.game', 'g.day', 'g.starts_at', 'm.to_start'),
      joins: await database('game_joins as j')
        .join('games as f', 'f.id', 'j.from_game')
        .join('games as t', 't.id', 'j.to_game')
        .orderBy('j.id')
        .select(
          'f.name as from',
          't.name as to',
          'prices',
          'at',
          'joined_by',
          'f.home_score',
          't.away_score',
          't.status',
        ),
      keys: await database('signing_keys').orderBy('id').pluck('vkey'),
      capperKeys: await database('capper_keys')
        .orderBy('id')
        .select('action', 'key', 'key_id', 'made_by', 'at'),
      indexes: await database('data_indexes').orderBy('id').pluck('note'),
      picks: await database('board_picks as b')
        .join('games as g', 'g.id', 'b.game_id')
        .orderBy('uuid')
        .select('uuid', 'g.name', 'result', 'edge_bps', 'price_verdict', 'net_units_e4', 'sealed_in_time'),
      followers: await database('follower_prices').orderBy(['pick_id', 'delay']).select('*'),
    });
    const [ours, theirs] = [await rows(rebuilt.owner), await rows(original.owner)];
    for (const key of Object.keys(theirs) as (keyof typeof theirs)[])
      expect(ours[key], key).to.deep.equal(theirs[key]);
    expect(ours.joins).to.have.length(3);
    expect(ours.keys).to.have.length(2);
    expect(ours.capperKeys.map(({ action }) => action)).to.include('revoke');
  });

  it('gives the boards of a log that continues an earlier one, except when that one covered its picks', async () => {
    const origin = 'picks.example/ledger-2';
    await startNewOrigin(original.owner, { origin, notice: 'This log replaces another.', at: later });
    rmSync(log.publisher.checkpointFile);
    log.publisher.key = Buffer.alloc(32, 11).toString('base64');
    await goOn(later + minute);
    const other = await createDatabase();
    const site = await startApi(
      { database: original, redis },
      { clock: { now: () => later + 2 * minute }, settings: { PUBLISH_PRICES: '1' } },
    );
    try {
      const mirror = join(folder.path(), 'mirror-2');
      await copyLog(openLog(site.address, fetchBytes), mirror);
      await rebuildFrom(mirror, other.owner);
      const { differences, beyond } = await compareBoards(other.database, site.address);
      expect(differences).to.deep.equal([]);
      expect(beyond.join('\n')).to.match(/by the checkpoints of an earlier log/);
      expect(await other.owner('log_kind').pluck('kind')).to.deep.equal(['replay']);
    } finally {
      await site.close();
      await dropDatabase(other);
    }
  });
});

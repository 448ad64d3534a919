import { expect } from 'chai';
import { v4 } from 'uuid';
import { joinGames } from '../../src/games/twins.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { audit } from '../../src/ledger/audit/audit.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { eventsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { iso } from '../../src/platform/clock.ts';
import { type Database, openDatabase, type Transaction } from '../../src/platform/database.ts';
import { asLogin, withDatabase } from '../support/database.ts';

const minute = 60_000;
const hour = 60 * minute;
const now = Date.parse('2026-01-11T12:00:00Z');
const start = now + 6 * hour;

describe('joins of games, forged through the database login of the operator', () => {
  const stores = withDatabase();
  let operator: Database;

  before(async () => {
    operator = openDatabase(asLogin(stores.ownerUrl, 'operator'));
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], {
      now,
      imported: false,
    });
  });
  after(() => operator.destroy());

  /** Runs statements of the owner as if they were made at the beginning. */
  const then = <T>(work: (transaction: Transaction) => Promise<T>) =>
    stores.owner.transaction(async (transaction) => {
      await transaction.raw(`select set_config('public_picks.now', ?, true)`, [iso(now)]);
      return work(transaction);
    });
  const add = async (sport: string, name: string, startsAt: number | null, more = {}): Promise<number> => {
    const at = startsAt === null ? null : iso(startsAt);
    const row = { sport, name, announced_start: at, starts_at: at, vouched_at: iso(now), ...more };
    return then(async (owner) => (await owner('games').insert(row).returning('id'))[0].id);
  };
  const forge = (from: number, to: number) =>
    operator('game_joins')
      .insert({ from_game: from, to_game: to })
      .then(() => 'stored')
      .catch((error: Error) => error.message.split(' - ').at(-1)!);
  async function findings(): Promise<string[]> {
    const found: string[] = [];
    await audit(stores.database, async () => undefined, {
      onFinding: ({ message }) => void (message.startsWith('game_joins, id') && found.push(message)),
    });
    return found;
  }

  it('are refused for games of other sports, days, and ends, and for games that were joined', async () => {
    const one = await add('soccer', 'Harbor Gulls @ Copper Foxes', start);
    const other = await add('soccer', 'Harbor Gulls @ CFX', start + minute);
    const nfl = await add('nfl', 'Harbor Gulls @ Copper Foxes', start);
    const tomorrow = await add('soccer', 'Harbor Gulls @ Copper Foxes', start + 26 * hour);
    const nextWeek = await add('soccer', 'Harbor Gulls @ Foxes', null, { day: '2026-01-18' });
    const final = { status: 'final', final_at: iso(start + 2 * hour), home_score: 1 };
    const [won, lost] = [
      await add('soccer', 'Tin Cats @ Iron Owls', start, { ...final, away_score: 0 }),
      await add('soccer', 'Tin Cats @ Owls', start, { ...final, away_score: 2 }),
    ];
    expect(await forge(one, one)).to.match(/check constraint/);
    expect(await forge(one, other)).to.match(/check constraint/);
    expect(await forge(nfl, one)).to.equal('their sports differ');
    expect(await forge(tomorrow, one)).to.equal('more than a day lies between their starts');
    expect(await forge(nextWeek, one)).to.equal('more than a day lies between their starts');
    expect(await forge(lost, won)).to.equal('they ended differently');
    expect(await forge(999_999, one)).to.match(/foreign key|null value|violates/);
    expect(await forge(other, one)).to.equal('stored');
    expect(await forge(other, one)).to.equal(`one of them was joined into game ${one} before`);
    const third = await add('soccer', 'Harbor Gulls @ CFX 2', start);
    expect(await forge(third, other)).to.equal(`one of them was joined into game ${one} before`);
    expect(await findings()).to.deep.equal([]);
  });

  it('are found by the audit if they join two teams, or swap home and away', async () => {
    const [gulls, cats, turned] = [
      await add('nba', 'Los Angeles Lakers @ Boston Celtics', start),
      await add('nba', 'Los Angeles Lakers @ Chicago Bulls', start),
      await add('soccer', 'Tin Cats @ Iron Owls', start + 3 * hour),
    ];
    const [strangers, back] = [
      await add('soccer', 'Bears @ Wolves of the North', start + 3 * hour),
      await add('soccer', 'Iron Owls @ Tin Cats', start + 3 * hour),
    ];
    for (const [from, to] of [
      [cats, gulls],
      [strangers, turned],
      [back, turned],
    ] as const)
      expect(await forge(from, to)).to.equal('stored');
    expect(await findings()).to.have.length(3);
    expect((await findings()).join()).to.match(
      /Boston Celtics and Chicago Bulls are two teams.+no opponent is the same.+home and away are swapped/,
    );
  });

  it('do not keep a pick out of the earlier start, on either game', async () => {
    const to = await add('soccer', 'Silver Swans @ Stone Bears', start);
    const from = await add('soccer', 'Silver Swans @ SBX', start + 40 * minute);
    await stores.database.transaction((transaction) => joinGames(transaction, from, to, now));
    const later = await add('soccer', 'Red Swans @ Blue Bears', start + 40 * minute);
    const twin = await add('soccer', 'Red Swans @ BBX', start);
    await then((owner) => owner('game_joins').insert({ from_game: twin, to_game: later }));
    const post = async (gameId: number, postedAt: number) => {
      const uuid = v4();
      await stores.owner.raw(
        `insert into picks (uuid, capper_id, tier, game_id, starts_at, market, side, pick, odds_american, stake_e4, source, provenance, posted_at)
         select ?, c.id, c.tier, g.id, g.starts_at, 'moneyline', 'home', 'Home', 100, 10000, 'operator', 'live', ?
         from cappers c, games g where c.handle = 'ada' and g.id = ?`,
        [uuid, iso(postedAt), gameId],
      );
      return uuid;
    };
    const inTime = [await post(from, start - minute), await post(later, start - minute)];
    const late = [await post(from, start + 20 * minute), await post(later, start + 20 * minute)];
    await sealAll(stores.database);
    const sealed = await stores.database('ledger_entries').where({ kind: 'posted' }).pluck('uuid');
    expect(sealed).to.have.members(inTime);
    const aside = await eventsSetAside(stores.database);
    expect(aside).to.have.length(late.length);
    for (const { reason } of aside)
      expect(reason).to.match(/a start of game \d+, with which its game was joined/);
  });
});

import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import { gradeDue, gradeGames } from '../../src/ledger/grading/grade.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { eventsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { iso } from '../../src/platform/clock.ts';
import type { Transaction } from '../../src/platform/database.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { until } from '../support/until.ts';

const hour = 3_600_000;
const postedAt = Date.parse('2024-10-06T14:00:00Z');
const start = postedAt + hour;
const ended = start + 3 * hour;

// The service keeps a provider after its first price, so each case needs a database of its own.
for (const only of [
  'is visible to a grading that started while it was being stored',
  'waits for a grading that has not seen it',
  'changes the provisional verdict of a pick posted while it was being stored',
])
  describe("a provider's first price of a sport", () => {
    const alone = (title: string, test: () => Promise<void>) => title === only && it(title, test);

    const stores = withDatabase();
    const at = (now: number) => ({ now, imported: false });
    const games = ['nfl', 'nba', 'nhl'].flatMap((sport) =>
      ['Gulls @ Foxes', 'Rays @ Owls'].map((game) => ({ sport, game, startsAt: iso(start) })),
    );
    const gamesOf = (sport: string) => games.filter((game) => game.sport === sport);
    const line = (name: (typeof games)[number], oddsAmerican = -110) => ({
      ...name,
      market: 'moneyline',
      side: 'home',
      line: null,
      oddsAmerican,
      book: 'north',
      capturedAt: iso(postedAt),
    });
    const post = (name: (typeof games)[number]) =>
      postPick(
        stores.database,
        {
          capperHandle: 'ada',
          ...name,
          market: 'moneyline',
          pick: 'A side',
          stakeUnits: 1,
          side: 'home',
          line: null,
          oddsAmerican: -110,
        },
        undefined,
        postedAt,
      );
    const finish = (names: typeof games) =>
      stores.database.transaction((transaction) =>
        applyGames(
          transaction,
          names.map(
            (name) =>
              ({
                ...name,
                status: 'final',
                homeScore: 20,
                awayScore: 10,
                finalAt: iso(ended),
              }) as GameRow,
          ),
          at(ended),
        ),
      );
    const verdictOf = (table: string, sport: string) =>
      stores
        .database(`${table} as t`)
        .join('picks as p', 'p.id', 't.pick_id')
        .join('games as g', 'g.id', 'p.game_id')
        .where('g.sport', sport)
        .pluck('t.price_verdict');

    const opened: Transaction[] = [];
    async function open(): Promise<Transaction> {
      const transaction = await stores.database.transaction();
      opened.push(transaction);
      return transaction;
    }
    afterEach(async () => {
      for (const transaction of opened.splice(0))
        if (!transaction.isCompleted()) await transaction.rollback();
    });

    /** Resolves once a statement waits for a lock, or the waiting work has ended. */
    async function untilWaiting(work: Promise<unknown>): Promise<void> {
      let ended = false;
      void work.finally(() => {
        ended = true;
      });
      await until(async () => {
        const { rows } = await stores.owner.raw(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return ended || rows.length > 0;
      });
    }

    async function expectAllSealed(): Promise<void> {
      await sealAll(stores.database);
      expect(await eventsSetAside(stores.database)).to.deep.equal([]);
      for await (const { message } of auditPicks(stores.database, () => {})) expect.fail(message);
    }

    before(() =>
      stores.database.transaction(async (transaction) => {
        await applyCappers(
          transaction,
          [{ handle: 'ada', tier: 'elite', verified: true }],
          at(postedAt - hour),
        );
        await applyGames(
          transaction,
          games.map((name) => ({ ...name, status: 'scheduled' }) as GameRow),
          at(postedAt - hour),
        );
      }),
    );

    alone('is visible to a grading that started while it was being stored', async () => {
      const [own, other] = gamesOf('nfl');
      await post(own!);
      await finish([own!]);
      const ingest = await open();
      await applyLines(ingest, [line(other!)], at(ended), 'provider');
      const grading = gradeDue(stores.database, ended + 1);
      await untilWaiting(grading);
      await ingest.commit();
      expect((await grading).settled).to.equal(1);
      expect(await verdictOf('settlements', 'nfl')).to.deep.equal(['unseen']);
      await expectAllSealed();
    });

    alone('waits for a grading that has not seen it', async () => {
      const [own, other] = gamesOf('nba');
      await post(own!);
      await finish([own!]);
      const { id } = await stores.database('games').where({ sport: 'nba', name: own!.game }).first('id');
      const grading = await open();
      expect((await gradeGames(grading, [id], ended + 1)).settled).to.equal(1);
      const ingest = applyLines(stores.database, [line(other!)], at(ended), 'provider');
      await untilWaiting(ingest);
      expect(await stores.database('priced_days').where({ sport: 'nba' })).to.deep.equal([]);
      await grading.commit();
      await ingest;
      expect(await verdictOf('settlements', 'nba')).to.deep.equal(['unchecked']);
      await expectAllSealed();
    });

    alone('changes the provisional verdict of a pick posted while it was being stored', async () => {
      const [own, other] = gamesOf('nhl');
      const ingest = await open();
      await applyLines(ingest, [line(other!)], at(ended), 'provider');
      await post(own!);
      await sealAll(stores.database);
      await updateProjections(stores.database);
      expect(await verdictOf('board_picks', 'nhl')).to.deep.equal(['unchecked']);
      await ingest.commit();
      await updateProjections(stores.database);
      expect(await verdictOf('board_picks', 'nhl')).to.deep.equal(['unseen']);

      const second = await open();
      await applyLines(second, [line(own!), line(other!, -105)], at(ended), 'provider');
      await post(other!);
      await sealAll(stores.database);
      await updateProjections(stores.database);
      await second.commit();
      await updateProjections(stores.database);
      expect(await verdictOf('board_picks', 'nhl')).to.deep.equal(['available', 'available']);
    });
  });

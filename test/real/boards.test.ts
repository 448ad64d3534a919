import { expect } from 'chai';
import { importNamespace } from '../../src/ledger/posting/import-picks.ts';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import { pickOfTheDay } from '../naive/confidence.ts';
import { importName, uuidV5 } from '../naive/identity.ts';
import { type DayPick, type LedgerState, ledgerAt } from '../naive/ledger.ts';
import { readFolder } from '../naive/read.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { itAnswersAsComputedPlainly } from '../support/board-oracle.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { realData } from '../support/folders.ts';
import { atLength } from '../support/long.ts';
import { withRedis } from '../support/redis.ts';
import { storedIds } from '../support/stored-rows.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const folder = realData();

/** The short form is at this instant: demo-ledger.test.ts has games in progress, and a ledger that advances. */
const longDay = 'the afternoon of a 25-hour day';

/** In order of time: one ledger advances from each instant to the next, like a service's. */
const instants: [what: string, at: string][] = [
  ['a quiet day', '2018-07-15T16:00:00Z'],
  ['the repeated hour when the clocks go back', '2018-11-04T05:30:00Z'],
  ['a busy NFL Sunday with games in progress', '2018-12-30T19:30:00Z'],
  ['a 23-hour day', '2020-03-08T15:45:00Z'],
  [longDay, '2021-11-07T20:00:00Z'],
  ['a day with postponed games', '2022-09-10T16:00:00Z'],
  ['a day after postponed games became void', '2022-09-12T15:00:00Z'],
  ['a night of NBA games', '2026-01-17T01:10:00Z'],
];

/** Queries for names that only the real data has. */
const questions = { '/api/search': [{ q: 'lakers' }, { q: 'New York' }] };

if (folder !== undefined)
  describe('the boards over the real ledger, compared with a naive recomputation', () => {
    const rows = readFolder(folder);
    const stores = withDatabase();
    /** The oracle's choices at the previous instants, the latest first. */
    const chosenBefore: DayPick[] = [];

    for (const [what, at] of instants.filter(([name]) => atLength(name === longDay, true)))
      describe(`on ${what}`, () => {
        const redis = withRedis();
        const now = Date.parse(at);
        let state: LedgerState;
        let site: RunningApi;

        before(async () => {
          await ingest(stores.database, folder, now);
          await runPipeline(stores.database, now);
          await choosePickOfTheDay(stores.database, now);
          const ids = new Map<string, number>(
            (await stores.database('picks').select('uuid', 'id')).map(({ uuid, id }) => [uuid, id]),
          );
          state = ledgerAt(rows, {
            now,
            baseUrl: 'https://picks.example',
            runningSince: now,
            chosenBefore: [...chosenBefore],
            ids: {
              ...(await storedIds(stores.database)),
              idOf(_, row) {
                const uuid = uuidV5(importNamespace, importName(row));
                return { uuid, id: ids.get(uuid) ?? -1 };
              },
            },
          });
          const chosen = pickOfTheDay(state);
          if (chosen !== null) chosenBefore.unshift({ day: state.today, uuid: chosen.pick.uuid });
          site = await startApi({ database: stores, redis }, { clock: fixedClock(now) });
        });
        after(() => site?.close());

        it('has every pick of the files that was posted by then', async () => {
          const stored = await stores.database('picks').orderBy('uuid').pluck('uuid');
          expect(stored.length).to.be.above(1000);
          expect(stored).to.deep.equal(state.picks.map(({ uuid }) => uuid).sort());
        });

        itAnswersAsComputedPlainly(() => ({
          state,
          address: site.address,
          questions,
          handles: ['rule-chalk', '538-nfl-elo-ats'],
        }));
      });
  });

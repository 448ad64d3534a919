import { expect } from 'chai';
import { choosePickOfTheDay } from '../../src/projections/pick-of-the-day.ts';
import { type LedgerPick, type LedgerState, ledgerAt } from '../naive/ledger.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { itAnswersAsComputedPlainly } from '../support/board-oracle.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { withFolder } from '../support/folders.ts';
import { playerSeason, seasonNow } from '../support/player-season.ts';
import { withRedis } from '../support/redis.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { storedRows } from '../support/stored-rows.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const baseUrl = 'https://picks.example';

describe('the boards over a season of player picks, compared with a naive recomputation', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let site: RunningApi;
  let state: LedgerState;

  before(async () => {
    const season = playerSeason();
    const files = Object.entries(season).map(([name, list]) => folder.write(`${name}.ndjson`, list));
    const { refusals } = await ingest(stores.database, files, seasonNow);
    expect(refusals).to.deep.equal([]);
    await runPipeline(stores.database, seasonNow);
    await choosePickOfTheDay(stores.database, seasonNow);
    const { rows, ids } = await storedRows(stores.database);
    // Box scores as given: the names determine the players.
    const given = { ...rows, stats: season.stats };
    state = ledgerAt(given, { now: seasonNow, baseUrl, ids, runningSince: seasonNow });
    site = await startApi({ database: stores, redis }, { clock: fixedClock(seasonNow) });
  });
  after(() => site?.close());

  itAnswersAsComputedPlainly(() => ({ state, address: site.address }));

  it('cover picks of every kind in a sound log', async () => {
    const kinds = (of: (pick: LedgerPick) => unknown) => [...new Set(state.picks.map(of))];
    expect(
      kinds(({ settlement, half, status }) =>
        [settlement?.grader, settlement?.result, half, status].join(' '),
      ),
    ).to.include.members([
      ...[
        'stat win false settled',
        'stat loss false settled',
        'stat push false settled',
        'stat void false settled',
      ],
      ...[
        'stat win true settled',
        'stat loss true settled',
        'result win false settled',
        'cancelled void false settled',
      ],
      '  false pending',
    ]);
    const cut = state.picks.filter(
      ({ settlement }) => settlement?.played === 'shortened' && settlement.stat !== null,
    );
    expect(new Set(cut.map(({ result }) => result))).to.include.keys('win', 'loss', 'void');
    expect(kinds(({ start, status }) => `${status} ${start! < seasonNow}`)).to.have.members([
      ...['settled true', 'pending true', 'pending false'],
    ]);
    expect(kinds(({ closing }) => closing && closing.edgePct === null)).to.have.members([null, true, false]);
    await expectSoundLedger(stores.database);
  });
});

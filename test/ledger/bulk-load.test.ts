import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import type { Database } from '../../src/platform/database.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { loadWorld } from '../bench/growth/load.ts';
import { fillProjections, publisher } from '../bench/growth/projections.ts';
import { growthWorld, type World } from '../bench/growth/world.ts';
import { withDatabase } from '../support/database.ts';
import { ingest } from '../support/whole-way.ts';

describe('the bulk-loaded ledger of the growth benchmark', () => {
  const usual = withDatabase();
  const bulk = withDatabase();
  const world = growthWorld(3, 6);

  before(async () => {
    await goDayByDay(usual.database, world);
    await loadWorld(bulk.ownerUrl, world);
    await fillProjections(bulk.owner, world.now);
  });

  const tables: Record<string, string> = {
    cappers: 'id, handle, tier, verified, display_name',
    games:
      'id, sport, name, announced_start, starts_at, status, home_score, away_score, final_at, was_postponed, home_known',
    search_words: 'distinct word',
    lines: '*',
    picks: '*',
    closings: '*',
    settlements: '*',
    pending_picks: '*',
    due_games: 'game_id, due_at',
    unsealed_events: '*',
    ledger_entries: '*',
    ledger_nodes: '*',
    checkpoints: '*',
    board_picks: '*',
    daily_rollups: '*',
    capper_totals: '*',
    pick_blocks: '*',
    reader_cursors: '*',
  };
  for (const [table, columns] of Object.entries(tables))
    it(`has the same rows of ${table} as ordinary posting`, async () => {
      const [expected, found] = await Promise.all(
        [usual, bulk].map(({ owner }) => rowsOf(owner, table, columns)),
      );
      expect(found).to.deep.equal(expected);
      if (table !== 'unsealed_events') expect(expected).not.to.equal(null);
    });

  it('has all checks of the database enabled again', async () => {
    const [expected, found] = await Promise.all(
      [usual, bulk].map(({ owner }) =>
        owner('pg_trigger')
          .orderByRaw('1, 2')
          .select(owner.raw('tgrelid::regclass::text, tgname, tgenabled'))
          .where('tgisinternal', false),
      ),
    );
    expect(found).to.deep.equal(expected);
  });
});

/** Returns the hash of the rows of a table, and the first row; null if it is empty. */
async function rowsOf(database: Database, table: string, columns: string): Promise<object | null> {
  const { rows } = await database.raw(
    `select count(*) as rows, md5(string_agg(row, ',' order by row)) as hash, min(row) as first, max(row) as last
     from (select to_jsonb(r)::text as row from (select ${columns} from ${table}) r) t having count(*) > 0`,
  );
  return rows[0] ?? null;
}

async function goDayByDay(database: Database, world: World): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'public-picks-growth-'));
  try {
    const store = async (files: object) => {
      const paths = Object.entries(files).map(([kind, rows]: [string, object[]]) => {
        const path = join(folder, `${kind}.ndjson`);
        writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
        return path;
      });
      const { refusals } = await ingest(database, paths, world.now);
      expect(refusals).to.deep.equal([]);
    };
    await store({ cappers: world.cappers });
    for (const day of world.days()) {
      await store(day);
      await gradeDue(database, world.now);
      await sealAll(database);
    }
    await publishCheckpoint(database, publisher, world.now);
    await updateProjections(database);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

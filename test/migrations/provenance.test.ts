import { expect } from 'chai';
import { v4, v5 } from 'uuid';
import { importNamespace } from '../../src/ledger/import-picks.ts';
import { sealAll } from '../../src/ledger/seal.ts';
import { withDatabaseBefore } from '../support/older-database.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';

describe('the migration of provenance', function () {
  this.timeout(60_000);
  const older = withDatabaseBefore('20260202000000_provenance');
  const live = v4();
  const imported = v5('a row', importNamespace);

  it('tells live picks from imported ones by their uuids, whatever label they have', async () => {
    const { owner } = older;
    await owner.raw(
      `insert into cappers (handle, tier, verified, created_at) values ('ada', 'elite', true, '2026-01-01T00:00:00Z');
       insert into games (sport, name, announced_start, starts_at)
         values ('nfl', 'Gulls @ Foxes', '2026-01-11T18:00:00Z', '2026-01-11T18:00:00Z')`,
    );
    for (const uuid of [live, imported])
      await owner.raw(
        `insert into picks (uuid, capper_id, tier, game_id, starts_at, market, side, pick, odds_american, stake_e4, source, posted_at)
         select ?, 1, 'elite', 1, '2026-01-11T18:00:00Z', 'moneyline', 'home', 'Foxes', -110, 10000, 'operator', '2026-01-11T12:00:00Z'`,
        [uuid],
      );
    await older.migrate();
    const rows = await owner('picks').orderBy('id').select('uuid', 'provenance', 'body_version');
    expect(rows).to.deep.equal([
      { uuid: live, provenance: 'live', body_version: 1 },
      { uuid: imported, provenance: 'imported', body_version: 1 },
    ]);
  });

  it('hashes stored picks as they were acknowledged, and new ones with their provenance', async () => {
    const { owner } = older;
    // Its log is live, and the pick is of the past.
    await owner.raw('alter table picks disable trigger check_picks');
    const insert = (uuid: string, version: string) =>
      owner.raw(
        `insert into picks (uuid, capper_id, tier, game_id, starts_at, market, side, pick, odds_american, stake_e4, source,
           provenance, posted_at, body_version)
         select ?, 1, 'elite', 1, '2026-01-11T18:00:00Z', 'moneyline', 'home', 'Foxes', -110, 10000, 'north', 'live',
           '2026-01-11T12:00:00Z', ${version}`,
        [uuid],
      );
    await insert(v4(), '2');
    let refused: unknown;
    await insert(v4(), '1').catch((error: Error) => {
      refused = error.message;
    });
    expect(refused).to.match(/picks_body_version/);
    await owner.raw('alter table picks enable always trigger check_picks');
    await sealAll(owner);
    await expectSoundLedger(owner);
    expect(await owner('ledger_entries').count().first()).to.deep.equal({ count: 3 });
  });

  it('leaves the picks append-only, and every new one must say how it came in', async () => {
    const { owner } = older;
    let refused: unknown;
    await owner('picks')
      .update({ provenance: 'imported' })
      .catch((error: Error) => (refused = error.message));
    expect(refused).to.match(/append-only/);
    const { rows } = await owner.raw(
      `select is_nullable, column_default from information_schema.columns where table_name = 'picks' and column_name = 'provenance'`,
    );
    expect(rows).to.deep.equal([{ is_nullable: 'NO', column_default: null }]);
  });
});

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { readCatalog } from '../../migrations/catalog.ts';
import { definitions } from '../../migrations/index.ts';
import { applyGames } from '../../src/intake/game.ts';
import { audit } from '../../src/ledger/audit/audit.ts';
import { instant } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { auditProjections } from '../../src/projections/rebuild.ts';
import { expectedOfTests, migrateForTests, serverUrl, withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { runPipeline } from '../support/whole-way.ts';

const dumps = globSync('dump-*.sql.gz', { cwd: import.meta.dirname });

describe('the schema of 1.0.0', () => {
  it('is final: what later versions change is in migrations/sql/changes', () => {
    const hash = createHash('sha256').update(definitions.join('')).digest('hex');
    expect(hash).to.equal('7e8833547e78b1e9896691a3af335e31d7d324ee80dd49f4de6862ad26949748');
    expect(dumps).to.include('dump-1.0.0.sql.gz');
  });
});

for (const dump of dumps)
  describe(`a database of an earlier version (${dump}), after migrate`, () => {
    const fresh = withDatabase();
    const name = `upgraded_${process.pid}`;
    let owner: Database;

    before(async () => {
      const server = await serverUrl();
      const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
      await fresh.owner.raw(`create database ${name}`);
      const restoring = openDatabase(url, { connections: 1 });
      try {
        const sql = gunzipSync(readFileSync(join(import.meta.dirname, dump))).toString();
        await restoring.raw(sql.replaceAll('?', '\\?'));
      } finally {
        await restoring.destroy();
      }
      await migrateForTests(url, 'replay');
      owner = openDatabase(url, { connections: 5 });
    });
    after(async () => {
      await owner?.destroy();
      await fresh.owner.raw(`drop database if exists ${name} with (force)`);
    });

    it('has the schema and the rights of a new one', async () => {
      expect([...(await readCatalog(owner))]).to.deep.equal([...(await readCatalog(fresh.owner))]);
    });

    /** Returns what an audit finds, of everything that the rules and the schema determine. */
    async function findings(): Promise<string[]> {
      const found: string[] = [];
      const { difference } = await audit(owner, async () => undefined, {
        signing: { key: Buffer.alloc(32, 10).toString('base64') },
        expected: expectedOfTests,
        onFinding: ({ message }) => found.push(message),
        further: [auditProjections],
      });
      return difference === null ? found : [difference.message, ...found];
    }

    it('has all its picks in a sound log, and boards that follow from them', async () => {
      expect((await owner('picks').pluck('id')).length).to.be.above(20);
      expect(await findings()).to.deep.equal([]);
    });

    it('takes further games and picks', async () => {
      const now = instant('2025-02-01T12:00:00Z');
      const { handle } = await owner('cappers').orderBy('id').first('handle');
      const game = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2025-02-02T18:00:00Z' };
      await applyGames(owner, [{ ...game, status: 'scheduled' }], { now, imported: false });
      const bet = {
        market: 'total',
        side: 'over',
        line: 44.5,
        pick: 'Over',
        oddsAmerican: -110,
        stakeUnits: 1,
      };
      const posted = await postPick(owner, { ...game, ...bet, capperHandle: handle }, undefined, now);
      expect(posted, JSON.stringify(posted)).to.include({ outcome: 'added' });
      await runPipeline(owner, now);
      expect(await owner('ledger_entries').where({ kind: 'posted' }).pluck('seq')).to.have.length(
        (await owner('picks').pluck('id')).length,
      );
      expect(await findings()).to.deep.equal([]);
    });
  });

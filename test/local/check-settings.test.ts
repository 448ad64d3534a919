import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startFaults } from '../../src/local/environment.ts';

const root = join(import.meta.dirname, '../..');
const own = {
  DATABASE_URL: 'postgres://me@db.example/picks',
  OPERATOR_TOKEN: 'a token of my own',
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
};

describe('the settings of npm start', () => {
  it('are optional with the embedded database, and must include secrets with another one', () => {
    expect(startFaults({})).to.deep.equal([]);
    expect(startFaults(own)).to.deep.equal([]);
    const { DATABASE_URL } = own;
    expect(startFaults({ DATABASE_URL })).to.have.members([
      'OPERATOR_TOKEN is missing',
      'SECRET_KEY is missing',
      'LEDGER_KEY is missing',
    ]);
  });

  it('must name leagues that have a file', () => {
    expect(
      startFaults({ ESPN_LEAGUES: 'nba cfx', ODDS_API_SPORTS: 'basketball_nba curling_x tennis_*' }),
    ).to.deep.equal([
      "ESPN_LEAGUES names cfx, which no league's file lists",
      "ODDS_API_SPORTS names curling_x, which no league's file lists",
    ]);
  });

  it("must name two ports, and no demo data in the user's own database", () => {
    expect(startFaults({ PORT: '0', OPERATOR_PORT: '70000' })).to.have.length(2);
    expect(startFaults({ PORT: '4000', OPERATOR_PORT: '4000' })).to.deep.equal([
      'PORT and OPERATOR_PORT are both 4000 but must differ',
    ]);
    expect(startFaults({ ...own, DEMO: '1' })).to.deep.equal([
      'DEMO is 1 but DATABASE_URL is set: demo data works only in the embedded database: unset one of them',
    ]);
  });

  it('are checked before anything is started', () => {
    const folder = mkdtempSync(join(tmpdir(), 'settings-'));
    try {
      const DATA_DIR = join(folder, 'data');
      const { status, stdout, stderr } = spawnSync(process.execPath, ['src/local/start.ts'], {
        cwd: root,
        encoding: 'utf8',
        env: { DATA_DIR, DATABASE_URL: 'mysql://x', OPERATOR_TOKEN: 'short', PRT: '1' },
      });
      expect([status, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.equal(
        [
          'PRT is not a setting. Did you mean PORT?',
          'Wrong settings:',
          '  DATABASE_URL must be a postgres:// or postgresql:// address',
          '  OPERATOR_TOKEN has 5 characters; it needs at least 16',
          '  LEDGER_KEY is missing',
          '  SECRET_KEY is missing',
          '',
        ].join('\n'),
      );
      expect(existsSync(DATA_DIR)).to.equal(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { expect } from 'chai';
import { withFolder } from '../support/folders.ts';

const program = resolve(import.meta.dirname, '..', '..', 'src', 'local', 'psql.ts');

describe('npm run psql', () => {
  const folder = withFolder();

  function run(args: string[], environment: NodeJS.ProcessEnv) {
    const psql = join(folder.path(), 'psql');
    writeFileSync(psql, '#!/bin/sh\necho "$PGUSER:$PGPASSWORD@$PGHOST:$PGPORT/$PGDATABASE" "$@"\nexit 3\n');
    chmodSync(psql, 0o755);
    const PATH = `${folder.path()}${delimiter}${process.env.PATH}`;
    return spawnSync(process.execPath, [program, ...args], {
      encoding: 'utf8',
      env: { PATH, DATA_DIR: folder.path(), ...environment },
    });
  }

  it('opens psql on the named database, passes arguments on, and returns its status', () => {
    const DATABASE_URL = 'postgres://service:a@127.0.0.1:5433/picks';
    const DATABASE_OWNER_URL = 'postgres://owner:p%40ss@127.0.0.1:5433/picks';
    const { status, stdout } = run(['-c', 'select 1'], { DATABASE_URL, DATABASE_OWNER_URL });
    expect(stdout).to.equal('owner:p@ss@127.0.0.1:5433/picks -c select 1\n');
    expect(status).to.equal(3);
  });

  it('says what to do if no service is running', () => {
    const { status, stderr } = run([], {});
    expect(stderr).to.match(/^No service runs on .*npm start/);
    expect(status).to.equal(1);
  });
});

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkedOutCommit, followVaultRing, vaultRing, versionRoute } from '../../src/http/api/version.ts';
import { createApp } from '../../src/http/app.ts';
import { requestIds } from '../../src/http/transport/access-log.ts';
import { keysWithFirst, ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { type Availability, DatabaseUnavailable } from '../../src/platform/availability.ts';
import { testConfig } from '../support/config.ts';
import { withDatabase } from '../support/database.ts';
import { quiet } from '../support/quiet.ts';
import { until } from '../support/until.ts';

describe('/api/version', () => {
  it('names the running version without any data store, and is never cached', async () => {
    const routes = [
      versionRoute(
        testConfig().deployment,
        () => 'replay',
        () => '0a1b2c3d',
        Date.UTC(2026, 0, 15),
      ),
    ];
    const app = createApp({ routes, trustProxy: 0, idOf: requestIds(0), log: quiet });
    const server = createServer(app.callback());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/version`);
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(await response.json()).to.deep.equal({
        version: JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version,
        commit: 'test',
        environment: 'test',
        vaultRing: '0a1b2c3d',
        logKind: 'replay',
        uptimeSeconds: 0,
        startedAt: '2026-01-15T00:00:00.000Z',
      });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('identifies the vault ring by the public key', async () => {
    // The key pair of RFC 8032, section 7.1, test 1.
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const publicKey = Buffer.from('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex');
    const { key } = await ledgerSigner('picks.example/ledger', seed.toString('base64'));
    expect(vaultRing(key)).to.equal(createHash('sha256').update(publicKey).digest('hex').slice(0, 8));
  });
});

describe('the vault ring', () => {
  const ledger = withDatabase();

  it('is read from the log, and unknown while the log cannot be read', async () => {
    const { database } = ledger;
    const { key } = await ledgerSigner('picks.example/ledger', Buffer.alloc(32, 7).toString('base64'));
    let away = true;
    const availability = {
      run<T>(work: () => Promise<T>) {
        return away ? Promise.reject(new DatabaseUnavailable('away')) : work();
      },
    } as Availability;
    let elapsed = 0;
    const ring = followVaultRing({ database, availability, elapsedMs: () => elapsed });
    expect(ring()).to.equal(undefined);
    away = false;
    await keysWithFirst(database, key);
    await until(() => {
      elapsed += 60_000;
      return ring() !== undefined;
    });
    expect(ring()).to.equal(vaultRing(key));
    away = true;
    elapsed += 60_000;
    expect(ring()).to.equal(vaultRing(key));
  });
});

describe('the commit of a checkout', () => {
  const commit = 'a'.repeat(40);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is read from the branch', () => {
    mkdirSync(join(folder, 'refs/heads'), { recursive: true });
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(folder, 'refs/heads/main'), `${commit}\n`);
    expect(checkedOutCommit(folder)).to.equal(commit);
  });

  it('is read from the packed branches', () => {
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(
      join(folder, 'packed-refs'),
      `# pack-refs\n${'b'.repeat(40)} refs/heads/other\n${commit} refs/heads/main\n`,
    );
    expect(checkedOutCommit(folder)).to.equal(commit);
  });

  it('is read from a detached head', () => {
    writeFileSync(join(folder, 'HEAD'), `${commit}\n`);
    expect(checkedOutCommit(folder)).to.equal(commit);
  });

  it('is absent without a checkout', () => {
    expect(checkedOutCommit(folder)).to.equal(undefined);
  });
});

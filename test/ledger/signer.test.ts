import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { seal } from '../../src/jobs/declared.ts';
import { openQueues } from '../../src/jobs/runtime/enqueue.ts';
import { fileStore } from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { announceSigningKey, ledgerSigner, openSigner } from '../../src/ledger/publishing/identity.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { openRefusal } from '../../src/ledger/publishing/refusals.ts';
import { remoteSigner } from '../../src/ledger/publishing/signer/remote-signer.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { createActions } from '../../src/operator/actions.ts';
import { createIntake } from '../../src/operator/intake.ts';
import { openAcknowledgement } from '../../src/proof/acknowledgement.ts';
import { testConfig } from '../support/config.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { game, pick } from '../support/posted-pick.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { workerProcesses } from '../support/worker-processes.ts';

const root = resolve(import.meta.dirname, '..', '..');
const origin = 'picks.example/ledger';
const seed = Buffer.alloc(32, 21).toString('base64');
const now = Date.parse('2025-01-01T00:00:00Z');

describe('a signer in another process', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  const started = new Set<ChildProcess>();
  let keyFile = '';
  let socket = '';

  before(() => {
    keyFile = join(folder.path(), 'key');
    socket = join(folder.path(), 'signer.sock');
    writeFileSync(keyFile, `LEDGER_KEY=${seed}\n`, { mode: 0o600 });
  });
  afterEach(async () => {
    for (const child of started) await end(child);
  });

  async function start(path = socket): Promise<ChildProcess> {
    const child = spawn(
      process.execPath,
      [join(root, 'src/cli.ts'), 'signer', '--key-file', keyFile, '--socket', path],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    started.add(child);
    await once(child.stdout!, 'data');
    return child;
  }
  async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    started.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  async function grow(text: string): Promise<void> {
    await stores.database('notices').insert({ at: new Date(now), topic: 'remark', text });
  }

  it('signs exactly as the key itself would, over a socket and as a command', async () => {
    await start();
    const own = await ledgerSigner(origin, seed);
    const message = Buffer.from('a message\n');
    // Relays the socket's answers: on a busy machine, starting the verb for each request takes long.
    const relay = join(folder.path(), 'relay.mjs');
    writeFileSync(
      relay,
      `import { connect } from 'node:net';
       const socket = connect(process.argv[2]);
       process.stdin.pipe(socket).pipe(process.stdout);`,
    );
    for (const address of [`unix:${socket}`, `${process.execPath} ${relay} ${socket}`]) {
      const signer = await remoteSigner(origin, address);
      expect(signer.key).to.deep.equal(own.key);
      expect(Buffer.from(await signer.sign(message))).to.deep.equal(Buffer.from(await own.sign(message)));
    }
  });

  it('answers one request on standard input', async () => {
    const child = spawn(process.execPath, [join(root, 'src/cli.ts'), 'signer', '--key-file', keyFile]);
    child.stdin.end('{"request":"public-key"}\n');
    const { publicKey } = (await ledgerSigner(origin, seed)).key;
    expect(await json(child.stdout)).to.deep.equal({ publicKey: Buffer.from(publicKey).toString('base64') });
  });

  it('refuses a key file that others may read', async () => {
    const open = join(folder.path(), 'open-key');
    writeFileSync(open, seed, { mode: 0o644 });
    const child = spawn(process.execPath, [join(root, 'src/cli.ts'), 'signer', '--key-file', open]);
    let error = '';
    child.stderr.on('data', (part) => {
      error += part;
    });
    await once(child, 'close');
    expect(error).to.match(/^Others may read .*: remove their rights with chmod 600\.\n$/);
    expect(child.exitCode).to.equal(1);
  });

  it('is trusted only as far as its signatures verify', async () => {
    const answers: string[] = [];
    const server = createServer((_, response) => response.end(answers.shift() ?? '')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign`;
    const { publicKey } = (await ledgerSigner(origin, seed)).key;
    const named = JSON.stringify({ publicKey: Buffer.from(publicKey).toString('base64') });
    const forged = JSON.stringify({ signature: Buffer.alloc(64, 1).toString('base64') });
    const fault = async (...given: string[]) => {
      answers.splice(0, answers.length, ...given);
      try {
        await (await openSigner(origin, { key: seed, signer: address })).sign(Buffer.from('x'));
        return 'it signed';
      } catch (error) {
        return String(error);
      }
    };
    try {
      expect(await fault('nonsense')).to.equal('SignerError: The signer did not answer with JSON.');
      expect(await fault('{"publicKey":"AAAA"}')).to.equal(
        "SignerError: The signer's answer is invalid: publicKey must be 32 bytes in base64.",
      );
      expect(await fault('{"error":"the slot is locked"}')).to.equal(
        'SignerError: The signer refused: the slot is locked',
      );
      expect(await fault(named, forged)).to.equal(
        "SignerError: The signer's signature does not verify under the public key that it reported.",
      );
      expect(await fault(named, 'x'.repeat(200_000))).to.match(/its answer is too long/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('signs acknowledgements; a pick posted while it is down is stored, and acknowledged later', async () => {
    const live = { now, imported: false };
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], live);
    await stores.database.transaction((transaction) =>
      applyGames(transaction, [{ ...game, status: 'scheduled' }], live),
    );
    const { ledger, ...config } = testConfig({ LEDGER_KEY: '', LEDGER_SIGNER: `unix:${socket}` });
    expect(ledger.key).to.equal(undefined);
    const deps = {
      config: { ...config, ledger },
      database: stores.database,
      clock: { now: () => now },
      enqueue: { add: async () => true },
    };
    const post = () =>
      createIntake(deps, createActions(stores.database, deps.clock))(
        { operator: 'operator', requestId: 'request-1' },
        'picks',
        [pick],
        'key-1',
      );
    const [away] = await post();
    expect(away).to.include({ outcome: 'added' });
    expect(away)
      .to.have.property('unacknowledged')
      .that.matches(/^The signer is unavailable/);
    expect(away).not.to.have.property('acknowledgement');
    await start();
    const [again] = await post();
    expect(again).to.include({ outcome: 'unchanged', pickUuid: away!.pickUuid });
    const { key } = await ledgerSigner(origin, seed);
    const opened = await openAcknowledgement(again!.acknowledgement!, origin, [key]);
    expect(opened.pick.uuid).to.equal(away!.pickUuid);
  });

  it('signs checkpoints for a sealing worker without LEDGER_KEY; killing it only causes delay', async () => {
    let signer = await start();
    const worker = workerProcesses(
      { databaseUrl: stores.url, redisUrl: redis.url },
      {
        LEDGER_KEY: '',
        LEDGER_SIGNER: `unix:${socket}`,
        BASE_URL: 'https://picks.example',
        CHECKPOINT_STORE: join(folder.path(), 'checkpoint'),
      },
    );
    const covered = async () => {
      const sizes: number[] = await stores.database('checkpoints').orderBy('size', 'desc').pluck('size');
      const entries = (await stores.database('ledger_entries').pluck('seq')).length;
      return entries > 0 && sizes[0] === entries;
    };
    const sealed = async () => (await stores.database('unsealed_events').pluck('id')).length === 0;
    const enqueue = openQueues(redis.redis, quiet);
    try {
      worker.start('sealing');
      await grow('first');
      await until(async () => (await sealed()) && (await covered()));
      await end(signer);
      await grow('second');
      await enqueue.add(seal, {});
      await until(async () => (await openRefusal(stores.database, 'refused')) !== undefined);
      expect(await openRefusal(stores.database, 'refused')).to.match(
        /^The signer is unavailable \(E\w+\)\.$/,
      );
      expect(await sealed(), 'sealing continued').to.equal(true);
      expect(await covered()).to.equal(false);
      signer = await start();
      await until(covered);
      await until(async () => (await openRefusal(stores.database, 'refused')) === undefined);
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${worker.output()}`);
    } finally {
      await worker.stop();
      await enqueue.close();
    }
    await end(signer, 'SIGTERM');
    expect(existsSync(socket), 'a signer that ends removes its socket').to.equal(false);
  });

  it('can announce and be announced: the next key may also be in a process', async () => {
    await start();
    const next = await ledgerSigner(origin, Buffer.alloc(32, 22).toString('base64'));
    const present = await openSigner(origin, { signer: `unix:${socket}` });
    await announceSigningKey(stores.database, origin, present, next, new Date(now).toISOString());
    await sealAll(stores.database);
    const store = fileStore(join(folder.path(), 'checkpoint'));
    const key = Buffer.alloc(32, 22).toString('base64');
    const publisher = { baseUrl: 'https://picks.example', demo: false, key, store };
    expect(await publishCheckpoint(stores.database, publisher, now)).to.be.greaterThan(0);
  });
});

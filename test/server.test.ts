import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { seal } from '../src/jobs/declared.ts';
import { openQueues } from '../src/jobs/runtime/enqueue.ts';
import { createLogger } from '../src/platform/logger.ts';
import { firstKey, intents, signedPost } from './support/author.ts';
import { baseEnvironment } from './support/base-environment.ts';
import { asLogin, withDatabase } from './support/database.ts';
import { receiversAuthority, startReceiver } from './support/receivers.ts';
import { withRedis } from './support/redis.ts';
import { until } from './support/until.ts';

const entry = resolve(import.meta.dirname, '..', 'src', 'server.ts');

describe('the public port as a process', () => {
  const database = withDatabase({ kind: 'live' });
  const redis = withRedis();
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  const settings = () => ({
    ...baseEnvironment,
    DATABASE_URL: asLogin(database.url, 'web'),
    REDIS_URL: redis.url,
    PORT: '0',
    HOST: '127.0.0.1',
    OPERATOR_TOKEN: 'a token for tests only',
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
  });

  function start(environment: NodeJS.ProcessEnv) {
    const started = spawn(process.execPath, [entry], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    const output = { errors: '', lines: [] as Record<string, unknown>[] };
    started.stderr.on('data', (chunk) => {
      output.errors += chunk;
    });
    createInterface({ input: started.stdout }).on('line', (line) => {
      // Libraries may print too.
      if (line.startsWith('{')) output.lines.push(JSON.parse(line));
    });
    const exited = once(started, 'close').then(([code]) => code as number | null);
    return { started, output, exited };
  }

  async function listening(lines: Record<string, unknown>[]): Promise<string> {
    await until(() => lines.some(({ msg }) => msg === 'listening'));
    const { address } = lines.find(({ msg }) => msg === 'listening') as { address: AddressInfo };
    return `http://127.0.0.1:${address.port}`;
  }

  it('answers, and on SIGTERM closes everything and exits', async () => {
    const { started, output, exited } = start(settings());
    const address = await listening(output.lines);
    await until(async () => (await fetch(`${address}/readyz`)).status === 200);
    expect((await fetch(`${address}/api/feed/settled`)).status).to.equal(200);
    // Twice, as one Ctrl-C in a terminal may arrive.
    started.kill('SIGTERM');
    started.kill('SIGTERM');
    expect(await exited).to.equal(0);
    expect(output.errors).to.equal('');
    expect(output.lines.at(-1)?.msg).to.equal('closed');
  });

  it('pings the receiver of a subscription, and exits', async () => {
    const receiver = await startReceiver();
    const folder = mkdtempSync(join(tmpdir(), 'receivers-'));
    const authority = join(folder, 'ca.pem');
    writeFileSync(authority, (await receiversAuthority()).certificate);
    try {
      const trusted = { WEBHOOK_ALLOW_HOSTS: receiver.host, NODE_EXTRA_CA_CERTS: authority };
      const { started, output, exited } = start({ ...settings(), ...trusted });
      const address = await listening(output.lines);
      await until(async () => (await fetch(`${address}/readyz`)).status === 200);
      const post = async (path: string, body: object, headers = {}) => {
        const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
        const answer = await fetch(`${address}${path}`, { ...init, body: JSON.stringify(body) });
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
      };
      const subscription = { owner_email: 'owner@mail.net', target_url: receiver.url('/') };
      const { status, body } = await post('/api/webhooks', subscription);
      expect(status, JSON.stringify(body)).to.equal(201);
      const secret = { 'X-Webhook-Secret': String(body.secret) };
      expect((await post(`/api/webhooks/${body.id}/ping`, {}, secret)).status).to.equal(200);
      expect(receiver.received.map(({ headers }) => headers['x-service-event'])).to.deep.equal(['ping']);
      started.kill('SIGTERM');
      expect(await exited).to.equal(0);
      expect(output.errors).to.equal('');
    } finally {
      await receiver.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('wakes the sealing when it stores a signed pick', async () => {
    const { database: stored, owner } = database;
    const now = Date.now();
    const [ada] = await owner('cappers')
      .insert({ handle: 'ada', tier: 'listed', verified: true, created_at: new Date(now) })
      .returning(['id', 'handle']);
    const startsAt = new Date(now + 24 * 3_600_000).toISOString();
    const name = 'Hawks @ Otters';
    await owner('games').insert({ sport: 'soccer', name, announced_start: startsAt, starts_at: startsAt });
    const key = await firstKey(stored, ada, now);
    const enqueue = openQueues(redis.redis, createLogger('test', 'silent'));
    try {
      const { started, output, exited } = start(settings());
      const address = await listening(output.lines);
      const body = JSON.stringify(await signedPost(key, intents(startsAt)()));
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${address}/api/picks`, { method: 'POST', headers, body });
      expect(answer.status, await answer.text()).to.equal(201);
      await until(async () => (await enqueue.waiting(seal.queue)) === 1);
      started.kill('SIGTERM');
      expect(await exited).to.equal(0);
      expect(output.errors).to.equal('');
    } finally {
      await enqueue.close();
    }
  });

  it('starts and stops while both stores are down', async () => {
    const nowhere = { DATABASE_URL: 'postgres://x@127.0.0.1:9/x', REDIS_URL: 'redis://127.0.0.1:9' };
    const { started, output, exited } = start({ ...settings(), ...nowhere });
    const address = await listening(output.lines);
    const response = await fetch(`${address}/api/feed/settled`);
    expect(response.status).to.equal(503);
    expect(response.headers.get('retry-after')).to.match(/^\d+$/);
    expect((await fetch(`${address}/api/version`)).status).to.equal(200);
    started.kill('SIGINT');
    expect(await exited).to.equal(0);
  });

  it('says in a sentence which settings are wrong', async () => {
    const { output, exited } = start({ ...settings(), PORT: 'http' });
    expect(await exited).to.equal(1);
    expect(output.errors).to.equal(
      'Wrong settings:\n  PORT is "http" but must be a whole number from 0 to 65535\n',
    );
  });

  it('says in a sentence that its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { output, exited } = start({ ...settings(), PORT: String(port) });
    expect(await exited).to.equal(1);
    other.close();
    expect(output.errors).to.match(new RegExp(`^Port ${port} is already in use: [^\\n]+\\n$`));
  });
});

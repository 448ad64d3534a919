import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { anyFreePort } from '../../src/local/ports.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { type Neighbors, startNeighbors } from '../stacks/faults/neighbors.ts';
import { type Provider, startProvider } from '../stacks/faults/provider.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { atLength, itInLong } from '../support/long.ts';
import { type OwnNames, ownNames } from '../support/own-names.ts';
import { latencyMs } from '../support/patience.ts';
import { type Receiver, receiversAuthority, startReceiver } from '../support/receivers.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { watchAnswers } from '../support/watch-answers.ts';
import { type WorkerProcesses, workerProcesses } from '../support/worker-processes.ts';

const token = 'a-token-for-tests';
const hour = 3_600_000;

/** Longest waits, in milliseconds, as docs/operations.md#postgresql promises them. */
const limits = {
  status: latencyMs(2_000),
  ready: latencyMs(5_000),
  post: latencyMs(5_000),
  name: latencyMs(5_000),
};

/** Longer than a poll's bound of 15 seconds for an answer. */
const endOfPollMs = 60_000;

interface Source {
  feed: string;
  ok: boolean;
  message: string;
}

const isAtRestToo = atLength(false, true);
const situations = isAtRestToo ? 'at rest and amid work' : 'amid work';

describe('without answers', function () {
  this.timeout(300_000);
  const stores = withDatabase({ kind: 'live' });
  const redis = withRedis();
  const folder = withFolder();
  const startsAt = new Date(Math.floor(Date.now() / hour) * hour + 3 * hour).toISOString();
  let names: OwnNames | undefined;
  let neighbors: Neighbors;
  let espn: Provider;
  let odds: Provider;
  /** Webhooks to the first go to an address, to the second to a name. */
  let receivers: [Receiver, Receiver];
  let workers: WorkerProcesses;
  let site: string;
  let operator: string;
  let watches: ReturnType<typeof watchAnswers>[];
  let asked = 0;

  before(async () => {
    names = await ownNames(folder.path());
    const host = (name: string) => (names === undefined ? '127.0.0.1' : `${name}.test`);
    neighbors = await startNeighbors(folder.path());
    espn = await startProvider();
    odds = await startProvider();
    receivers = [
      await startReceiver({ names: ['127.0.0.1'] }),
      await startReceiver({ names: [host('hooks')] }),
    ];
    const [port, operatorPort] = [await anyFreePort(), await anyFreePort()];
    workers = workerProcesses(
      { databaseUrl: stores.url, redisUrl: redis.url },
      {
        PORT: String(port),
        OPERATOR_PORT: String(operatorPort),
        HOST: '127.0.0.1',
        LEDGER_ORIGIN: 'stack.example/ledger',
        LEDGER_SIGNER: neighbors.signer,
        LEDGER_KEY: '',
        WITNESSES: `${formatVerifierKey(neighbors.witness.key)} ${neighbors.witness.address.replace('127.0.0.1', host('witness'))}`,
        LOG_FILES: `${folder.path()}/log-files`,
        CHECKPOINT_STORE: `${folder.path()}/checkpoint`,
        ESPN_LEAGUES: 'nba nhl mlb',
        ESPN_URL: `http://${host('espn')}:${espn.port}`,
        ODDS_API_KEY: 'a-key-of-tests',
        ODDS_API_URL: `http://${host('odds')}:${odds.port}`,
        HEARTBEAT_URL: `http://${host('heartbeat')}:${odds.port}/v4/beat`,
        CDN_PURGE_URL: `http://${host('cdn')}:${odds.port}/v4/purge`,
        WEBHOOK_ALLOW_HOSTS: receivers.map(({ host }) => host).join(','),
        NODE_EXTRA_CA_CERTS: await authority(),
      },
      names?.through,
    );
    for (const name of ['web', 'operator', 'workers'] as const) workers.start(name);
    site = `http://127.0.0.1:${port}`;
    operator = `http://127.0.0.1:${operatorPort}`;
    const isUp = (url: string) =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    await until(async () => (await isUp(`${site}/readyz`)) && (await isUp(`${operator}/livez`)));
    await post('cappers', { handle: 'ada', tier: 'elite', verified: true });
    await post('games', { sport: 'soccer', game: 'Gulls @ Foxes', startsAt });
    for (const receiver of receivers)
      expect((await subscribe(receiver.url('/'))).status).to.be.oneOf([200, 201]);
    await untilPolled();
    watches = ['/api/status', '/readyz'].map((path) => watchAnswers(`${site}${path}`, 200));
  });
  after(async () => {
    for (const watch of watches ?? []) watch.stop();
    await workers?.stop();
    for (const each of [...(receivers ?? []), espn, odds, neighbors, names]) await each?.close();
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') process.stderr.write(workers.output());
  });

  async function authority(): Promise<string> {
    const file = `${folder.path()}/authority.pem`;
    await writeFile(file, (await receiversAuthority()).certificate);
    return file;
  }

  async function send(url: string, body: object) {
    const began = performance.now();
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text(), ms: performance.now() - began };
  }
  const post = (path: string, row: object) => send(`${operator}/${path}`, row);
  const subscribe = (target_url: string) =>
    send(`${site}/api/webhooks`, { owner_email: `owner-${++asked}@example.org`, target_url });
  const sources = async (): Promise<Source[]> =>
    ((await (await fetch(`${site}/api/status`)).json()) as { sources: Source[] }).sources;
  /** Makes every poll due now, as if a day had passed. */
  async function makeDue(): Promise<void> {
    await stores.owner('source_requests').delete();
    await stores.owner('source_runs').delete();
  }

  /** Waits until both providers have been asked, and every feed is healthy. */
  async function untilPolled(): Promise<void> {
    let all: Source[] = [];
    await until(async () => {
      all = await sources();
      // A poll that was under way may have failed since they were made due.
      if (all.some(({ ok }) => !ok)) await makeDue();
      const isPolled = (name: string) =>
        all.some(({ feed, message }) => feed.startsWith(name) && message !== 'Not polled yet.');
      await pause(500);
      return isPolled('espn/') && isPolled('odds-api') && all.every(({ ok }) => ok);
    }, endOfPollMs).catch((error) => {
      throw new Error(`${error.message}: ${JSON.stringify(all)}\n${workers.output()}`);
    });
  }

  /** Reports whether the status names both providers, with a reason. */
  const areNamed = async (reason: string) => {
    const failing = (await sources()).filter(({ ok, message }) => !ok && message.includes(reason));
    return new Set(failing.map(({ feed }) => feed.split('/')[0])).size === 2;
  };

  const posted: string[] = [];

  /** Posts picks until something ends, and checks that each is taken, and that all are sealed. */
  async function postUntil(isOver: () => Promise<boolean>): Promise<void> {
    const own: string[] = [];
    await until(async () => {
      asked += 1;
      const subject = `Player ${[...String(asked)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
      const row = { market: 'prop', subject, side: 'yes', pick: 'Yes', oddsAmerican: -110, stakeUnits: 1 };
      const { status, text, ms } = await post('picks', {
        capperHandle: 'ada',
        sport: 'soccer',
        game: 'Gulls @ Foxes',
        startsAt,
        ...row,
      });
      expect(status, text).to.equal(200);
      expect(ms, 'a post').to.be.below(limits.post);
      own.push(JSON.parse(text).rows[0].pickUuid);
      await pause(200);
      return isOver();
    }, endOfPollMs);
    await until(async () => {
      const sealed = stores.database('ledger_entries as e').join('picks as p', 'p.id', 'e.pick_id');
      return (
        (await sealed.where('e.kind', 'posted').whereIn('p.uuid', own).pluck('p.uuid')).length === own.length
      );
    });
    posted.push(...own);
  }

  /** Waits until a receiver has had every pick, in order. Webhooks are sent once a minute. */
  async function expectSent(receiver: Receiver): Promise<void> {
    await until(() => new Set(uuidsAt(receiver)).size >= posted.length, 2 * endOfPollMs);
    expect([...new Set(uuidsAt(receiver))]).to.deep.equal(posted);
  }
  const uuidsAt = ({ received }: Receiver): string[] =>
    received.map(({ body }) => JSON.parse(body).pick.pickUuid);

  /** Waits until all feeds have been polled, and compares what was sent to both receivers. */
  async function expectRecovery(): Promise<void> {
    await makeDue();
    await untilPolled();
    for (const receiver of receivers) await expectSent(receiver);
    const strikes = await stores.owner('webhook_subscriptions').where('consecutive_failures', '>', 0);
    expect(strikes).to.deep.equal([]);
    await until(async () => {
      const [{ size }] = await stores
        .owner('ledger_entries')
        .select({ size: stores.owner.raw('max(seq) + 1') });
      const newest = await stores.owner('checkpoints').max({ covered: 'size' }).first();
      return newest?.covered >= size;
    });
    for (const watch of watches) expect(watch.faults).to.deep.equal([]);
    expect(watches[0]!.longestMs(), 'status').to.be.below(limits.status);
    expect(watches[1]!.longestMs(), 'readyz').to.be.below(limits.ready);
  }

  it(`providers never answer, or stop within their answers, ${situations}`, async () => {
    const isSeen = () => areNamed('no answer within 15 s');
    if (isAtRestToo) {
      [espn.manner, odds.manner] = ['silent', 'stall'];
      await makeDue();
      await until(isSeen, endOfPollMs);
    }
    [espn.manner, odds.manner] = ['stall', 'silent'];
    const before = espn.asked();
    await makeDue();
    await until(() => espn.asked() > before, endOfPollMs);
    await postUntil(isSeen);
    [espn.manner, odds.manner] = ['well', 'well'];
    await expectRecovery();
  });

  itInLong(`the resolver is silent, ${situations}`, async function () {
    if (names === undefined) return this.skip();
    const isSeen = () => areNamed('its name was not resolved');
    names.silent = true;
    if (isAtRestToo) {
      await makeDue();
      await until(isSeen, endOfPollMs);
    }
    await makeDue();
    await postUntil(isSeen);
    await expectSent(receivers[0]);
    const { status, text, ms } = await subscribe('https://hooks.example.org/');
    expect(status, text).to.equal(503);
    expect(ms).to.be.below(limits.name);
    names.silent = false;
    await expectRecovery();
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { parseCheckpoint } from '../../src/proof/checkpoint.ts';
import { parseNote } from '../../src/proof/signed-note.ts';
import { newTiles, tileLevels, tilePath } from '../../src/proof/tiles.ts';
import { requestService } from '../support/broker.ts';
import { cephPackages, startCeph } from '../support/ceph.ts';
import { asLogin, createDatabase, dropDatabase } from '../support/database.ts';
import { startObjectStore, storeKey } from '../support/object-store.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { startLoad } from './load.ts';
import { packagedProgram } from './packages.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

const kills = 6;
const sizeOf = (note: Buffer | undefined) =>
  note === undefined ? 0 : parseCheckpoint(parseNote(note.toString()).text).size;

/** A store with an empty bucket `picks`. */
interface Engine {
  /** In the form of `LOG_FILES` and `LOG_FILES_S3_KEY`. */
  settings: { endpoint: string; region: string; key: string };
  /** Returns undefined for a missing object. */
  read(key: string): Promise<Buffer | undefined>;
  /** Sizes of the checkpoints seen, in order. */
  sizes: number[];
  /** Makes some of the requests fail from now on. */
  misbehave(): void;
  /** Describes the faults of requests. */
  faults(): string;
  close(): Promise<void>;
}

/** The tests' store, which refuses a tenth of the requests. */
async function inMemory(): Promise<Engine> {
  const store = await startObjectStore();
  const { endpoint, region } = store.at('');
  const sizes = [0];
  let [asked, refused] = [0, 0];
  return {
    settings: { endpoint, region, key: `${storeKey.accessKeyId}:${storeKey.secretAccessKey}` },
    read: async (key) => store.objects.get(key)?.body,
    sizes,
    misbehave() {
      store.misbehave = () => {
        // Read before each request, so that no checkpoint goes unseen.
        note(sizes, store.objects.get('log/checkpoint')?.body);
        asked += 1;
        if (asked % 10 !== 0) return undefined;
        refused += 1;
        return 503;
      };
    },
    faults: () => `of ${asked} requests the store refused ${refused}`,
    close: () => store.close(),
  };
}

/** Ceph, whose gateway is killed every few seconds. */
async function ceph(context: StackContext): Promise<Engine> {
  const program = await packagedProgram('radosgw', cephPackages, context);
  const { endpoint, ...keys } = await startCeph(program, context.folder, context.supervisor, context.aborted);
  const client = new AwsClient({ ...keys, service: 's3', region: 'default', retries: 0 });
  const made = await client.fetch(`${endpoint}/picks`, { method: 'PUT' });
  if (!made.ok) throw new Error(`creating the bucket failed: ${made.status} ${await made.text()}`);
  const sizes = [0];
  let gatewayKills = 0;
  const read = async (key: string): Promise<Buffer | undefined> => {
    for (;;) {
      const answer = await client.fetch(`${endpoint}/picks/${key}`).catch(() => undefined);
      if (answer?.status === 404) return undefined;
      if (answer?.ok) return Buffer.from(await answer.arrayBuffer());
      await pause(50);
    }
  };
  let looking = Promise.resolve();
  const stopped = new AbortController();
  return {
    settings: { endpoint, region: 'default', key: `${keys.accessKeyId}:${keys.secretAccessKey}` },
    read,
    sizes,
    misbehave() {
      const look = async () => {
        for (let n = 0; !stopped.signal.aborted; n += 1) {
          note(sizes, await read('log/checkpoint'));
          await pause(50);
          if (n % 120 !== 60) continue;
          process.kill(context.running().get('radosgw')!.pid, 'SIGKILL');
          gatewayKills += 1;
        }
      };
      looking = look();
      looking.catch(() => {});
    },
    faults: () => `Ceph's gateway was killed ${gatewayKills} times`,
    async close() {
      stopped.abort();
      await looking;
    },
  };
}

function note(sizes: number[], checkpoint: Buffer | undefined): void {
  const size = sizeOf(checkpoint);
  if (size !== sizes.at(-1)) sizes.push(size);
}

/**
 * Two sealing workers that keep the log in one bucket: in the tests' in-memory store, or in a Ceph (`bucket ceph`). They are killed in
 * turn while picks come in, and the store fails now and then.
 */
export async function stack(context: StackContext): Promise<string> {
  const database = await createDatabase({ kind: 'live' });
  const receiver = await startReceiver();
  let engine: Engine | undefined;
  try {
    engine = context.args[0] === 'ceph' ? await ceph(context) : await inMemory();
    const { settings, read, sizes } = engine;
    const product = await startProduct(context, {
      databaseUrl: (login) => asLogin(database.url, login),
      redisUrl: await requestService('redis'),
      settings: {
        LOG_FILES: `s3://picks/log?region=${settings.region}&endpoint=${settings.endpoint}`,
        LOG_FILES_S3_KEY: settings.key,
      },
      receiver,
      sets: 2,
    });
    engine.misbehave();
    const load = await startLoad(product, receiver, 40);
    for (let n = 0; n < kills; n += 1) {
      const name = n % 2 === 0 ? 'sealing' : 'sealing-2';
      await until(() => context.isWorking(name) && context.running().has(name), 300_000);
      await pause(500 + Math.random() * 1500);
      process.kill(context.running().get(name)!.pid, 'SIGKILL');
    }
    const { picks } = await load.finish();
    const site = product.sites[0] as string;
    const published = async () => (await fetch(`${site}/ledger/checkpoint`)).text();
    await until(async () => (await published()) === String(await read('log/checkpoint')), 450_000);
    const last = sizeOf(Buffer.from(await published()));
    for (const [n, size] of sizes.entries())
      if (n > 0 && size < sizes[n - 1]!) throw new Error(`the checkpoint went back to ${size} entries`);
    const tiles = tileLevels(last).flatMap((level) => newTiles(level, 0, last).map(tilePath));
    for (const path of tiles) {
      const answer = Buffer.from(await (await fetch(`${site}/ledger/${path}`)).arrayBuffer());
      if (!(await read(`log/${path}`))?.equals(answer))
        throw new Error(`${path} differs from the site's answer`);
    }
    return (
      `bucket: ${picks} picks, ${last} entries, ${tiles.length} tiles and bundles as the site answers them after ${kills} kills of two sealing ` +
      `workers; ${engine.faults()}; none of ${sizes.length - 1} checkpoints went back`
    );
  } finally {
    await engine?.close();
    await context.supervisor.stop();
    await receiver.close();
    await dropDatabase(database);
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { parseCheckpoint } from '../../src/proof/checkpoint.ts';
import { parseNote } from '../../src/proof/signed-note.ts';
import { newTiles, tileLevels, tilePath } from '../../src/proof/tiles.ts';
import { requestService } from '../support/broker.ts';
import { asLogin, createDatabase, dropDatabase } from '../support/database.ts';
import { startObjectStore } from '../support/object-store.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { startLoad } from './load.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

const kills = 6;
const sizeOf = (note: string | undefined) =>
  note === undefined ? 0 : parseCheckpoint(parseNote(note).text).size;

/**
 * Two sealing workers that keep the log in one bucket, of the tests' store in memory. They are killed in turn while picks come in, and
 * the store refuses a tenth of the requests.
 */
export async function stack(context: StackContext): Promise<string> {
  const database = await createDatabase({ kind: 'live' });
  const receiver = await startReceiver();
  const store = await startObjectStore();
  try {
    const { endpoint, accessKeyId, secretAccessKey } = store.at('');
    const product = await startProduct(context, {
      databaseUrl: (login) => asLogin(database.url, login),
      redisUrl: await requestService('redis'),
      settings: {
        LOG_FILES: 's3://picks/log',
        LOG_FILES_S3_ENDPOINT: endpoint,
        LOG_FILES_S3_REGION: 'eu-test-1',
        LOG_FILES_S3_KEY: `${accessKeyId}:${secretAccessKey}`,
      },
      receiver,
      sets: 2,
    });
    const checkpoint = () => store.objects.get('log/checkpoint')?.body.toString();
    let [asked, refused] = [0, 0];
    /** Of the checkpoints that were there. */
    const sizes = [0];
    store.misbehave = () => {
      // Looked at before each request, so that none goes unseen.
      const size = sizeOf(checkpoint());
      if (size !== sizes.at(-1)) sizes.push(size);
      asked += 1;
      if (asked % 10 !== 0) return undefined;
      refused += 1;
      return 503;
    };
    const load = await startLoad(product, receiver, 40);
    for (let n = 0; n < kills; n += 1) {
      const name = n % 2 === 0 ? 'sealing' : 'sealing-2';
      await until(() => context.isWorking(name) && context.running().has(name), 60_000);
      await pause(500 + Math.random() * 1500);
      process.kill(context.running().get(name)!.pid, 'SIGKILL');
    }
    const { picks } = await load.finish();
    const site = product.sites[0] as string;
    const published = async () => (await fetch(`${site}/ledger/checkpoint`)).text();
    await until(async () => (await published()) === checkpoint(), 90_000);
    const last = sizeOf(await published());
    for (const [n, size] of sizes.entries())
      if (n > 0 && size < sizes[n - 1]!) throw new Error(`the checkpoint went back to ${size} entries`);
    const tiles = tileLevels(last).flatMap((level) => newTiles(level, 0, last).map(tilePath));
    for (const path of tiles) {
      const answer = Buffer.from(await (await fetch(`${site}/ledger/${path}`)).arrayBuffer());
      if (!store.objects.get(`log/${path}`)?.body.equals(answer))
        throw new Error(`${path} is not what the site answers`);
    }
    return (
      `bucket: ${picks} picks, ${last} entries, ${tiles.length} tiles and bundles as the site answers them after ${kills} kills of two sealing ` +
      `workers; of ${asked} requests the store refused ${refused}; none of ${sizes.length - 1} checkpoints went back`
    );
  } finally {
    await context.supervisor.stop();
    await store.close();
    await receiver.close();
    await dropDatabase(database);
  }
}

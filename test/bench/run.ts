// `npm run bench [names...]`: starts stores as for tests and measures the service and a baseline side by side. Writes the figures to
// `BENCH_JSON` too; default `.data/bench.json`.

import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { Refusal, stopRequest } from '../../src/local/terminal.ts';
import { startBroker } from '../support/broker.ts';
import { createTestServices } from '../support/services.ts';
import { type Figure, type Note, noter } from './figures.ts';

const benches = [
  'import',
  'posting',
  'export',
  'cards',
  'webhooks',
  'stream',
  'sealing',
  'prices',
  'proof',
  'memory',
  'fairness',
  'start',
  'idle',
  'growth',
  'reading',
  'hot-board',
  'credits',
  'verdicts',
];

/** Long benches, which run only by name. */
const onRequest = ['data-files', 'fanout', 'resident'];

const root = resolve(import.meta.dirname, '..', '..');
const say = (line: string) => process.stdout.write(`${line}\n`);
const { signal, requested } = stopRequest();
const stopped = requested.then(() => {
  throw new Refusal('stopped');
});
stopped.catch(() => {});
const output = resolve(root, process.env.BENCH_JSON ?? '.data/bench.json');
const wanted = process.argv.slice(2);

try {
  const services = await createTestServices({ root, environment: process.env, say, aborted: signal });
  const broker = await startBroker(services);
  process.env.TEST_SERVICES = broker.url;
  try {
    process.env.REDIS_URL = await services.redis();
    const measured: Record<string, Figure[]> = {};
    for (const name of wanted.length === 0
      ? benches
      : [...benches, ...onRequest].filter((each) => wanted.includes(each))) {
      const { bench } = (await import(`./${name}.ts`)) as {
        bench: (say: (line: string) => void, note: Note) => Promise<void>;
      };
      say(`\n${name}`);
      const figures: Figure[] = [];
      await Promise.race([bench(say, noter(say, figures)), stopped]);
      measured[name] = figures;
    }
    const about = { at: new Date().toISOString(), node: process.version, processors: availableParallelism() };
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, `${JSON.stringify({ ...about, measured }, null, 2)}\n`);
    say(`\nwritten to ${output}`);
  } finally {
    broker.close();
    await services.stop();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
process.exit();

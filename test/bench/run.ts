// `npm run bench [names...]`: brings up stores as for tests and measures us and the yardstick side by side.

import { resolve } from 'node:path';
import { Refusal } from '../../src/local/refusal.ts';
import { stopRequest } from '../../src/local/stop-request.ts';
import { startBroker } from '../support/broker.ts';
import { createTestServices } from '../support/services.ts';

const benches = [
  'import',
  'posting',
  'export',
  'cards',
  'webhooks',
  'sealing',
  'proof',
  'memory',
  'fairness',
  'start',
  'idle',
  'growth',
];

const root = resolve(import.meta.dirname, '..', '..');
const say = (line: string) => process.stdout.write(`${line}\n`);
const { signal } = stopRequest();
const wanted = process.argv.slice(2);

try {
  const services = await createTestServices({ root, environment: process.env, say, aborted: signal });
  const broker = await startBroker(services);
  process.env.TEST_SERVICES = broker.url;
  try {
    process.env.REDIS_URL = await services.redis();
    for (const name of benches.filter((each) => wanted.length === 0 || wanted.includes(each))) {
      const { bench } = (await import(`./${name}.ts`)) as {
        bench: (say: (line: string) => void) => Promise<void>;
      };
      say(`\n${name}`);
      await bench(say);
    }
  } finally {
    broker.close();
    await services.stop();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Refusal ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
process.exit();

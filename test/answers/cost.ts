import { codings } from '../../src/answers/coded.ts';
import { createMemory } from '../../src/answers/memory.ts';
import { finish, type Rendered, sizeOf } from '../../src/answers/rendered.ts';
import { createHead, type Head } from '../../src/http/fast-path/fast-path.ts';
import { headersOf } from '../../src/http/transport/headers.ts';
import { fixedClock } from '../support/fixed-clock.ts';

// Prints what an answer in memory costs, and what it is charged, in bytes. Runs in its own process, so that nothing else is collected
// meanwhile.

const count = 1000;

/** Returns the bytes of live objects. */
async function alive(): Promise<number> {
  for (let last = Number.POSITIVE_INFINITY; ; ) {
    (globalThis as { gc?(): void }).gc!();
    await new Promise((next) => setImmediate(next));
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const now = heapUsed + arrayBuffers;
    if (now > last - 100_000) return now;
    last = now;
  }
}

const changes = {
  writable: () => true,
  position: () => 5,
  changedSince: () => false,
  change() {},
  onChange() {},
  close() {},
};
const answers = createMemory(fixedClock(1000), changes, 2 ** 30);
const heads: Head[] = [];
const kept: Rendered[] = [];

async function keep(n: number): Promise<void> {
  const about = {
    key: `/api/cappers?cursor=${n}`,
    tags: ['roster', `n-${n}`],
    lifetime: 60,
    contentType: 'text/plain',
  };
  const read = { versions: [`${n}-aaaaaaaaaaaa`, null], epoch: 'e' };
  const made = finish(about, { text: `${n} `.repeat(100) }, 1000, read);
  await Promise.all([made.body.in('gzip'), made.body.in('br')]);
  kept.push(made);
  answers.put(made, { position: 5, at: performance.now() });
  for (const coding of codings) {
    const bytes = made.body.made(coding);
    heads.push(createHead(200, headersOf(made, coding, bytes), {}));
  }
  heads.push(createHead(304, headersOf(made, 'identity', undefined), {}));
}

// Excludes compiled code, and objects created once for all answers.
for (let n = count; n < 2 * count; n += 1) await keep(n);
const before = await alive();
for (let n = 0; n < count; n += 1) await keep(n);
const each = ((await alive()) - before) / count;
const counted = kept.slice(count).reduce((sum, answered) => sum + sizeOf(answered), 0) / count;
if (heads.length !== 8 * count || !answers.has(kept[0]!.key)) throw new Error('some answers were dropped');
process.stdout.write(JSON.stringify({ each, counted }));

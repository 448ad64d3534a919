import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Changes } from '../../src/answers/changes.ts';
import { codings } from '../../src/answers/coded.ts';
import { createMemory } from '../../src/answers/memory.ts';
import { decode, encode, finish, type Rendered } from '../../src/answers/rendered.ts';
import { answer } from '../support/answers.ts';
import { baseEnvironment } from '../support/base-environment.ts';
import { fixedClock } from '../support/fixed-clock.ts';

describe('answers in memory', () => {
  const clock = fixedClock(1000);
  let changed: Set<string>;
  const changes: Changes = {
    writable: () => true,
    position: () => 5,
    changedSince: (position, tags) => position < 5 || tags.some((tag) => changed.has(tag)),
    change: (tags) => {
      changed = new Set([...changed, ...tags]);
    },
    onChange: () => {},
    close: () => {},
  };
  const asOf = (position: number) => ({ position, at: performance.now() });
  beforeEach(() => {
    changed = new Set();
    clock.set(1000);
  });

  it('are fresh until one of their tags changes', () => {
    const answers = createMemory(clock, changes, 2 ** 20);
    const kept = answer({ tags: ['a', 'b'] });
    answers.put(kept, asOf(5));
    expect(answers.fresh(kept.key)).to.equal(kept);
    changed.add('b');
    expect(answers.fresh(kept.key)).to.equal(undefined);
    expect(answers.any(kept.key)).to.equal(kept);
  });

  it('are fresh until their lifetime ends', () => {
    const answers = createMemory(clock, changes, 2 ** 20);
    const kept = answer({ goodUntil: 2000 });
    answers.put(kept, asOf(5));
    clock.set(2000);
    expect(answers.fresh(kept.key)).to.equal(undefined);
  });

  it('are stale if their data changed while they were rendered', () => {
    const answers = createMemory(clock, changes, 2 ** 20);
    answers.put(answer(), asOf(4));
    expect(answers.fresh(answer().key)).to.equal(undefined);
  });

  it('stay fresh for `freshMs` despite changes', () => {
    const answers = createMemory(clock, undefined, 2 ** 20);
    const kept = answer();
    const ago = (ms: number) => ({ position: -1, at: performance.now() - ms });
    answers.put(kept, ago(50), 100_000);
    expect(answers.fresh(kept.key)).to.equal(kept);
    answers.put(kept, ago(50), 40);
    expect(answers.fresh(kept.key)).to.equal(undefined);
  });

  it('are stale after `maxAgeMs` even without changes', () => {
    const answers = createMemory(clock, changes, 2 ** 20);
    const kept = answer();
    answers.put(kept, { position: 5, at: performance.now() - 50 }, 0, 100_000);
    expect(answers.fresh(kept.key)).to.equal(kept);
    answers.put(kept, { position: 5, at: performance.now() - 50 }, 0, 40);
    expect(answers.fresh(kept.key)).to.equal(undefined);
  });

  it('are served until the end of their extension', () => {
    const answers = createMemory(clock, changes, 2 ** 20);
    const kept = answer({ tags: ['a'] });
    answers.put(kept, { position: 5, at: performance.now() - 250 }, 200);
    changed.add('a');
    expect(answers.fresh(kept.key)).to.equal(undefined);
    answers.extend(kept.key, 240);
    expect(answers.fresh(kept.key)).to.equal(undefined);
    answers.extend(kept.key, 100_000);
    expect(answers.fresh(kept.key)).to.equal(kept);
  });

  it('are charged again when a content coding is added', async () => {
    const answers = createMemory(clock, changes, 80_000);
    const kept = answer({ key: '/kept', bytes: randomBytes(5000) });
    answers.put(kept, asOf(5));
    for (const coding of ['gzip', 'br'] as const) await kept.body.in(coding);
    expect(answers.has('/kept')).to.equal(true);
    answers.recount('/kept');
    // A quarter of the memory holds it in one coding, not in three.
    expect(answers.has('/kept')).to.equal(false);
  });

  it('retain no memory beyond what they are charged for', async () => {
    const renderable = { key: '/k', tags: [], lifetime: 60, contentType: 'text/plain' };
    for (const text of ['{}', 'x'.repeat(3000), 'y'.repeat(100_000)]) {
      const made = finish(renderable, { text }, 1000, { versions: [], epoch: 'e' });
      // A part of what the connection received, as Redis' client returns it.
      const received = Buffer.concat([encode(made), Buffer.alloc(64 * 1024)]);
      const stored = decode(received.subarray(0, -64 * 1024));
      for (const { body } of [made, stored as Rendered])
        for (const coding of codings) {
          const bytes = await body.in(coding);
          expect(bytes.buffer.byteLength).to.equal(bytes.length);
        }
    }
  });

  it('are charged their full size', async () => {
    const program = resolve(import.meta.dirname, 'cost.ts');
    // On a busy machine a background thread may free buffers late, and they would count as alive.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--expose-gc', '--single-threaded-gc', program],
      { env: baseEnvironment },
    );
    const { each, counted } = JSON.parse(stdout);
    // Charging too little would leave the process unbounded.
    expect(each).to.be.within(counted * 0.5, counted * 1.1);
  });
});

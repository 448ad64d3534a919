import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createLimiter, Overloaded } from '../../src/platform/limiter.ts';

describe('a limiter', () => {
  it('runs as many at once as it has slots, and the rest in order of arrival', async () => {
    const limiter = createLimiter(2);
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const all = [0, 1, 2, 3].map((number) =>
      limiter.run(() => {
        started.push(number);
        return new Promise<number>((resolve) => finish.push(() => resolve(number)));
      }, 10),
    );
    await setImmediate();
    expect(started).to.deep.equal([0, 1]);
    finish[1]?.();
    await setImmediate();
    expect(started).to.deep.equal([0, 1, 2]);
    finish[0]?.();
    await setImmediate();
    for (const end of finish) end();
    expect(await Promise.all(all)).to.deep.equal([0, 1, 2, 3]);
  });

  it('refuses work when too much waits, and accepts more once that is done', async () => {
    const limiter = createLimiter(1);
    let release = () => {};
    const first = limiter.run(() => new Promise<void>((resolve) => (release = resolve)), 1);
    const second = limiter.run(() => Promise.resolve('second'), 1);
    const refused = await limiter.run(() => Promise.resolve(), 1).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Overloaded);
    release();
    await first;
    expect(await second).to.equal('second');
    expect(await limiter.run(() => Promise.resolve('third'), 1)).to.equal('third');
  });

  it('passes the slot on after a failure', async () => {
    const limiter = createLimiter(1);
    const failed = limiter.run(() => Promise.reject(new Error('no')), 5);
    const next = limiter.run(() => Promise.resolve('next'), 5);
    expect((await failed.catch((error: Error) => error)) as Error).to.have.property('message', 'no');
    expect(await next).to.equal('next');
  });

  it('waits at most as long as asked, and an expired waiter takes no slot', async () => {
    const limiter = createLimiter(1);
    expect(limiter.acquire()).to.equal(true);
    expect(await limiter.acquire({ waitMs: 1 })).to.equal(false);
    const next = limiter.acquire();
    limiter.release();
    expect(await next).to.equal(true);
    limiter.release();
    expect(limiter.acquire()).to.equal(true);
  });

  it('admits waiters when it grows, and after shrinking only once enough has ended', async () => {
    const limiter = createLimiter(1);
    const acquired = Array.from({ length: 4 }, () => Promise.resolve(limiter.acquire()));
    let count = 0;
    for (const each of acquired) void each.then(() => (count += 1));
    limiter.resize(3);
    await setImmediate();
    expect(count).to.equal(3);
    limiter.resize(1);
    limiter.release();
    limiter.release();
    await setImmediate();
    expect(count).to.equal(3);
    limiter.release();
    await setImmediate();
    expect(count).to.equal(4);
  });

  it('cancels only cancellable waiters', async () => {
    const limiter = createLimiter(0);
    const cancelled = limiter.acquire({ cancellable: true });
    const patient = limiter.acquire();
    limiter.cancel();
    expect(await cancelled).to.equal(false);
    limiter.resize(1);
    expect(await patient).to.equal(true);
  });
});

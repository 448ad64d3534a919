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
});

import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { Busy, turns } from '../../src/cards/turns.ts';

describe('turns', () => {
  it('lets so many work at the same time, the others in the order in which they came', async () => {
    const inTurn = turns(2, 10);
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const all = [0, 1, 2, 3].map((number) =>
      inTurn(() => {
        started.push(number);
        return new Promise<number>((resolve) => finish.push(() => resolve(number)));
      }),
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

  it('refuses whoever finds too many waiting, and takes more once they are gone', async () => {
    const inTurn = turns(1, 1);
    let release = () => {};
    const first = inTurn(() => new Promise<void>((resolve) => (release = resolve)));
    const second = inTurn(() => Promise.resolve('second'));
    const refused = await inTurn(() => Promise.resolve()).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Busy);
    release();
    await first;
    expect(await second).to.equal('second');
    expect(await inTurn(() => Promise.resolve('third'))).to.equal('third');
  });

  it('gives the turn on after a failure', async () => {
    const inTurn = turns(1, 5);
    const failed = inTurn(() => Promise.reject(new Error('no')));
    const next = inTurn(() => Promise.resolve('next'));
    expect((await failed.catch((error: Error) => error)) as Error).to.have.property('message', 'no');
    expect(await next).to.equal('next');
  });
});

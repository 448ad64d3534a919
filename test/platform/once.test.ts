import { expect } from 'chai';
import { singleFlight } from '../../src/platform/once.ts';

describe('single flight', () => {
  it('does the same work once for all concurrent callers', async () => {
    const share = singleFlight<number>();
    let done = 0;
    const work = async () => {
      await new Promise(setImmediate);
      done += 1;
      return done;
    };
    expect(await Promise.all([share('a', work), share('a', work), share('b', work)])).to.deep.equal([
      1, 1, 2,
    ]);
    expect(await share('a', work)).to.equal(3);
  });

  it('passes a failure on to all callers, and tries again for the next', async () => {
    const share = singleFlight<string>();
    const failing = () => Promise.reject(new Error('no'));
    const [one, two] = await Promise.allSettled([share('a', failing), share('a', failing)]);
    expect([one.status, two.status]).to.deep.equal(['rejected', 'rejected']);
    expect(await share('a', () => Promise.resolve('yes'))).to.equal('yes');
  });
});

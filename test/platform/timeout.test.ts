import { MessageChannel } from 'node:worker_threads';
import { expect } from 'chai';
import { withActiveTimeout, withTimeout } from '../../src/platform/timeout.ts';
import { standStill } from '../support/stand-still.ts';

const never = () => new Promise<string>(() => {});

describe('a timeout', () => {
  it('returns the result of work that completes in time', async () => {
    expect(await withTimeout(Promise.resolve('done'), 1000)).to.equal('done');
  });

  it('passes on the error of work that fails in time', async () => {
    const failed = withTimeout(Promise.reject(new Error('broken')), 1000);
    expect(await failed.catch((error: unknown) => error)).to.include({ message: 'broken' });
  });

  it('throws if the work takes longer', async () => {
    const late = await withTimeout(never(), 5).catch((error: unknown) => error);
    expect(late).to.include({ message: 'no answer in time' });
  });

  it("returns the fallback of a late result, or throws the fallback's error", async () => {
    expect(await withTimeout(never(), 5, () => undefined)).to.equal(undefined);
    const refused = withTimeout(never(), 5, () => {
      throw new Error('too late');
    });
    expect(await refused.catch((error: unknown) => error)).to.include({ message: 'too late' });
  });
});

describe('a timeout of active time', () => {
  it('does not count time in which the event loop was stalled', async () => {
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => port2.once('message', resolve));
    const waited = withActiveTimeout(answer, 100);
    port1.postMessage('there in time');
    standStill(300);
    expect(await waited).to.equal('there in time');
    port1.close();
  });

  it('throws if the work takes longer', async () => {
    const late = await withActiveTimeout(never(), 120).catch((error: unknown) => error);
    expect(late).to.include({ message: 'no answer in time' });
  });
});

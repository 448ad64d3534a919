import { expect } from 'chai';
import { withTimeout } from '../../src/platform/timeout.ts';

const never = () => new Promise<string>(() => {});

describe('a timeout', () => {
  it('gives the result of work that is done in time', async () => {
    expect(await withTimeout(Promise.resolve('done'), 1000)).to.equal('done');
  });

  it('passes on the error of work that fails in time', async () => {
    const failed = withTimeout(Promise.reject(new Error('broken')), 1000);
    expect(await failed.catch((error: unknown) => error)).to.include({ message: 'broken' });
  });

  it('throws when the work takes longer', async () => {
    const late = await withTimeout(never(), 5).catch((error: unknown) => error);
    expect(late).to.include({ message: 'no answer in time' });
  });

  it('gives what is to stand in for a late result, or throws what that throws', async () => {
    expect(await withTimeout(never(), 5, () => undefined)).to.equal(undefined);
    const refused = withTimeout(never(), 5, () => {
      throw new Error('too late');
    });
    expect(await refused.catch((error: unknown) => error)).to.include({ message: 'too late' });
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { watchLoopDelay } from '../../src/platform/loop-delay.ts';
import { standStill } from '../support/stand-still.ts';
import { until } from '../support/until.ts';

describe('the delay of the event loop', () => {
  it('counts as late after two consecutive delays of a second, until the loop is on time', async () => {
    // One long turn does not count, but a busy machine may add others.
    await until(async () => {
      const other = watchLoopDelay();
      standStill(1100);
      await sleep(1);
      return !other.isLate();
    });
    const loop = watchLoopDelay();
    for (let turn = 0; turn < 8; turn += 1) {
      standStill(200);
      await sleep(1);
    }
    expect(loop.isLate(), 'turns of a fifth of a second').to.equal(false);
    for (let turn = 0; turn < 3; turn += 1) {
      standStill(1100);
      // Longer than the pause between two measurements.
      await sleep(30);
    }
    expect(loop.isLate()).to.equal(true);
    await until(() => !loop.isLate());
  });
});

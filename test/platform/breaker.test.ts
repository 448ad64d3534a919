import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { createBreaker } from '../../src/platform/breaker.ts';

describe('a breaker', () => {
  it('skips a failed dependency for a while, then lets one call probe it', async () => {
    const breaker = createBreaker({ timeoutMs: 100, openMs: 60 });
    let begun = 0;
    const failing = async () => {
      begun += 1;
      throw new Error('away');
    };
    expect(await breaker.attempt(failing)).to.equal(undefined);
    await Promise.all([breaker.attempt(failing), breaker.attempt(failing)]);
    expect(begun, 'while open').to.equal(1);
    await pause(70);
    await Promise.all([breaker.attempt(failing), breaker.attempt(failing)]);
    expect(begun, 'the probe').to.equal(2);
    await pause(70);
    expect(await breaker.attempt(() => Promise.resolve('back'))).to.equal('back');
    expect(await breaker.attempt(() => Promise.resolve('there'))).to.equal('there');
  });

  it('waits at most for its timeout', async () => {
    const breaker = createBreaker({ timeoutMs: 30, openMs: 1000 });
    expect(await breaker.attempt(() => new Promise(() => {}))).to.equal(undefined);
  });
});

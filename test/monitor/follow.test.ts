import { expect } from 'chai';
import fc from 'fast-check';
import { type MonitorState, newState, poll } from '../../src/monitor/follow.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { ORIGIN, testSigner } from '../proof/example-log.ts';
import { createMemoryLog, follow, type MemoryLog, otherSigner, post, trusted } from './memory-log.ts';

/** Before the games of the example picks. */
const now = Date.parse('2026-03-01T12:40:00Z');

/** Polls a log and expects no findings. */
async function calm(log: MemoryLog, state: MonitorState): Promise<MonitorState> {
  const { findings, state: after } = await poll(log.client(), state, { now });
  expect(findings).to.deep.equal([]);
  return after;
}

/** Returns the kinds of findings, and whether the state is unchanged. */
async function found(log: MemoryLog, state: MonitorState, size?: number) {
  const result = await poll(log.client(size), state, { now });
  return { kinds: result.findings.map(({ kind }) => kind), kept: result.state === state, result };
}

describe('a monitor', () => {
  let log: MemoryLog;
  let state: MonitorState;

  beforeEach(async () => {
    log = createMemoryLog();
    state = newState(ORIGIN, [trusted]);
    const first = post(log, 'ada', 1, 1);
    post(log, 'bob', 1, 2);
    const closed = follow(log, first, 'closed');
    state = await calm(log, state);
    follow(log, closed, 'settled');
    post(log, 'ada', 2, 3);
    state = await calm(log, state);
  });

  it('follows an append-only log, whatever the steps between polls', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 6 }), async (steps) => {
        const growing = createMemoryLog();
        let seen = newState(ORIGIN, [trusted]);
        let n = 0;
        growing.add({ kind: 'notice' });
        for (const step of steps) {
          for (let i = 0; i < step; i += 1) {
            n += 1;
            post(growing, 'ada', n, n);
          }
          seen = await calm(growing, seen);
        }
        if (steps.length > 0) expect(seen.seen?.size).to.equal(n + 1);
      }),
      { numRuns: 30 },
    );
  });

  it('keeps the state that it needs to continue, and no settled pick', () => {
    expect(state.seen?.size).to.equal(5);
    expect(state.cappers).to.deep.equal({ ada: 2, bob: 1 });
    expect(Object.keys(state.open)).to.have.length(2);
  });

  it('finds nothing new in an unchanged log', async () => {
    const result = await poll(log.client(), state, { now });
    expect(result.entries).to.equal(0);
    expect(result.findings).to.deep.equal([]);
  });

  it('finds the gap that a removed pick leaves', async () => {
    post(log, 'ada', 4, 4);
    const { kinds, result } = await found(log, state);
    expect(kinds).to.deep.equal(['gap']);
    expect(result.findings[0]).to.include({
      seq: 5,
      message: 'pick number 4 of ada is out of order: expected number 3',
    });
    expect(result.state.seen?.size).to.equal(6);
  });

  it('finds a duplicate number', async () => {
    post(log, 'ada', 2, 4);
    expect((await found(log, state)).kinds).to.deep.equal(['gap']);
  });

  it('finds events that do not follow from the previous one', async () => {
    const third = { ...post(log, 'bob', 2, 5) };
    state = await calm(log, state);
    const wrongHash = log.clone();
    follow(wrongHash, third, 'settled', { prev: 'f'.repeat(64) });
    expect((await found(wrongHash, state)).kinds).to.deep.equal(['chain']);
    const otherCapper = log.clone();
    follow(otherCapper, third, 'settled', { capper: 'ada' });
    expect((await found(otherCapper, state)).kinds).to.deep.equal(['chain']);
    const twice = log.clone();
    const closed = follow(twice, third, 'closed');
    follow(twice, closed, 'closed');
    expect((await found(twice, state)).kinds).to.deep.equal(['chain']);
    const unknown = log.clone();
    follow(unknown, { ...third, uuid: '3f2504e0-4f89-41d3-9a0c-000000000099' }, 'settled');
    expect((await found(unknown, state)).kinds).to.deep.equal(['chain']);
    const postedTwice = log.clone();
    post(postedTwice, 'bob', 3, 5);
    expect((await found(postedTwice, state)).kinds).to.deep.equal(['chain']);
  });

  it('finds a rewritten log, keeps both notes as evidence, and rejects the new state', async () => {
    log.rewrite(1, { hash: 'e'.repeat(64) });
    const same = await found(log, state);
    expect(same.kinds).to.deep.equal(['fork']);
    expect(same.kept).to.equal(true);
    expect(same.result.findings[0]?.evidence).to.have.length(2);
    post(log, 'ada', 3, 7);
    const grown = await found(log, state);
    expect(grown.kinds).to.deep.equal(['fork']);
    expect(grown.kept).to.equal(true);
  });

  it('distinguishes an older checkpoint from a forked one', async () => {
    expect((await found(log, state, 3)).kinds).to.deep.equal(['older']);
    log.rewrite(0, { hash: 'd'.repeat(64) });
    expect((await found(log, state, 3)).kinds).to.deep.equal(['fork']);
  });

  it('rejects a checkpoint that no trusted key has signed', async () => {
    const impostor = createMemoryLog([], new Map(), otherSigner);
    post(impostor, 'ada', 1, 1);
    const { kinds, kept } = await found(impostor, newState(ORIGIN, [trusted]));
    expect(kinds).to.deep.equal(['signature']);
    expect(kept).to.equal(true);
  });

  it('accepts a key that the previous one has announced, and no other', async () => {
    const honest = log.clone();
    await honest.rotate(otherSigner);
    state = await calm(honest, state);
    post(honest, 'ada', 3, 8);
    state = await calm(honest, state);
    const third = await testSigner(ORIGIN, 10);
    const stolen = honest.clone();
    await stolen.rotate(third, await testSigner(ORIGIN, 11));
    const { kinds, kept } = await found(stolen, state);
    expect(kinds).to.deep.equal(['signature']);
    expect(kept).to.equal(true);
  });

  it('trusts the current key for a log that earlier keys have signed', async () => {
    await log.rotate(otherSigner);
    await calm(log, newState(ORIGIN, [formatVerifierKey(otherSigner.key)]));
  });
});

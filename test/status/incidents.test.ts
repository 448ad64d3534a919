import { expect } from 'chai';
import fc from 'fast-check';
import type { CheckResult, Status } from '../../src/status/check.ts';
import { advance, type Incident, type Watched } from '../../src/status/incidents.ts';

const minute = 60_000;

/** Plays rounds a quarter of a minute apart. One letter per round: o ok, d degraded, x down, ? unmeasurable. */
function play(
  rounds: Record<string, string>,
  dependsOn: Record<string, string[]> = {},
  before?: Watched,
): Watched {
  let watched: Watched = before ?? { checks: {}, incidents: [] };
  let next = 0;
  const length = Math.max(...Object.values(rounds).map((letters) => letters.length));
  for (let round = 0; round < length; round += 1) {
    const found = Object.entries(rounds).map(
      ([name, letters]): CheckResult => ({
        subject: { name, title: name.toUpperCase(), dependsOn: dependsOn[name] ?? [] },
        finding: findings[letters[round] as keyof typeof findings],
      }),
    );
    watched = advance(watched, found, round * 15_000, () => `id-${next++}`);
  }
  return watched;
}

const findings = {
  o: { status: 'ok', message: 'fine' },
  d: { status: 'degraded', message: 'slow' },
  x: { status: 'down', message: 'gone' },
  '?': undefined,
} as const;

const open = ({ incidents }: Watched) => incidents.filter(({ closedAt }) => closedAt === null);

describe('an incident', () => {
  it('opens after two failing rounds in a row, as of the first, and not after one', () => {
    expect(play({ a: 'odoxo' }).incidents).to.deep.equal([]);
    expect(open(play({ a: 'oodd' }))).to.have.length(1);
    expect(open(play({ a: 'oodd' }))[0]).to.deep.include({
      check: 'a',
      title: 'A',
      status: 'degraded',
      openedAt: 30_000,
      message: 'slow',
    });
  });

  it('does not open while the service starts, and then opens at once for what is still failing', () => {
    const round = (watched: Watched, at: number, isStarting: boolean) =>
      advance(
        watched,
        [
          {
            subject: { name: 'a', title: 'A', dependsOn: [] },
            finding: { status: 'down', message: 'gone' },
          },
        ],
        at,
        () => 'id',
        isStarting,
      );
    let watched: Watched = { checks: {}, incidents: [] };
    for (const at of [0, 15_000, 30_000]) watched = round(watched, at, true);
    expect(watched.incidents).to.deep.equal([]);
    expect(open(round(watched, 45_000, false))[0]).to.deep.include({ check: 'a', openedAt: 0 });
    const going = round(round(watched, 45_000, false), 60_000, true);
    expect(open(going), 'what was open before a restart stays open').to.have.length(1);
  });

  it('closes after two passing rounds in a row, as of the first, and not after one', () => {
    expect(open(play({ a: 'xxoxo' }))).to.have.length(1);
    const [closed] = play({ a: 'xxdoo' }).incidents;
    expect(closed).to.deep.include({ openedAt: 0, closedAt: 45_000, worst: 'down' });
  });

  it('gets worse after two worse rounds in a row, and remembers its worst status', () => {
    expect(open(play({ a: 'ddx' }))[0]?.status).to.equal('degraded');
    expect(open(play({ a: 'ddxx' }))[0]?.status).to.equal('down');
    expect(open(play({ a: 'ddxxd' }))[0]).to.include({ status: 'degraded', worst: 'down' });
  });

  it('opens for a check that could not be measured for an unknown reason', () => {
    expect(open(play({ a: '??' }))[0]).to.include({
      status: 'degraded',
      message: 'The check could not run.',
    });
  });

  it('does not open for dependents of a check that is down, which names them', () => {
    const dependsOn = { board1: ['redis', 'worker'], board2: ['redis'], worker: ['redis'], deep: ['worker'] };
    const after = play(
      { redis: 'oxxx', board1: 'o???', board2: 'oxxx', worker: 'o???', deep: 'odxx', other: 'oddd' },
      dependsOn,
    );
    expect(open(after).map(({ check }) => check)).to.have.members(['redis', 'other']);
    expect(open(after).find(({ check }) => check === 'redis')?.affects).to.have.members([
      'BOARD1',
      'BOARD2',
      'WORKER',
      'DEEP',
    ]);
    expect(after.checks.board1).to.include({
      cause: 'redis',
      message: 'Cannot be measured while REDIS is down.',
    });
    expect(after.checks.deep).to.include({ cause: 'redis' });
  });

  it('opens for dependents of a check that is merely degraded', () => {
    expect(open(play({ redis: 'dd', board: 'xx' }, { board: ['redis'] }))).to.have.length(2);
  });

  it('opens for dependents that have not recovered five minutes after their root', () => {
    const rounds = (followers: number) =>
      play(
        { redis: `xx${'o'.repeat(followers)}`, board: `xx${'x'.repeat(followers)}` },
        { board: ['redis'] },
      );
    // Down until the 15th second, it explains failures until 5 min 15 s.
    expect(open(rounds(19))).to.deep.equal([]);
    expect(open(rounds(21)).map(({ check }) => check)).to.deep.equal(['board']);
  });

  it('stays open and unchanged if it opened before its root', () => {
    const after = play({ redis: 'ooxxx', board: 'ddxxx' }, { board: ['redis'] });
    expect(open(after).find(({ check }) => check === 'board')).to.include({ status: 'degraded' });
  });

  it('closes silently if its check was removed', () => {
    const before = play({ a: 'xx' });
    const after = advance(before, [], 10 * minute, () => 'none');
    expect(after.incidents[0]).to.include({ closedAt: 10 * minute, recoveryToldAt: 10 * minute });
  });

  it('is kept for seven days after it closed, and until its end was announced', () => {
    const closed = play({ a: 'xxoo' });
    const week = 7 * 86_400_000;
    const told = { ...closed, incidents: closed.incidents.map((each) => ({ ...each, recoveryToldAt: 1 })) };
    expect(advance(closed, [], 2 * week, () => '').incidents).to.have.length(1);
    expect(advance(told, [], week, () => '').incidents).to.have.length(1);
    expect(advance(told, [], 2 * week, () => '').incidents).to.have.length(0);
  });

  it('is the only open one of its check, with its times in order, whatever the findings', () => {
    const letters = fc.string({ unit: fc.constantFrom('o', 'd', 'x', '?'), minLength: 1, maxLength: 40 });
    const status: Status[] = ['degraded', 'down'];
    fc.assert(
      fc.property(letters, letters, letters, (redis, worker, board) => {
        const after = play({ redis, worker, board }, { worker: ['redis'], board: ['worker', 'redis'] });
        const names = open(after).map(({ check }) => check);
        expect(new Set(names).size).to.equal(names.length);
        expect(new Set(after.incidents.map(({ id }: Incident) => id)).size).to.equal(after.incidents.length);
        for (const { openedAt, closedAt, worst } of after.incidents) {
          expect(status).to.include(worst);
          if (closedAt !== null) expect(closedAt).to.be.greaterThan(openedAt);
        }
      }),
    );
  });
});

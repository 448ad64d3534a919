import { expect } from 'chai';
import fc from 'fast-check';
import type { CheckResult, Status } from '../../src/status/check.ts';
import { advance, type Incident, type Watched } from '../../src/status/incidents.ts';

const minute = 60_000;

/** Plays rounds a quarter of a minute apart. A letter a round: o ok, d degraded, x down, ? not to be measured. */
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

describe('incidents', () => {
  it('one bad round opens none, two in a row do, from the first of them on', () => {
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

  it('none opens while the service starts; what is still wrong afterwards opens one at once', () => {
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

  it('one good round closes none, two in a row do, from the first of them on', () => {
    expect(open(play({ a: 'xxoxo' }))).to.have.length(1);
    const [closed] = play({ a: 'xxdoo' }).incidents;
    expect(closed).to.deep.include({ openedAt: 0, closedAt: 45_000, worst: 'down' });
  });

  it('gets worse after two rounds that say so, and remembers its worst', () => {
    expect(open(play({ a: 'ddx' }))[0]?.status).to.equal('degraded');
    expect(open(play({ a: 'ddxx' }))[0]?.status).to.equal('down');
    expect(open(play({ a: 'ddxxd' }))[0]).to.include({ status: 'degraded', worst: 'down' });
  });

  it('what could not be measured for no known reason is trouble of its own', () => {
    expect(open(play({ a: '??' }))[0]).to.include({
      status: 'degraded',
      message: 'The check could not run.',
    });
  });

  it('followers of a root that is down have none of their own: the root names them', () => {
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

  it('a root that is merely slow explains nothing', () => {
    expect(open(play({ redis: 'dd', board: 'xx' }, { board: ['redis'] }))).to.have.length(2);
  });

  it('gives followers five minutes to recover after their root, then they stand for themselves', () => {
    const rounds = (followers: number) =>
      play(
        { redis: `xx${'o'.repeat(followers)}`, board: `xx${'x'.repeat(followers)}` },
        { board: ['redis'] },
      );
    // Down until the 15th second: until 5 min 15 s it explains.
    expect(open(rounds(19))).to.deep.equal([]);
    expect(open(rounds(21)).map(({ check }) => check)).to.deep.equal(['board']);
  });

  it('an incident that was open before its root is neither closed nor made worse by it', () => {
    const after = play({ redis: 'ooxxx', board: 'ddxxx' }, { board: ['redis'] });
    expect(open(after).find(({ check }) => check === 'board')).to.include({ status: 'degraded' });
  });

  it('of a check that is looked at no more it is closed without a word', () => {
    const before = play({ a: 'xx' });
    const after = advance(before, [], 10 * minute, () => 'none');
    expect(after.incidents[0]).to.include({ closedAt: 10 * minute, recoveryToldAt: 10 * minute });
  });

  it('closed ones are kept until they were told, and for seven days', () => {
    const closed = play({ a: 'xxoo' });
    const week = 7 * 86_400_000;
    const told = { ...closed, incidents: closed.incidents.map((each) => ({ ...each, recoveryToldAt: 1 })) };
    expect(advance(closed, [], 2 * week, () => '').incidents).to.have.length(1);
    expect(advance(told, [], week, () => '').incidents).to.have.length(1);
    expect(advance(told, [], 2 * week, () => '').incidents).to.have.length(0);
  });

  it('whatever is found: at most one is open for a check, and its times are in order', () => {
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

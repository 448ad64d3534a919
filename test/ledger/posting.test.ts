import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { applyResults } from '../../src/intake/result.ts';
import { dueGames, upcomingStarts } from '../../src/ledger/grading/due-games.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2024-10-06T17:00:00Z');
const weekGame = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };
const weekPick = {
  capperHandle: 'Ada',
  ...weekGame,
  market: 'moneyline',
  side: 'home',
  pick: 'Foxes to win',
  oddsAmerican: -110,
  stakeUnits: 1.25,
};

/** Returns a subject with which a pick repeats no other pick. */
const about = (subject: string) => ({ market: 'question', subject });

describe('posting a live pick', () => {
  const stores = withDatabase();
  const post = (row: object, key: string | undefined, now: number) =>
    postPick(stores.database, { ...weekPick, ...row }, key, now);

  before(async () => {
    await applyCappers(
      stores.database,
      [{ handle: 'ada', tier: 'elite', verified: true }],
      live(start - hour),
    );
    await world({ ...weekGame, status: 'scheduled' }, start - hour);
  });

  async function world(row: GameRow, now: number) {
    return stores.database.transaction((transaction) => applyGames(transaction, [row], live(now)));
  }

  it("takes the instant from the service's clock, and the tier and start as they are then", async () => {
    const posted = await post({}, undefined, start - hour);
    expect(posted).to.include({ outcome: 'added', postedAt: '2024-10-06T16:00:00.000Z' });
    const [stored] = await stores.database('picks').orderBy('id', 'desc').limit(1);
    expect(stored).to.include({ tier: 'elite', starts_at: start, stake_e4: 12_500, source: 'operator' });
  });

  it("stores the pick under ingest's login as well, which has no rights on keys", async () => {
    const database = openDatabase(asLogin(stores.ownerUrl, 'ingest'));
    try {
      const posted = await database.transaction((transaction) =>
        postPick(transaction, { ...weekPick, ...about('Ingest') }, undefined, start - hour),
      );
      expect(posted.outcome).to.equal('added');
    } finally {
      await database.destroy();
    }
  });

  it('answers the same Idempotency-Key with the first pick, and refuses it for another', async () => {
    const first = await post(about('Key'), 'key-1', start - hour);
    const again = await post({ capperHandle: 'ADA', ...about('Key') }, 'key-1', start - 30 * minute);
    expect(again).to.deep.equal({ ...first, outcome: 'unchanged' });
    expect(await post({ stakeUnits: 2, ...about('Key') }, 'key-1', start - hour)).to.deep.include({
      outcome: 'refused',
      reason: 'this Idempotency-Key was used for another pick: choose a new key',
    });
  });

  it('posts once for concurrent requests with the same key', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, () => post(about('Together'), 'key-2', start - hour)),
    );
    expect(all.filter(({ outcome }) => outcome === 'added')).to.have.length(1);
    expect(new Set(all.map((posted) => 'pickUuid' in posted && posted.pickUuid)).size).to.equal(1);
  });

  it('accepts a refused pick under its key once it is valid', async () => {
    expect(await post({ ...about('Again'), capperHandle: 'nobody' }, 'key-3', start - hour)).to.include({
      outcome: 'refused',
    });
    expect(await post(about('Again'), 'key-3', start - hour)).to.include({ outcome: 'added' });
  });

  it('refuses a pick from the instant of the start', async () => {
    expect(await post({}, undefined, start)).to.deep.equal({
      outcome: 'refused',
      reason: 'the game started at 2024-10-06T17:00:00.000Z',
    });
    expect(await post(about('Last'), undefined, start - 1)).to.include({ outcome: 'added' });
  });

  it('finds the only open game of that name when no start is given', async () => {
    expect(await post({ startsAt: null, ...about('Open') }, undefined, start - hour)).to.include({
      outcome: 'added',
    });
    await world({ ...weekGame, startsAt: '2024-10-13T17:00:00Z', status: 'scheduled' }, start - hour);
    expect(await post({ startsAt: null }, undefined, start - hour)).to.include({ outcome: 'refused' });
  });
});

describe('closing and settling over time', () => {
  const stores = withDatabase();

  async function world(row: object, now: number) {
    const { outcomes } = await stores.database.transaction((transaction) =>
      applyGames(transaction, [{ ...game, status: 'scheduled', ...row } as GameRow], live(now)),
    );
    return outcomes[0];
  }
  async function price(
    odds: number,
    capturedAt: number,
    now: number,
    { closing = false, by = 'provider' as 'hand' | 'provider' } = {},
  ) {
    const row = {
      ...game,
      market: 'moneyline',
      line: null,
      capturedAt: new Date(capturedAt).toISOString(),
      book: 'north',
      closing,
    };
    await applyLines(stores.database, [{ ...row, side: 'home', oddsAmerican: odds }], live(now), by);
  }
  async function pickNamed(text: string) {
    const [row] = await stores
      .database('picks as p')
      .leftJoin('closings as k', 'k.pick_id', 'p.id')
      .leftJoin('settlements as s', 's.pick_id', 'p.id')
      .where('p.pick', text)
      .select('k.closed_at', 'k.odds_american as closing', 's.result', 's.settled_at');
    return row;
  }

  // Every test has its own game, since posted picks stay.
  let number = 0;
  let game = { ...weekGame };
  let pick = { ...weekPick, book: 'north' };

  beforeEach(async () => {
    number += 1;
    game = { ...weekGame, game: `Harbor Gulls ${number} @ Copper Foxes ${number}` };
    pick = { ...weekPick, ...game, book: 'north', pick: `Foxes ${number} to win` };
    await applyCappers(
      stores.database,
      [{ handle: 'ada', tier: 'elite', verified: true }],
      live(start - 9 * hour),
    );
    await world({}, start - 9 * hour);
    await postPick(stores.database, pick, undefined, start - 9 * hour);
  });

  it('closes at the start with the last price before it, and not a moment earlier', async () => {
    await price(-130, start - hour, start - hour);
    await gradeDue(stores.database, start - 1);
    expect((await pickNamed(pick.pick)).closed_at).to.equal(null);
    await gradeDue(stores.database, start);
    expect(await pickNamed(pick.pick)).to.include({ closed_at: start, closing: -130, result: null });
  });

  it('closes at the start with a late price of a provider, and with none by hand, until the pick settles', async () => {
    await gradeDue(stores.database, start + 20 * minute);
    expect((await pickNamed(pick.pick)).closed_at).to.equal(null);
    await price(-120, start - minute, start + 2 * hour, { by: 'hand' });
    await gradeDue(stores.database, start + 2 * hour);
    expect((await pickNamed(pick.pick)).closed_at).to.equal(null);
    await price(-140, start - minute, start + 2 * hour);
    await gradeDue(stores.database, start + 2 * hour);
    expect(await pickNamed(pick.pick)).to.include({ closed_at: start, closing: -140 });
  });

  for (const [late, ms] of [
    ['20 minutes', 20 * minute],
    ['3 days', 72 * hour],
  ] as const)
    it(`closes with the stored prices after grading was down for ${late}`, async () => {
      await price(-150, start - hour, start - hour);
      await gradeDue(stores.database, start + ms);
      expect(await pickNamed(pick.pick)).to.include({ closed_at: start, closing: -150, result: null });
    });

  it('has no due game while picks wait for a price or a score', async () => {
    await gradeDue(stores.database, start + minute);
    expect(await dueGames(stores.database, start + hour, 0, 10)).to.deep.equal([]);
    await price(-150, start + minute, start + minute);
    expect(await dueGames(stores.database, start + hour, 0, 10)).to.have.length(1);
    await gradeDue(stores.database, start + hour);
    expect(await dueGames(stores.database, start + hour, 0, 10)).to.deep.equal([]);
    await world({ status: 'final', homeScore: 10, awayScore: 3 }, start + 3 * hour);
    expect((await gradeDue(stores.database, start + 3 * hour)).settled).to.equal(1);
  });

  it('closes even if the database refuses the settlement, which stays due', async () => {
    await price(-150, start - hour, start - hour);
    await world({ status: 'final', homeScore: 10, awayScore: 3 }, start + 3 * hour);
    await stores.owner.raw(`
      create function refuse_all() returns trigger language plpgsql as
        'begin raise exception ''refused'' using errcode = ''PP004''; end';
      create trigger refuse_all before insert on settlements for each row execute function refuse_all()`);
    const refused: number[] = [];
    try {
      await gradeDue(stores.database, start + 3 * hour, { onRefused: (game) => refused.push(game) });
    } finally {
      await stores.owner.raw('drop trigger refuse_all on settlements; drop function refuse_all()');
    }
    expect(refused).to.have.length(1);
    expect(await pickNamed(pick.pick)).to.include({ closing: -150, result: null });
    await gradeDue(stores.database, start + 3 * hour);
    expect(await pickNamed(pick.pick)).to.include({ closing: -150, result: 'win' });
  });

  it('never closes with an in-play price', async () => {
    await price(-500, start + minute, start + 2 * minute, { closing: true });
    await gradeDue(stores.database, start + 2 * minute);
    expect((await pickNamed(pick.pick)).closed_at).to.equal(null);
  });

  it('settles without a closing if no price ever arrived', async () => {
    await world({ status: 'final', homeScore: 10, awayScore: 3 }, start + 3 * hour);
    await gradeDue(stores.database, start + 3 * hour);
    expect(await pickNamed(pick.pick)).to.include({
      closed_at: null,
      result: 'win',
      settled_at: start + 3 * hour,
    });
  });

  it('follows a start that moves after its closing was planned', async () => {
    const moved = start + 4 * hour;
    expect((await upcomingStarts(stores.database, start - hour, hour)).at(-1)).to.include({
      startsAt: start,
    });
    await world({ movedTo: new Date(moved).toISOString() }, start - 30 * minute);
    await price(-120, start - 20 * minute, start - 20 * minute);
    await gradeDue(stores.database, start);
    expect((await pickNamed(pick.pick)).closed_at, 'the job of the old start finds nothing due').to.equal(
      null,
    );
    await price(-150, moved - minute, moved - minute);
    expect((await upcomingStarts(stores.database, moved - hour, hour))[0]).to.include({ startsAt: moved });
    await gradeDue(stores.database, moved);
    expect(await pickNamed(pick.pick)).to.include({ closed_at: moved, closing: -150 });
  });

  it('keeps a postponed pick pending for 48 hours, then voids it as of that instant', async () => {
    await world({ status: 'postponed' }, start - minute);
    await gradeDue(stores.database, start + 48 * hour - 1);
    expect((await pickNamed(pick.pick)).result).to.equal(null);
    await gradeDue(stores.database, start + 60 * hour);
    expect(await pickNamed(pick.pick)).to.include({ result: 'void', settled_at: start + 48 * hour });
  });

  it('grades a postponed game that is played within 48 hours', async () => {
    await world({ status: 'postponed' }, start - minute);
    await world({ status: 'scheduled', movedTo: new Date(start + 24 * hour).toISOString() }, start);
    await world({ status: 'final', homeScore: 3, awayScore: 10 }, start + 27 * hour);
    await gradeDue(stores.database, start + 60 * hour);
    expect(await pickNamed(pick.pick)).to.include({ result: 'loss', settled_at: start + 27 * hour });
  });

  it('settles a pick once: a later correction changes nothing', async () => {
    await world({ status: 'final', homeScore: 10, awayScore: 3 }, start + 3 * hour);
    await gradeDue(stores.database, start + 3 * hour);
    expect(await world({ status: 'final', homeScore: 3, awayScore: 10 }, start + 4 * hour)).to.deep.equal({
      outcome: 'unchanged',
    });
    await gradeDue(stores.database, start + 4 * hour);
    expect((await pickNamed(pick.pick)).result).to.equal('win');
  });

  it('settles a prop by the first result event for its subject, side, and line', async () => {
    const bet = { market: 'player_points', subject: 'Ada Lovelace', side: 'over' };
    const prop = { ...pick, ...bet, line: 20.5, pick: 'over 20.5 points' };
    await postPick(stores.database, prop, undefined, start - hour);
    const event = { ...game, ...bet, result: 'win' as const };
    await applyResults(stores.database, [{ ...event, line: 21.5 }], live(start + 2 * hour));
    await applyResults(
      stores.database,
      [{ ...event, subject: 'Rory Finch', line: 20.5, result: 'loss' }],
      live(start + 2 * hour),
    );
    await gradeDue(stores.database, start + 2 * hour);
    expect((await pickNamed(prop.pick)).result).to.equal(null);
    await applyResults(stores.database, [{ ...event, line: 20.5 }], live(start + 3 * hour));
    const { corrections } = await applyResults(
      stores.database,
      [{ ...event, line: 20.5, result: 'loss' }],
      live(start + 4 * hour),
    );
    expect(corrections).to.have.length(1);
    await gradeDue(stores.database, start + 4 * hour);
    expect(await pickNamed(prop.pick)).to.include({ result: 'win', settled_at: start + 3 * hour });
  });

  it('does the same work once in two concurrent calls', async () => {
    await price(-130, start - hour, start - hour);
    await world({ status: 'final', homeScore: 10, awayScore: 3 }, start + 3 * hour);
    await sealAll(stores.database);
    await Promise.all(Array.from({ length: 4 }, () => gradeDue(stores.database, start + 3 * hour)));
    await gradeDue(stores.database, start + 3 * hour);
    expect(await sealAll(stores.database), 'one closing, one settlement').to.equal(2);
  });
});

function live(now: number) {
  return { now, imported: false };
}

import { expect } from 'chai';
import fc from 'fast-check';
import { leagueOf } from '../../src/games/names/leagues.ts';
import { readFixture } from '../../src/games/names/title.ts';
import { applyResolved, doors } from '../../src/games/which-game.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { postPicks } from '../../src/ledger/posting/post-picks.ts';
import { iso } from '../../src/platform/clock.ts';
import type { Transaction } from '../../src/platform/database.ts';
import type { EventReport } from '../../src/sources/answer.ts';
import { applyReports } from '../../src/sources/apply-reports.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';

const hour = 3_600_000;
const now = Date.parse('2026-01-11T12:00:00Z');
const start = now + 24 * hour;
const intake = { now, imported: false };
/** Makes the picks of the property distinct. */
let question = 0;
const teams = leagueOf('nfl')!
  .teams.filter(({ former }) => !former)
  .map(({ name }) => name);

/** Returns fixture `index`, whose home team is `teams[1 + 2 * index]`. */
const fixture = (index: number) => ({ away: teams[2 * index]!, home: teams[2 * index + 1]! });
const truth = (index: number) => `${fixture(index).away} @ ${fixture(index).home}`;
const wrong = (index: number) => `${fixture(index).home} @ ${fixture(index).away}`;
/** Returns odds that identify their team. */
const oddsOf = (index: number, side: 'home' | 'away') => 200 + 2 * index + (side === 'home' ? 1 : 0);

describe('the home team', () => {
  const stores = withDatabase();
  before(() => applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], intake));

  /** Runs in a transaction that is rolled back, since picks stay forever. */
  async function within(work: (transaction: Transaction) => Promise<void>): Promise<void> {
    const done = new Error('rolled back');
    await stores.database
      .transaction(async (transaction) => {
        await work(transaction);
        throw done;
      })
      .catch((error: unknown) => {
        if (error !== done) throw error;
      });
  }

  /** Applies a calendar that writes `Away vs Home` without saying so. */
  const calendar = (transaction: Transaction, indexes: readonly number[]) =>
    applyReports(
      transaction,
      'schedule/nfl/1',
      'nfl',
      indexes.map((index) => ({
        eventId: `c${index}`,
        home: fixture(index).away,
        away: fixture(index).home,
        homeGuessed: true,
        startsAt: start,
      })),
      now,
    );
  const source = (
    transaction: Transaction,
    indexes: readonly number[],
    more: (index: number) => Partial<EventReport> = () => ({}),
  ) =>
    applyReports(
      transaction,
      'odds-api/x',
      'nfl',
      indexes.map((index) => ({
        eventId: `s${index}`,
        ...fixture(index),
        startsAt: start,
        ...more(index),
      })),
      now,
    );
  const prices = (index: number) => ({
    prices: (['home', 'away'] as const).map((side) => ({
      market: 'moneyline',
      side,
      line: null,
      oddsAmerican: oddsOf(index, side),
      capturedAt: now - hour,
      book: 'north',
    })),
  });
  const postGame = (transaction: Transaction, index: number) =>
    applyResolved(
      transaction,
      [{ sport: 'nfl', game: truth(index), startsAt: iso(start), status: 'scheduled' as const }],
      doors.operator,
      async (rows) => (await applyGames(transaction, rows, intake)).outcomes,
    );
  const postLine = (transaction: Transaction, index: number, side: 'home' | 'away') =>
    applyResolved(
      transaction,
      [
        {
          sport: 'nfl',
          game: truth(index),
          startsAt: iso(start),
          market: 'moneyline',
          side,
          line: null,
          oddsAmerican: oddsOf(index, side),
          capturedAt: iso(now - hour),
          book: 'south',
        },
      ],
      doors.row,
      (rows) => applyLines(transaction, rows, intake),
    );
  const pickOf = (index: number, side: 'home' | 'away', game = truth(index)) => ({
    capperHandle: 'ada',
    sport: 'nfl',
    game,
    startsAt: iso(start) as string | null,
    market: 'moneyline',
    side,
    pick: fixture(index)[side],
    oddsAmerican: oddsOf(index, side),
    stakeUnits: 1,
  });
  const names = (transaction: Transaction) => transaction('games').orderBy('id').pluck('name');

  it('is learned from a source that states it, while nothing depends on the game', () =>
    within(async (transaction) => {
      await calendar(transaction, [0, 1]);
      expect(await names(transaction)).to.deep.equal([wrong(0), wrong(1)]);
      await source(transaction, [0]);
      expect(await names(transaction)).to.deep.equal([truth(0), wrong(1)]);
      // A known home team stays, whatever a calendar guesses or another source says.
      await calendar(transaction, [0, 1]);
      await applyReports(
        transaction,
        'espn/nfl',
        'nfl',
        [{ eventId: 'e', home: fixture(0).away, away: fixture(0).home, startsAt: start }],
        now,
      );
      expect(await names(transaction)).to.deep.equal([truth(0), wrong(1)]);
    }));

  it('is learned for all games of a calendar from those that other sources name', () =>
    within(async (transaction) => {
      await source(transaction, [0, 1]);
      await calendar(transaction, [0, 1, 2]);
      expect(await names(transaction)).to.deep.equal([truth(0), truth(1), truth(2)]);
    }));

  it('is also learned for the games that a calendar announced earlier', () =>
    within(async (transaction) => {
      await calendar(transaction, [0, 1, 2]);
      await source(transaction, [0, 1]);
      expect(await names(transaction)).to.deep.equal([truth(0), truth(1), wrong(2)]);
      await calendar(transaction, [0, 1, 2]);
      expect(await names(transaction)).to.deep.equal([truth(0), truth(1), truth(2)]);
    }));

  it('is not learned from one game, which may be on neutral ground', () =>
    within(async (transaction) => {
      await source(transaction, [0]);
      await calendar(transaction, [0, 2]);
      expect(await names(transaction)).to.deep.equal([truth(0), wrong(2)]);
    }));

  it('is corrected by the operator: by a posted pick, price, or game', () =>
    within(async (transaction) => {
      await calendar(transaction, [0, 1, 2, 3]);
      expect(await postPick(transaction, pickOf(0, 'home'), undefined, now)).to.include({ outcome: 'added' });
      await postLine(transaction, 1, 'home');
      await postGame(transaction, 2);
      const { startsAt: _, ...unstarted } = pickOf(3, 'away');
      expect(await postPick(transaction, unstarted, undefined, now)).to.include({ outcome: 'added' });
      expect(await names(transaction)).to.deep.equal([truth(0), truth(1), truth(2), truth(3)]);
    }));

  it('is not corrected under a pick: the sides of later rows are swapped, and the answer says so', () =>
    within(async (transaction) => {
      await calendar(transaction, [0]);
      await postPick(transaction, pickOf(0, 'home', wrong(0)), undefined, now);
      const posted = await postPick(transaction, pickOf(0, 'home'), undefined, now);
      expect(posted)
        .to.have.property('note')
        .that.equals(
          `this is ${wrong(0)} announced for ${iso(start)}: home and away are swapped there, and so are the sides`,
        );
      const [line] = await postLine(transaction, 0, 'home');
      expect(line).to.have.property('note').that.contains('home and away are swapped');
      await source(transaction, [0], prices);
      expect(await names(transaction)).to.deep.equal([wrong(0)]);
      expect(await transaction('picks').orderBy('id').pluck('side')).to.deep.equal(['home', 'away']);
      const rows = await transaction('lines')
        .orderBy('book')
        .orderBy('side')
        .select('book', 'side', 'odds_american');
      expect(rows).to.deep.equal([
        { book: 'north', side: 'away', odds_american: oddsOf(0, 'home') },
        { book: 'north', side: 'home', odds_american: oddsOf(0, 'away') },
        { book: 'south', side: 'away', odds_american: oddsOf(0, 'home') },
      ]);
    }));

  it('is not corrected by a batch of picks that also names the game as it is', () =>
    within(async (transaction) => {
      await calendar(transaction, [0]);
      const posts = [pickOf(0, 'home', truth(0)), pickOf(0, 'home', wrong(0))].map((row) => ({ row }));
      const posted = await postPicks(transaction, posts, now);
      expect(posted.map(({ outcome }) => outcome)).to.deep.equal(['added', 'added']);
      expect(await names(transaction)).to.deep.equal([wrong(0)]);
      expect(await transaction('picks').orderBy('id').pluck('side')).to.deep.equal(['away', 'home']);
    }));

  it('is refused in the other order once it is known', () =>
    within(async (transaction) => {
      await source(transaction, [0]);
      const posted = await postPick(transaction, pickOf(0, 'home', wrong(0)), undefined, now);
      expect(posted)
        .to.have.property('reason')
        .that.matches(/home and away are swapped$/);
    }));

  it('stays known permanently', () =>
    within(async (transaction) => {
      await source(transaction, [0]);
      const failure = await transaction
        .transaction((inner) => inner('games').update('home_known', false))
        .catch((error: Error) => error);
      expect((failure as Error).message).to.match(/a known home team stays known/);
    }));

  const step = fc.oneof(
    fc.record({ kind: fc.constantFrom('calendar', 'source', 'prices', 'game') }),
    fc.record({
      kind: fc.constantFrom('pick', 'line', 'shown'),
      side: fc.constantFrom('home' as const, 'away' as const),
    }),
  );

  it('never causes a second game, a refusal, or a wrong side, in any order of sources and operator', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.tuple(fc.nat(1), step), { minLength: 2, maxLength: 9 }),
        async (isMeant, steps) => {
          await within(async (transaction) => {
            const spoken = new Set<number>();
            const resting = new Set<number>();
            const sure = new Map<number, boolean>();
            const shown = isMeant ? [[0, { kind: 'shown', side: 'home' }] as const] : [];
            for (const [index, one] of [[0, { kind: 'calendar' }] as const, ...shown, ...steps]) {
              const isKnown = spoken.has(index);
              if (['pick', 'line', 'shown'].includes(one.kind) && !isKnown) continue;
              spoken.add(index);
              if (!['calendar', 'shown'].includes(one.kind) && !sure.has(index))
                sure.set(index, !resting.has(index));
              if (one.kind === 'calendar') await calendar(transaction, [index]);
              if (one.kind === 'source') await source(transaction, [index]);
              if (one.kind === 'prices') await source(transaction, [index], prices);
              if (one.kind === 'game') await postGame(transaction, index);
              // The operator uses the game's current name.
              if (one.kind === 'shown') {
                const isRight = (await names(transaction)).includes(truth(index));
                const other = one.side === 'home' ? 'away' : 'home';
                const row = {
                  ...pickOf(index, one.side, isRight ? truth(index) : wrong(index)),
                  market: 'question',
                  subject: `Question ${++question}`,
                  side: isRight ? one.side : other,
                } as const;
                expect(await postPick(transaction, row, undefined, now)).to.include({ outcome: 'added' });
              }
              if (['pick', 'line', 'prices', 'shown'].includes(one.kind)) resting.add(index);
              const answer =
                one.kind === 'pick'
                  ? await postPick(
                      transaction,
                      { ...pickOf(index, one.side), market: 'question', subject: `Question ${++question}` },
                      undefined,
                      now,
                    )
                  : one.kind === 'line'
                    ? (await postLine(transaction, index, one.side))[0]!
                    : undefined;
              if (answer !== undefined)
                expect(answer.outcome, JSON.stringify(answer)).to.not.equal('refused');
            }
            const games: string[] = await names(transaction);
            expect(games).to.have.length(spoken.size);
            for (const index of spoken) if (sure.get(index) === true) expect(games).to.include(truth(index));
            const rows: { side: 'home' | 'away'; odds: number; name: string }[] = await transaction
              .select({ side: 'r.side', odds: 'r.odds_american', name: 'g.name' })
              .from(
                transaction
                  .select('game_id', 'side', 'odds_american')
                  .from('picks')
                  .unionAll(transaction.select('game_id', 'side', 'odds_american').from('lines'))
                  .as('r'),
              )
              .join('games as g', 'g.id', 'r.game_id');
            for (const { side, odds, name } of rows)
              expect(readFixture(name)![side], name).to.equal(teams[odds - 200]);
          });
        },
      ),
      { numRuns: 30 },
    );
  });
});

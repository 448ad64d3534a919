import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import { thinPrices } from '../../src/ledger/closing/thin-prices.ts';
import { findBodies } from '../../src/ledger/sealing/stored-events.ts';
import { iso } from '../../src/platform/clock.ts';
import { boardPicks } from '../../src/projections/board-picks.ts';
import { confidenceInputs } from '../../src/projections/confidence-inputs.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { runPipeline } from '../support/whole-way.ts';
import { unlock } from './tampering.ts';

const minute = 60_000;
const hour = 60 * minute;
const postedAt = Date.parse('2024-10-06T14:00:00Z');
const start = postedAt + 3 * hour;
const ended = start + 3 * hour;

/** A sport that a provider prices, one with prices only by hand, and one without prices. */
const games = [
  { sport: 'nfl', game: 'Gulls @ Foxes', startsAt: iso(start) },
  { sport: 'nfl', game: 'Rays @ Owls', startsAt: iso(start) },
  { sport: 'nba', game: 'Hawks @ Otters', startsAt: iso(start) },
  { sport: 'nhl', game: 'Wolves @ Lanterns', startsAt: iso(start) },
] as const;
const [priced, unpriced, fed, bare] = games;

const picks = [
  {
    of: priced,
    side: 'home',
    oddsAmerican: 200,
    verdict: 'available',
    reference: [200, 'north'],
    counted: 200,
  },
  {
    of: priced,
    side: 'home',
    oddsAmerican: 2500,
    verdict: 'above_market',
    reference: [200, 'north'],
    counted: 200,
  },
  { of: priced, side: 'away', oddsAmerican: 2500, verdict: 'unseen', reference: [null, null], counted: null },
  {
    of: unpriced,
    side: 'home',
    oddsAmerican: -110,
    verdict: 'unseen',
    reference: [null, null],
    counted: null,
  },
  {
    of: fed,
    side: 'home',
    oddsAmerican: -110,
    verdict: 'available',
    reference: [-110, 'mine'],
    counted: -110,
  },
  {
    of: fed,
    side: 'home',
    oddsAmerican: 140,
    verdict: 'above_market',
    reference: [-110, 'mine'],
    counted: -110,
  },
  { of: bare, side: 'home', oddsAmerican: 2500, verdict: 'unseen', reference: [null, null], counted: null },
] as const;

describe('the price check of live picks', () => {
  const stores = withDatabase();
  const at = (now: number) => ({ now, imported: false });
  const line = (
    name: (typeof games)[number],
    side: string,
    oddsAmerican: number,
    capturedAt: number,
    book: string,
  ) => ({
    ...name,
    market: 'moneyline',
    side,
    line: null,
    oddsAmerican,
    book,
    capturedAt: iso(capturedAt),
  });

  before(async () => {
    const { database } = stores;
    await database.transaction(async (transaction) => {
      await applyCappers(
        transaction,
        ['ada', 'bram'].map((handle) => ({ handle, tier: 'elite' as const, verified: true })),
        at(postedAt - hour),
      );
      await applyGames(
        transaction,
        games.map((name) => ({ ...name, status: 'scheduled' }) as GameRow),
        at(postedAt - hour),
      );
    });
    // The same prices every ten minutes all day, so that most repeat their neighbors.
    const instants = Array.from(
      { length: 30 },
      (_, index) => postedAt - 2 * hour + index * 10 * minute + minute,
    );
    const provided = instants.map((capturedAt) => line(priced, 'home', 200, capturedAt, 'north'));
    await applyLines(
      database,
      [line(priced, 'away', 2500, postedAt - minute, 'mine'), line(fed, 'home', -110, postedAt, 'mine')],
      at(postedAt),
    );
    // A provider's own history counts whenever it arrives.
    await applyLines(database, provided, at(ended), 'provider');
    for (const [place, { of: name, side, oddsAmerican }] of picks.entries())
      await postPick(
        database,
        {
          capperHandle: place % 2 === 0 ? 'ada' : 'bram',
          ...name,
          market: 'moneyline',
          pick: 'A side',
          stakeUnits: 1,
          side,
          line: null,
          oddsAmerican,
        },
        undefined,
        postedAt,
      );
    const over = { status: 'final', homeScore: 20, awayScore: 10, finalAt: iso(ended) } as const;
    await database.transaction((transaction) =>
      applyGames(
        transaction,
        games.map((name) => ({ ...name, ...over }) as GameRow),
        at(ended),
      ),
    );
    await runPipeline(database, ended + minute);
  });

  const findings = async () => {
    const found: string[] = [];
    for await (const { message } of auditPicks(stores.database, () => {})) found.push(message);
    return found;
  };

  it('is stored with the settlement', async () => {
    const rows = await stores.database('settlements').orderBy('pick_id').select('*');
    expect(
      rows.map(({ price_verdict: verdict, price_odds, price_book, price_counted: counted }) => ({
        verdict,
        reference: [price_odds, price_book],
        counted,
      })),
    ).to.deep.equal(picks.map(({ verdict, reference, counted }) => ({ verdict, reference, counted })));
    // Home won every game: units are those of the counted odds, or of the posted ones if no price was seen.
    expect(rows.map(({ net_units_e4 }) => net_units_e4)).to.deep.equal([
      ...[20_000, 20_000, -10_000, 9091, 9091, 9091, 250_000],
    ]);
  });

  it('uses the same prices as the Confidence Index: none entered by hand if a provider prices the sport', async () => {
    const bestOf = async (place: number) => {
      const pick = await boardPicks(stores.database).orderBy('p.pick_id').offset(place).limit(1);
      const [inputs] = await confidenceInputs(stores.database, pick, ended);
      return inputs!.price;
    };
    expect(await bestOf(0)).to.include({ bestAmerican: 200, books: 1 });
    expect(await bestOf(2), 'fed by hand, and the sport has a source').to.include({
      bestAmerican: null,
      books: 0,
    });
    expect(await bestOf(4), 'fed by hand, and the sport has none').to.include({
      bestAmerican: -110,
      books: 1,
    });
  });

  it("is sealed in the settlement's body", async () => {
    const [first] = await findBodies(stores.database, [{ kind: 'settled', subjectId: 1 }]);
    expect(first?.body).to.deep.include({
      price_check: {
        verdict: 'available',
        odds_american: 200,
        book: 'north',
        captured_at: iso(postedAt + minute),
        counted_american: 200,
      },
    });
    await expectSoundLedger(stores.database);
  });

  it('is unchanged by late prices and by the removal of repeated ones', async () => {
    const late = [
      line(unpriced, 'home', -110, postedAt, 'north'),
      line(priced, 'home', 3000, postedAt, 'north'),
    ];
    await applyLines(stores.database, late, at(ended + hour), 'provider');
    expect(await findings()).to.deep.equal([]);
    const { prices } = await thinPrices(stores.database, ended + 8 * 24 * hour);
    expect(prices).to.be.greaterThan(10);
    expect(await findings()).to.deep.equal([]);
  });

  it('is reported if somebody changes it', async () => {
    await unlock(stores.owner);
    await stores.owner.raw(`update settlements set price_verdict = 'available' where pick_id = 2`);
    expect((await findings()).join()).to.match(/column price_verdict: it must be above_market/);
  });
});

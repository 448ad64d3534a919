import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines, type LineRow } from '../../src/intake/price.ts';
import { applyResults } from '../../src/intake/result.ts';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import { iso } from '../../src/platform/clock.ts';
import { type BoardPath, expectedBody } from '../naive/boards.ts';
import { differences } from '../naive/differences.ts';
import { type LedgerState, ledgerAt } from '../naive/ledger.ts';
import { plainProjections } from '../projections/plain.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { postPick } from '../support/post-pick.ts';
import { withRedis } from '../support/redis.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { storedRows } from '../support/stored-rows.ts';
import { runPipeline } from '../support/whole-way.ts';

const minute = 60_000;
const hour = 60 * minute;
const postedAt = Date.parse('2025-01-05T12:00:00Z');
const start = postedAt + 8 * hour;
const ended = start + 3 * hour;

/** A price: `home - 2500 north -5` is +2500 on the home side, without a line, at the book north, five minutes before the posting. */
type Quote = string | [text: string, more: Partial<LineRow> & { byHand?: boolean }];

/** A bet in the notation of a price, without the book: `home - 2500`. */
type Bet = string | [text: string, more: { market?: string; subject?: string; book?: string }];

interface Attack {
  what: string;
  sport?: string;
  quotes: Quote[];
  bets: Bet[];
  /** The number of cappers who post each bet. */
  cappers?: number;
  /** The verdicts on the picks. Refused ones have none. */
  verdicts: string[];
}

/** The books' real offers and closing prices. */
const fair = ['home - -400 north -5', 'home - -400 south -4', 'home - -420 north 475'];
const hand = { byHand: true };
const spread = { market: 'spread' };
const first = { market: 'first_half_moneyline' };
const teamTotal = { market: 'team_total' };
const points = (subject: string) => ({ market: 'player_tackles_assists', subject });

/** Attempts by cappers, the operator's staff, or both together to have a winner counted at odds that nobody could get. */
const attacks: Attack[] = [
  {
    what: 'the same bet three times at odds far above the market',
    quotes: fair,
    bets: ['home - 2500', 'home - 2500', 'home - 2600'],
    verdicts: ['above_market'],
  },
  {
    what: 'the same odds by many cappers',
    quotes: fair,
    bets: ['home - 2500'],
    cappers: 5,
    verdicts: Array(5).fill('above_market'),
  },
  {
    what: 'odds just above the price',
    quotes: ['home - 200 north -15'],
    bets: ['home - 201'],
    verdicts: ['above_market'],
  },
  {
    what: 'an easy line at the odds of a hard one',
    quotes: [['home -3.5 -110 north -5', spread]],
    bets: [
      ['home 30.5 -110', spread],
      ['home 3.5 -110', spread],
      ['home 2.5 -110', spread],
    ],
    verdicts: ['unseen', 'unseen', 'unseen'],
  },
  {
    what: 'many lines by many cappers, each at odds of its own',
    quotes: [['home -3.5 -110 north -5', spread]],
    bets: [
      ['home 10.5 150', spread],
      ['home 14.5 -110', spread],
      ['home 21.5 250', spread],
    ],
    cappers: 3,
    verdicts: Array(9).fill('unseen'),
  },
  {
    what: 'an easy line of a market without a model of scores',
    quotes: [['home_over 24.5 -110 north -5', teamTotal]],
    bets: [
      ['home_over 12.5 -110', teamTotal],
      ['home_over 0.5 -110', teamTotal],
    ],
    verdicts: ['unseen', 'unseen'],
  },
  {
    what: "a book of the attacker's own, entered by hand",
    quotes: [...fair, ['home - 2500 mine -1', hand], ['home - 2500 mine 479', { ...hand, closing: true }]],
    bets: [['home - 2500', { book: 'mine' }]],
    verdicts: ['above_market'],
  },
  {
    what: 'a book of their own, where no provider has the bet',
    quotes: [['home - 2500 mine -1', hand]],
    bets: [['home - 2500', { book: 'mine' }]],
    verdicts: ['unseen'],
  },
  {
    what: 'three books of their own',
    quotes: [...fair, ...['one', 'two', 'three'].map((book): Quote => [`home - 2500 ${book} -1`, hand])],
    bets: ['home - 2500'],
    verdicts: ['above_market'],
  },
  {
    what: 'a price entered by hand under the name of a real book',
    quotes: [...fair, ['home - 2500 north -1', hand], ['home - 2500 north 1', hand]],
    bets: [['home - 2500', { book: 'north' }]],
    verdicts: ['above_market'],
  },
  {
    what: 'a price entered by hand just after the posting',
    quotes: [['home - 2500 north 1', hand]],
    bets: ['home - 2500'],
    verdicts: ['unseen'],
  },
  {
    what: 'a stale price, where a fresh one follows',
    quotes: ['home - 300 north -350', 'home - -400 north 10'],
    bets: ['home - 300'],
    verdicts: ['above_market'],
  },
  {
    what: 'a price of the day before',
    quotes: ['home - 300 north -1440', 'home - -400 north 475'],
    bets: ['home - 300'],
    verdicts: ['above_market'],
  },
  {
    what: 'a price that was gone before the posting and did not come back',
    quotes: ['home - -400 north -12', 'home - 2500 north -8', 'home - -400 north -1', 'home - -400 north 3'],
    bets: ['home - 2500', ['home - 2400', { book: 'north' }]],
    cappers: 2,
    verdicts: ['above_market', 'above_market'],
  },
  {
    what: 'a price that comes later, after one of the same odds as before',
    quotes: ['home - -400 north -1', 'home - -400 north 3', 'home - 2500 north 9'],
    bets: ['home - 2500'],
    verdicts: ['above_market'],
  },
  {
    what: 'the mistake of one book of three',
    quotes: [...fair, 'home - 2500 odd -3'],
    bets: ['home - 2500'],
    verdicts: ['above_market'],
  },
  {
    what: 'prices of the other side only',
    quotes: ['away - 320 north -5', 'away - 320 south -5'],
    bets: ['home - 320'],
    verdicts: ['unseen'],
  },
  {
    what: 'prices of another period',
    quotes: [['home - 2500 north -5', first]],
    bets: ['home - 2500'],
    verdicts: ['unseen'],
  },
  {
    what: 'prices of another market',
    quotes: ['home - 2500 north -5'],
    bets: [['home - 2500', first]],
    verdicts: ['unseen'],
  },
  {
    what: 'prices of another player',
    quotes: [['over 60.5 400 north -5', points('Ada Cole')]],
    bets: [['over 60.5 400', points('Bea Ray')]],
    verdicts: ['unseen'],
  },
  {
    what: 'a market that nobody prices',
    quotes: fair,
    bets: [['yes - 2500', { market: 'question', subject: 'Rain' }]],
    verdicts: ['unseen'],
  },
  {
    what: 'the price of a closing only',
    quotes: [['home - 200 north 475', { closing: true }]],
    bets: ['home - 276'],
    verdicts: ['above_market'],
  },
  {
    what: 'a price of the game in play',
    quotes: ['home - 2500 north 481'],
    bets: ['home - 2500'],
    verdicts: ['unseen'],
  },
  {
    what: "odds above the operator's own, in a sport without a provider",
    sport: 'wnba',
    quotes: [['home - -400 north -5', hand]],
    bets: ['home - 2500'],
    verdicts: ['above_market'],
  },
  {
    what: 'any odds, in a sport that no provider prices',
    sport: 'nhl',
    quotes: [],
    bets: ['home - 900'],
    verdicts: ['unseen'],
  },
];

/** Bets of honest cappers in the same circumstances. */
const honest: Attack[] = [
  { what: 'the price of a book', quotes: fair, bets: ['home - -400'], verdicts: ['available'] },
  {
    what: 'the price to the point',
    quotes: ['home - 200 north -15'],
    bets: ['home - 200'],
    verdicts: ['available'],
  },
  {
    what: 'a price that the provider reports just after the posting',
    quotes: ['home - 150 north 1'],
    bets: ['home - 150'],
    verdicts: ['available'],
  },
  {
    what: 'a price that moves away at once',
    quotes: ['home - 150 north -1', 'home - -150 north 2'],
    bets: ['home - 150'],
    verdicts: ['available'],
  },
  {
    what: 'the better price of a book that the pick names, which another has, too',
    quotes: [...fair, 'home - -350 east -3', 'home - -350 west -3'],
    bets: [['home - -350', { book: 'east' }]],
    verdicts: ['available'],
  },
  {
    what: 'a price lower than that of its book',
    quotes: [['home -3.5 -110 north -5', spread]],
    bets: [['home -3.5 -115', spread]],
    verdicts: ['available'],
  },
  {
    what: 'a price of a provider, beside wrong ones entered by hand',
    quotes: [
      ...fair,
      'home - -410 north 7',
      ...['home - -2000 north -1', 'home - 900 mine 6', 'home - 900 north 16'].map(
        (text): Quote => [text, hand],
      ),
      ['home - -2000 north 479', { ...hand, closing: true }],
    ],
    bets: [['home - -400', { book: 'north' }]],
    verdicts: ['available'],
  },
  {
    what: "the operator's price, in a sport without a provider",
    sport: 'wnba',
    quotes: [['home - 150 north -5', hand]],
    bets: ['home - 150'],
    verdicts: ['available'],
  },
];

/** Returns a name in letters, because only letters distinguish teams. */
function nameOf(place: number): string {
  return [...String(place).padStart(2, '0')].map((digit) => 'abcdefghij'[Number(digit)]).join('');
}

describe('attacks on the price of a pick', () => {
  const stores = withDatabase();
  const redis = withRedis();
  let site: RunningApi;
  const picks = new Map<Attack, string[]>();
  const refused = new Map<Attack, number>();
  const sealed = new Map<Attack, string[]>();
  const all = [...attacks, ...honest];
  const gameOf = ({ sport = 'nfl' }: Attack, place: number) => ({
    sport,
    game: `Away ${nameOf(place)} @ Home ${nameOf(place)}`,
    startsAt: iso(start),
  });
  const handles = (attack: Attack, place: number) =>
    Array.from(
      { length: attack.cappers ?? 1 },
      (_, n) => `${attacks.includes(attack) ? 'attacker' : 'honest'}-${place}-${n}`,
    );
  const at = (now: number) => ({ now, imported: false });

  function lineOf(attack: Attack, place: number, quote: Quote): LineRow & { byHand: boolean } {
    const [text, more] = typeof quote === 'string' ? [quote, {}] : quote;
    const [side = '', line, odds, book = '', minutes] = text.split(' ');
    return {
      ...gameOf(attack, place),
      market: 'moneyline',
      side,
      line: line === '-' ? null : Number(line),
      book,
      oddsAmerican: Number(odds),
      capturedAt: iso(postedAt + Number(minutes) * minute),
      byHand: false,
      ...more,
    };
  }

  async function store(lines: readonly (LineRow & { byHand: boolean })[], now: number): Promise<void> {
    for (const [byHand, rows] of Map.groupBy(lines, (line) => line.byHand)) {
      const given = rows.map(({ byHand: _, ...row }) => row);
      for (const { outcome } of await applyLines(
        stores.database,
        given,
        at(now),
        byHand ? 'hand' : 'provider',
      ))
        expect(outcome).to.equal('added');
    }
  }

  async function postBets(attack: Attack, place: number): Promise<void> {
    const uuids: string[] = [];
    for (const capperHandle of handles(attack, place))
      for (const bet of attack.bets) {
        const [text, more] = typeof bet === 'string' ? [bet, {}] : bet;
        const [side = '', line, odds] = text.split(' ');
        const row = {
          capperHandle,
          ...gameOf(attack, place),
          market: 'moneyline',
          side,
          line: line === '-' ? null : Number(line),
          oddsAmerican: Number(odds),
          pick: 'A bet',
          stakeUnits: 5,
          ...more,
        };
        const posted = await postPick(stores.database, row, undefined, postedAt);
        if (posted.outcome === 'added') uuids.push(posted.pickUuid);
        else refused.set(attack, (refused.get(attack) ?? 0) + 1);
      }
    picks.set(attack, uuids);
  }

  before(async () => {
    const { database } = stores;
    await applyCappers(
      database,
      all.flatMap((attack, place) =>
        handles(attack, place).map((handle) => ({ handle, tier: 'elite' as const, verified: true })),
      ),
      at(postedAt - 48 * hour),
    );
    const games = all.map((attack, place): GameRow => ({ ...gameOf(attack, place), status: 'scheduled' }));
    await database.transaction((transaction) => applyGames(transaction, games, at(postedAt - 48 * hour)));
    const quotes = all.flatMap((attack, place) => attack.quotes.map((quote) => lineOf(attack, place, quote)));
    const isKnown = (line: LineRow) => Date.parse(line.capturedAt) <= postedAt;
    await store(quotes.filter(isKnown), postedAt);
    for (const [place, attack] of all.entries()) await postBets(attack, place);
    await store(
      quotes.filter((line) => !isKnown(line)),
      ended,
    );
    await runPipeline(database, start - minute);
  });
  after(async () => {
    await site?.close();
    process.stdout.write(
      `\n    attack on a price, then what honest cappers do | outcome\n${all.map((attack) => `    ${attack.what} | ${outcomeOf(attack)}`).join('\n')}\n\n`,
    );
  });

  const outcomeOf = (attack: Attack) => {
    const verdicts = Map.groupBy(sealed.get(attack) ?? [], (verdict) => verdict);
    const counts = [...verdicts].map(([verdict, { length }]) => `${length} ${verdict}`);
    const count = refused.get(attack) ?? 0;
    return [...counts, ...(count === 0 ? [] : [`${count} refused`])].join('; ');
  };

  const verdictsOf = async (table: string, attack: Attack): Promise<string[]> =>
    stores
      .database(table)
      .join('picks as p', 'p.id', `${table}.pick_id`)
      .whereIn('p.uuid', picks.get(attack)!)
      .orderBy('p.id')
      .pluck('price_verdict');

  const get = async (path: string) => (await fetch(`${site.address}${path}`)).text();

  it('gain nothing while the picks are pending', async () => {
    for (const attack of all)
      expect(await verdictsOf('board_picks', attack), attack.what).to.deep.equal(attack.verdicts);
    site = await startApi({ database: stores, redis }, { clock: fixedClock(postedAt + 20 * minute) });
  });

  it('gain nothing once the picks have settled', async () => {
    const { database } = stores;
    const over = { status: 'final', homeScore: 30, awayScore: 10, finalAt: iso(ended) } as const;
    const halves = { homeHalfScore: 20, awayHalfScore: 0 };
    await database.transaction((transaction) =>
      applyGames(
        transaction,
        all.map((attack, place): GameRow => ({ ...gameOf(attack, place), ...over, ...halves })),
        at(ended),
      ),
    );
    const decided = all.flatMap((attack, place) =>
      attack.bets.flatMap((bet) => {
        const [text, more] = typeof bet === 'string' ? [bet, {}] : bet;
        if (!('subject' in more)) return [];
        const [side = '', line] = text.split(' ');
        const { market = '', subject } = more as { market?: string; subject: string };
        return {
          ...gameOf(attack, place),
          market,
          subject,
          side,
          line: line === '-' ? null : Number(line),
          result: 'win' as const,
          finalAt: iso(ended),
        };
      }),
    );
    await applyResults(database, decided, at(ended));
    await runPipeline(database, ended + minute);
    for (const attack of all) sealed.set(attack, await verdictsOf('settlements', attack));
    for (const attack of all) expect(sealed.get(attack), attack.what).to.deep.equal(attack.verdicts);
    for (const attack of attacks) {
      // A pick counts at a price that the others quote, or not at all.
      const quoted = attack.quotes.map((quote) =>
        Number((typeof quote === 'string' ? quote : quote[0]).split(' ')[2]),
      );
      const stored: { counted: number | null; posted: number }[] = await database('settlements as s')
        .join('picks as p', 'p.id', 's.pick_id')
        .whereIn('p.uuid', picks.get(attack)!)
        .select({ counted: 's.price_counted', posted: 'p.odds_american' });
      for (const { counted, posted } of stored)
        if (counted !== null && counted !== posted) expect(quoted, attack.what).to.include(counted);
    }
    const rows = await database('capper_totals as t')
      .join('cappers as c', 'c.id', 't.capper_id')
      .select('c.handle', 't.wins', 't.net_e4');
    expect(rows.filter(({ handle, wins }) => handle.startsWith('honest') && wins === 1)).to.have.length(
      honest.length,
    );
  });

  it('count on boards as they would at the price that could be had', async () => {
    await site.close();
    const now = ended + 2 * minute;
    site = await startApi({ database: stores, redis }, { clock: fixedClock(now) });
    const { rows, ids } = await storedRows(stores.database);
    const state: LedgerState = ledgerAt(rows, { now, ids });
    const boards: [path: BoardPath, params: Record<string, string>][] = [
      ['/api/leaderboard', { window: 'all' }],
      ['/api/leaderboard', { window: 'all', delay: '5' }],
      ['/api/leaderboard/clv', { min_n: '1' }],
      ['/api/leaderboard/units', { min_n: '1' }],
    ];
    for (const [path, params] of boards) {
      const answer = JSON.parse(await get(`${path}?${new URLSearchParams(params)}`));
      expect(differences(expectedBody(path, state, params), answer), path).to.deep.equal([]);
    }
    for (const attack of all)
      for (const uuid of picks.get(attack)!) {
        const answer = JSON.parse(await get(`/api/picks/${uuid}/closing`));
        expect(differences(expectedBody('/api/picks/:uuid/closing', state, { uuid }), answer)).to.deep.equal(
          [],
        );
      }
  });

  it("cannot set closing prices or followers' prices by hand in a sport that a provider prices", async () => {
    const [provided] = honest.filter(({ what }) => what.includes('beside wrong ones'));
    const closing = await stores
      .database('closings as k')
      .join('picks as p', 'p.id', 'k.pick_id')
      .whereIn('p.uuid', picks.get(provided!)!)
      .first('k.odds_american', 'k.clv_bps');
    expect(closing).to.deep.equal({ odds_american: -420, clv_bps: 96 });
    const fed: string[] = await stores
      .database('follower_prices as f')
      .join('picks as p', 'p.id', 'f.pick_id')
      .join('games as g', 'g.id', 'p.game_id')
      .where('g.sport', 'nfl')
      .join('lines as l', (on) =>
        on
          .on('l.game_id', 'p.game_id')
          .on('l.book', 'f.book')
          .on('l.captured_at', 'f.captured_at')
          .onVal('l.by_hand', true),
      )
      .pluck('f.book');
    expect(fed).to.deep.equal([]);
    const plain = await plainProjections(stores.database);
    for (const table of ['follower_prices', 'follower_days', 'board_picks'] as const) {
      const { rows } = await stores.database.raw(`select to_jsonb(t) as row from ${table} t`);
      expect(
        rows.map(({ row }: { row: object }) => row),
        table,
      ).to.have.deep.members(plain[table]);
    }
  });

  it('leave a sound log, in which the audit finds nothing', async () => {
    await expectSoundLedger(stores.database);
    expect(await Array.fromAsync(auditPicks(stores.owner, () => {}))).to.deep.equal([]);
  });
});

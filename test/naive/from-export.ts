import { etDay } from './days.ts';
import { decimalOdds, ONE } from './fraction.ts';
import { netUnitsE4 } from './grading.ts';
import { gameKey, instant, marketKey, scaled } from './identity.ts';
import { byText, type LedgerPick, type LedgerState } from './ledger.ts';
import type { Checked } from './price-check.ts';
import type { Result, Tier } from './read.ts';

/** The columns of `/record/export.csv` that a ledger is rebuilt from. A cell without a value is empty. */
const columns = [
  ...['id', 'sport', 'game', 'market', 'pick', 'odds_american', 'closing_odds_american', 'clv_bps'],
  ...['stake_units', 'result', 'posted_at', 'graded_at', 'uuid', 'capper', 'capper_tier', 'subject', 'side'],
  ...['line', 'starts_at', 'book', 'provenance', 'half', 'closing_line', 'edge_bps'],
  ...['counted_odds', 'counted_clv_bps'],
];

/**
 * Rebuilds the ledger from only its record export, at `now`: enough for every record, leaderboard, and streak. The export lacks cappers
 * without a pick, today's tiers (the latest pick's is used), labels of sources, times of sealing, and prices other than the closing one.
 * @param rows of the whole record, in any order
 * @throws Error for a row without one of the columns
 */
export function ledgerOfExport(rows: readonly Record<string, string>[], now: number): LedgerState {
  const picks = rows.map(pickOf).sort((a, b) => a.postedAt - b.postedAt || byText(a.uuid, b.uuid));
  const byCapper = Map.groupBy(picks, (pick) => pick.capperHandle);
  return {
    now,
    today: etDay(now),
    baseUrl: '',
    ids: {
      idOf: () => ({ uuid: '', id: -1 }),
      capperIdOf: () => -1,
      gameIdOf: () => -1,
    },
    runningSince: now,
    chosenBefore: [],
    cappers: [...byCapper].map(([handle, all]) => ({
      handle,
      tier: all.at(-1)!.capperTier,
      verified: true,
    })),
    games: [],
    joined: new Set(),
    picks,
    byCapper,
    byMarket: Map.groupBy(picks, (pick) => pick.marketKey),
  };
}

function pickOf(row: Record<string, string>): LedgerPick {
  const cell = (name: string): string => {
    const value = row[name];
    if (value === undefined) throw new Error(`the export has no column ${name}`);
    return value;
  };
  for (const name of columns) cell(name);
  const orNull = <T>(name: string, read: (text: string) => T): T | null =>
    cell(name) === '' ? null : read(cell(name));
  const sport = cell('sport');
  const start = orNull('starts_at', instant);
  const key = gameKey({ sport, game: cell('game'), startsAt: orNull('starts_at', String) });
  const market = cell('market');
  const subject = orNull('subject', String);
  const about = marketKey(key, { market, subject });
  const side = cell('side');
  const capperTier = cell('capper_tier') as Tier;
  const oddsAmerican = Number(cell('odds_american'));
  const counted = orNull('counted_odds', Number) ?? oddsAmerican;
  const stakeE4 = scaled(Number(cell('stake_units')), 10_000)!;
  const result = cell('result') === 'pending' ? null : (cell('result') as Result);
  const lineE3 = orNull('line', (text) => scaled(Number(text), 1000));
  const closingLineE3 = orNull('closing_line', (text) => scaled(Number(text), 1000));
  const closingOdds = orNull('closing_odds_american', Number);
  const postedAt = instant(cell('posted_at'))!;
  const half = cell('half') === 'true';
  return {
    uuid: cell('uuid'),
    id: Number(cell('id')),
    capperHandle: cell('capper'),
    capperTier,
    capperVerified: true,
    prices: [],
    sharp: capperTier !== 'listed',
    sport,
    game: cell('game'),
    gameKey: key,
    gameId: -1,
    marketKey: about,
    contestKey: `${about} ${market === 'team_total' ? side.split('_')[0] : ''}`,
    sideKey: `${about} ${side}`,
    announced: start,
    start,
    startPosted: start,
    startHeld: start,
    day: null,
    slate: etDay(start ?? postedAt),
    market,
    subject,
    side,
    lineE3,
    pick: cell('pick'),
    oddsAmerican,
    decimal: decimalOdds(oddsAmerican),
    counted,
    stakeE4,
    book: orNull('book', String),
    source: '',
    provenance: cell('provenance') as 'live' | 'imported',
    signed: cell('author_signed') === 'true',
    postedAt,
    priceCheck:
      cell('price_verdict') === ''
        ? null
        : {
            verdict: cell('price_verdict') as Checked['verdict'],
            oddsAmerican: null,
            book: null,
            capturedAt: null,
            countedAmerican: counted,
          },
    counts: cell('price_verdict') !== 'unseen',
    sealedAt: null,
    sealedInTime: null,
    status: result === null ? 'pending' : 'settled',
    closing:
      closingOdds === null
        ? null
        : {
            oddsAmerican: closingOdds,
            decimal: decimalOdds(closingOdds),
            lineE3: closingLineE3,
            book: orNull('book', String),
            capturedAt: start!,
            prices: [],
            sameLine: closingLineE3 === lineE3,
            clvBps: Number(cell('clv_bps')),
            clvCountedBps: Number(cell(result === null ? 'clv_bps' : 'counted_clv_bps')),
            fair:
              cell('edge_method') === null || cell('edge_method') === ''
                ? null
                : ({
                    chance: ONE,
                    books: 1,
                    method: cell('edge_method'),
                    source: cell('edge_source'),
                  } as never),
            edgePct: orNull('edge_bps', (bps) => Number(bps) / 100),
            lineMove: null,
          },
    result,
    half,
    countedE4: half ? stakeE4 / 2 : stakeE4,
    settledAt: orNull('graded_at', instant),
    netUnitsE4: result === null ? null : netUnitsE4(result, half ? stakeE4 / 2 : stakeE4, counted),
    settlement: null,
  };
}

import type { Knex } from 'knex';
import type { Static } from 'typebox';
import { resultSchema, tierSchema } from '../../ledger/schemas.ts';
import { iso, isoOrNull } from '../../platform/clock.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { PickEvent } from '../../proof/receipt.ts';
import { lineFromE3, shownUnits, unitsFromE4 } from '../../rules/fixed-point.ts';
import { shownDecimal } from '../../rules/odds.ts';
import { type Played, playedValues } from '../../rules/played.ts';
import type { Result, Tier } from '../../rules/vocabulary.ts';
import type { BoardContext } from '../context.ts';

const instant = Type.String({ format: 'date-time' });
const commonFields = {
  at: instant,
  hash: nullable(Type.String({ description: 'Hex; null until the event is sealed.' })),
  prevHash: nullable(Type.String({ description: "The hash of the pick's previous event." })),
  seq: nullable(Type.Integer({ description: 'Index in the log; null until the event is sealed.' })),
};
const price = {
  line: nullable(Type.Number()),
  oddsAmerican: Type.Integer(),
  oddsDecimal: Type.Number(),
  book: nullable(Type.String()),
};
const posted = Type.Object({
  event: Type.Literal('posted'),
  ...commonFields,
  ...price,
  capperHandle: Type.String(),
  capperTier: { ...tierSchema, description: 'The tier when the pick was posted.' },
  startsAt: nullable(
    Type.String({ format: 'date-time', description: 'The start time as known when the pick was posted.' }),
  ),
  stakeUnits: Type.Number(),
});
const closed = Type.Object({
  event: Type.Literal('closed'),
  ...commonFields,
  ...price,
  capturedAt: instant,
  clvBps: Type.Integer(),
});
const settled = Type.Object({
  event: Type.Literal('settled'),
  ...commonFields,
  result: resultSchema,
  half: Type.Boolean({ description: 'Only half the stake counted.' }),
  awayScore: nullable(Type.Integer({ description: 'The score used for grading: final or first-half.' })),
  homeScore: nullable(Type.Integer()),
  sets: nullable(
    Type.Array(Type.Array(Type.Integer()), { description: 'Games of each set, home and away.' }),
  ),
  played: nullable(
    Type.Enum(playedValues, { description: 'Whether the game went its full distance, where that is known.' }),
  ),
  stat: nullable(
    Type.Object(
      { name: Type.String(), value: Type.Number() },
      { description: 'The statistic that graded a player market.' },
    ),
  ),
  netUnits: Type.Number(),
  grader: Type.String({
    description:
      'What decided the result: `score`, `first_half_score`, `sets`, `stat`, `result`, `cancelled`, or `postponed`.',
  }),
});

/** The schema of an event of a pick: posted, closed, or settled. */
export const pickEventSchema = Type.Union([posted, closed, settled]);
export type PickEventBody = Static<typeof pickEventSchema>;

/** Returns the events of a pick in order of time, including those not sealed yet. */
export async function pickEvents(context: BoardContext, pickId: number): Promise<PickEventBody[]> {
  const events = await Promise.all([
    postedEvents(context, pickId),
    closedEvents(context, pickId),
    settledEvents(context, pickId),
  ]);
  return events.flat().sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

interface Sealing {
  hash: Buffer | null;
  prevHash: Buffer | null;
  seq: number | null;
}

interface Price {
  lineE3: number | null;
  odds: number;
  book: string | null;
}

async function postedEvents({ database }: BoardContext, pickId: number): Promise<Static<typeof posted>[]> {
  const rows: (Sealing &
    Price & { at: number; handle: string; tier: Tier; startsAt: number | null; stakeE4: number })[] =
    await database('picks as p')
      .join('cappers as c', 'c.id', 'p.capper_id')
      .modify(withSealing, 'posted', 'p.id')
      .where('p.id', pickId)
      .select({
        at: 'p.posted_at',
        lineE3: 'p.line_e3',
        odds: 'p.odds_american',
        book: 'p.book',
        handle: 'c.handle',
        tier: 'p.tier',
        startsAt: 'p.starts_at',
        stakeE4: 'p.stake_e4',
      });
  return rows.map((row) => ({
    event: 'posted',
    ...commonOf(row),
    ...priced(row),
    capperHandle: row.handle,
    capperTier: row.tier,
    startsAt: isoOrNull(row.startsAt),
    stakeUnits: unitsFromE4(row.stakeE4),
  }));
}

async function closedEvents({ database }: BoardContext, pickId: number): Promise<Static<typeof closed>[]> {
  const rows: (Sealing & Price & { at: number; capturedAt: number; clvBps: number })[] = await database(
    'closings as k',
  )
    .modify(withSealing, 'closed', 'k.pick_id')
    .where('k.pick_id', pickId)
    .select({
      at: 'k.closed_at',
      lineE3: 'k.line_e3',
      odds: 'k.odds_american',
      book: 'k.book',
      capturedAt: 'k.captured_at',
      clvBps: 'k.clv_bps',
    });
  return rows.map((row) => ({
    event: 'closed',
    ...commonOf(row),
    ...priced(row),
    capturedAt: iso(row.capturedAt),
    clvBps: row.clvBps,
  }));
}

async function settledEvents({ database }: BoardContext, pickId: number): Promise<Static<typeof settled>[]> {
  const rows: (Sealing & {
    at: number;
    result: Result;
    half: boolean;
    awayScore: number | null;
    homeScore: number | null;
    sets: number[][] | null;
    played: Played | null;
    statName: string | null;
    statValueE3: number | null;
    netE4: number;
    grader: string;
  })[] = await database('settlements as s')
    .modify(withSealing, 'settled', 's.pick_id')
    .where('s.pick_id', pickId)
    .select({
      at: 's.settled_at',
      result: 's.result',
      half: 's.half',
      awayScore: 's.away_score',
      homeScore: 's.home_score',
      sets: 's.sets',
      played: 's.played',
      statName: 's.stat_name',
      statValueE3: 's.stat_value_e3',
      netE4: 's.net_units_e4',
      grader: 's.grader',
    });
  return rows.map((row) => ({
    event: 'settled',
    ...commonOf(row),
    result: row.result,
    half: row.half,
    awayScore: row.awayScore,
    homeScore: row.homeScore,
    sets: row.sets,
    played: row.played,
    stat: row.statName === null ? null : { name: row.statName, value: row.statValueE3! / 1000 },
    netUnits: shownUnits(row.netE4),
    grader: row.grader,
  }));
}

/** Joins the log entry of each event that is sealed. */
function withSealing(query: Knex.QueryBuilder, kind: PickEvent, pickId: string): void {
  query
    .leftJoin('ledger_entries as e', (on) => on.on('e.pick_id', pickId).onVal('e.kind', kind))
    .select({ hash: 'e.hash', prevHash: 'e.prev', seq: 'e.seq' });
}

function commonOf({ at, hash, prevHash, seq }: Sealing & { at: number }) {
  return {
    at: iso(at),
    hash: hash?.toString('hex') ?? null,
    prevHash: prevHash?.toString('hex') ?? null,
    seq,
  };
}

function priced({ lineE3, odds, book }: Price) {
  return {
    line: lineFromE3(lineE3),
    oddsAmerican: odds,
    oddsDecimal: shownDecimal(odds),
    book,
  };
}

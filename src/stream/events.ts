import type { Static } from 'typebox';
import { iso, isoOrNull } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { nullable } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { lineFromE3, shownUnits } from '../rules/fixed-point.ts';
import { shownDecimal } from '../rules/odds.ts';
import { announcedColumns, type LoggedEvent } from '../webhooks/messages/events.ts';
import { announcedPick, announcedPickSchema } from '../webhooks/messages/payloads.ts';

const instant = Type.String({ format: 'date-time' });
const common = {
  seq: Type.Integer({ description: 'Its index in the log, also the `id` of the event.' }),
  at: instant,
  hash: Type.String({ description: "The hash in the log's entry, in hex." }),
  pick: announcedPickSchema,
};

/** Schema of an event's `data`. */
export const streamEventSchema = Type.Union(
  [
    Type.Object({ event: Type.Literal('posted'), ...common }),
    Type.Object({
      event: Type.Literal('closed'),
      ...common,
      closing: Type.Object({
        oddsAmerican: Type.Integer(),
        oddsDecimal: Type.Number(),
        line: nullable(Type.Number()),
        book: nullable(Type.String()),
        capturedAt: instant,
        clvBps: Type.Integer(),
      }),
    }),
    Type.Object({
      event: Type.Literal('settled'),
      ...common,
      settlement: Type.Object({
        result: Type.String({ description: '`win`, `loss`, `push`, or `void`.' }),
        half: Type.Boolean({ description: 'Only half the stake counted.' }),
        netUnits: Type.Number(),
        awayScore: nullable(Type.Integer()),
        homeScore: nullable(Type.Integer()),
        closingOddsAmerican: nullable(Type.Integer()),
      }),
    }),
  ],
  { title: 'StreamEvent' },
);

/** An event of a live pick, as the stream sends it. */
export interface StreamEvent {
  seq: number;
  handle: string;
  sport: string;
  /** The event in the event-stream format: id, event, data, and an empty line. */
  text: string;
}

/** Returns the seq of the log's next entry. */
export async function logEnd(database: Database): Promise<number> {
  const [row]: { seq: number | null }[] = await database('ledger_entries').max({ seq: 'seq' });
  return (row?.seq ?? -1) + 1;
}

interface Row extends Omit<LoggedEvent, 'kind'> {
  kind: 'posted' | 'closed' | 'settled';
  hash: Buffer;
  awayScore: number | null;
  homeScore: number | null;
  netE4: number | null;
  closedAt: number | null;
  capturedAt: number | null;
  closingLineE3: number | null;
  closingBook: string | null;
  clvBps: number | null;
}

/**
 * Reads the events of live picks in a range of the log, in order. Like webhooks, the stream does not announce imported picks.
 * @param to the seq after the last one
 */
export async function readStreamEvents(
  database: Database,
  from: number,
  to: number,
  baseUrl: string,
): Promise<StreamEvent[]> {
  const rows: Row[] = await database('ledger_entries as e')
    .join('picks as p', 'p.id', 'e.pick_id')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .join('games as g', 'g.id', 'p.game_id')
    .leftJoin('settlements as s', (on) => on.on('s.pick_id', 'p.id').onVal('e.kind', 'settled'))
    .leftJoin('closings as k', (on) => on.on('k.pick_id', 'p.id').onVal('e.kind', '<>', 'posted'))
    .where('e.seq', '>=', from)
    .where('e.seq', '<', to)
    .where('p.provenance', 'live')
    .orderBy('e.seq')
    .select({
      ...announcedColumns,
      hash: 'e.hash',
      awayScore: 's.away_score',
      homeScore: 's.home_score',
      netE4: 's.net_units_e4',
      closedAt: 'k.closed_at',
      capturedAt: 'k.captured_at',
      closingLineE3: 'k.line_e3',
      closingBook: 'k.book',
      clvBps: 'k.clv_bps',
    });
  return rows.map((row) => {
    const { seq, handle, sport, kind } = row;
    const data = JSON.stringify(dataOf(row, baseUrl));
    return { seq, handle, sport, text: `id: ${seq}\nevent: ${kind}\ndata: ${data}\n\n` };
  });
}

function dataOf(row: Row, baseUrl: string): Static<typeof streamEventSchema> {
  const { kind, seq } = row;
  const about = { seq, hash: row.hash.toString('hex'), pick: announcedPick(row, baseUrl) };
  if (kind === 'posted') return { event: kind, ...about, at: iso(row.postedAt) };
  if (kind === 'settled')
    return {
      event: kind,
      ...about,
      at: iso(row.settledAt!),
      settlement: {
        result: row.result!,
        half: row.half!,
        netUnits: shownUnits(row.netE4!),
        awayScore: row.awayScore,
        homeScore: row.homeScore,
        closingOddsAmerican: row.closingOdds,
      },
    };
  return {
    event: kind,
    ...about,
    at: iso(row.closedAt!),
    closing: {
      oddsAmerican: row.closingOdds!,
      oddsDecimal: shownDecimal(row.closingOdds!),
      line: lineFromE3(row.closingLineE3),
      book: row.closingBook,
      capturedAt: isoOrNull(row.capturedAt)!,
      clvBps: row.clvBps!,
    },
  };
}

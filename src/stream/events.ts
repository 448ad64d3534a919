import {
  closedFields,
  type StoredClosing,
  settledFields,
  shownClosing,
  shownSettlement,
} from '../ledger/events.ts';
import { type Fields, shownSchemasOf } from '../ledger/field.ts';
import { entriesIn } from '../ledger/sealing/advance-cursor.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { nullable } from '../platform/schema.ts';
import { Type } from '../platform/type.ts';
import { announcedColumns, type LoggedEvent } from '../webhooks/messages/events.ts';
import { announcedPick, announcedPickSchema } from '../webhooks/messages/payloads.ts';

const instant = Type.String({ format: 'date-time' });
const common = {
  seq: Type.Integer({ description: 'Its index in the log, also the `id` of the event.' }),
  at: instant,
  hash: Type.String({ description: "The hash in the log's entry, in hex." }),
  pick: announcedPickSchema,
};

export const streamEventSchema = Type.Union(
  [
    Type.Object({ event: Type.Literal('posted'), ...common }),
    Type.Object({
      event: Type.Literal('closed'),
      ...common,
      closing: Type.Object(shownSchemasOf(closedFields)),
    }),
    Type.Object({
      event: Type.Literal('settled'),
      ...common,
      settlement: Type.Object({
        ...shownSchemasOf(settledFields),
        closingOddsAmerican: nullable(Type.Integer()),
      }),
    }),
  ],
  { title: 'StreamEvent' },
);

export interface StreamEvent {
  seq: number;
  handle: string;
  sport: string;
  /** The event in the event-stream format: id, event, data, and an empty line. */
  text: string;
}

export async function logEnd(database: Database): Promise<number> {
  const [row]: { seq: number | null }[] = await database('ledger_entries').max({ seq: 'seq' });
  return (row?.seq ?? -1) + 1;
}

interface Row extends Omit<LoggedEvent, 'kind'> {
  kind: 'posted' | 'closed' | 'settled';
  hash: Buffer;
  [field: `k_${string}` | `s_${string}`]: unknown;
}

/** In order. Like webhooks, the stream does not announce imported picks. @param to the seq after the last one */
export async function readStreamEvents(
  database: Database,
  from: number,
  to: number,
  baseUrl: string,
): Promise<StreamEvent[]> {
  const rows: Row[] = await entriesIn(database, from, to)
    .join('picks as p', 'p.id', 'e.pick_id')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .join('games as g', 'g.id', 'p.game_id')
    .leftJoin('settlements as s', (on) => on.on('s.pick_id', 'p.id').onVal('e.kind', 'settled'))
    .leftJoin('closings as k', (on) => on.on('k.pick_id', 'p.id').onVal('e.kind', '<>', 'posted'))
    .where('p.provenance', 'live')
    .orderBy('e.seq')
    .select({
      ...announcedColumns,
      hash: 'e.hash',
      ...prefixed('k', closedFields),
      ...prefixed('s', settledFields),
    });
  return rows.map((row) => {
    const { seq, handle, sport, kind } = row;
    const data = JSON.stringify(dataOf(row, baseUrl));
    return { seq, handle, sport, text: `id: ${seq}\nevent: ${kind}\ndata: ${data}\n\n` };
  });
}

/** The source columns of fields, under names with the alias of their table. */
function prefixed(alias: 'k' | 's', fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, { column }]) => [`${alias}_${name}`, column]));
}

function valuesOf(row: Row, alias: 'k' | 's', fields: Fields) {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, row[`${alias}_${name}`]])) as never;
}

function dataOf(row: Row, baseUrl: string) {
  const { kind, seq } = row;
  const about = { event: kind, seq, hash: row.hash.toString('hex'), pick: announcedPick(row, baseUrl) };
  if (kind === 'posted') return { ...about, at: iso(row.postedAt) };
  if (kind === 'closed') {
    const closing: StoredClosing = valuesOf(row, 'k', closedFields);
    return { ...about, at: iso(closing.closedAt), closing: shownClosing(closing) };
  }
  const settlement = shownSettlement(valuesOf(row, 's', settledFields));
  return {
    ...about,
    at: iso(row.settledAt!),
    settlement: { ...settlement, closingOddsAmerican: row.closingOdds },
  };
}

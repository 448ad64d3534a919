import { iso, isoOrNull } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { PostedPick } from '../../proof/acknowledgement.ts';
import { type Bodies, type Kind, kinds } from '../../proof/bodies.ts';
import { closedBody, closedFields, settledBody, settledFields } from '../events.ts';
import { type Fields, sourcesOf } from '../field.ts';
import type { StoredPick } from '../pick.ts';
import { pickSources, postedBody } from '../pick-forms.ts';

/** A closing or settlement: it could use the prices of its game up to an id, and the first price of each day that a provider had some. */
export interface PricedEvent {
  kind: 'closed' | 'settled';
  pickId: number;
  gameId: number;
  lastLineId: number;
}

/** An event from the ledger's tables, without the links that only sealing knows. */
export type StoredEvent =
  | { kind: 'posted'; pickId: number; capper: string; body: PostedPick }
  | (PricedEvent & { kind: 'closed'; capper: string; body: Omit<Bodies['closed'], Sealed> })
  | (PricedEvent & { kind: 'settled'; capper: string; body: Omit<Bodies['settled'], Sealed> })
  | EventOfLog;

/** An event that is not a pick's: `subjectId` is the id of its row. */
type EventOfLog = {
  [K in Exclude<Kind, 'posted' | 'closed' | 'settled'>]: { kind: K; subjectId: number; body: Bodies[K] };
}[Exclude<Kind, 'posted' | 'closed' | 'settled'>];

export type PricesEvent = Extract<StoredEvent, { kind: 'prices' }>;

const ofPick = { column: 'pick_id', key: 'pick_id', onlyIf: 'true' } as const;
const row = { key: 'id', onlyIf: 'true' } as const;

/** The row behind the entries of each kind: its table, its key there, and the column of `ledger_entries` with that key. */
export const subjects = {
  posted: { ...ofPick, table: 'picks', key: 'id' },
  closed: { ...ofPick, table: 'closings' },
  settled: { ...ofPick, table: 'settlements' },
  // The first key of a log has no announcement.
  key: { ...row, table: 'signing_keys', column: 'key_id', onlyIf: 'note is not null' },
  notice: { ...row, table: 'notices', column: 'notice_id' },
  start_moved: { ...row, table: 'start_moves', column: 'move_id' },
  game_joined: { ...row, table: 'game_joins', column: 'join_id' },
  prices: { ...row, table: 'price_batches', column: 'prices_id' },
  data: { ...row, table: 'data_indexes', column: 'data_id' },
  capper_key: { ...row, table: 'capper_keys', column: 'capper_key_id' },
} as const satisfies Record<Kind, { table: string; key: string; column: string; onlyIf: string }>;

export type SubjectColumn = (typeof subjects)[Kind]['column'];

/** The columns of `ledger_entries` that refer to a row, and a SQL expression of the one that is set. */
export const subjectColumns = [...new Set(kinds.map((kind): SubjectColumn => subjects[kind].column))];
export const subjectSql = `coalesce(${subjectColumns.join(', ')})`;

export function eventOf(entry: { kind: Kind } & Record<SubjectColumn, number | null>): EventName {
  return {
    kind: entry.kind,
    subjectId: subjectColumns.map((name) => entry[name]).find((id) => id !== null) ?? 0,
  };
}

/** The keys of bodies that only sealing knows. */
type Sealed = 'prev' | 'prices_to';

export interface EventName {
  kind: StoredEvent['kind'];
  subjectId: number;
}

export async function findBodies(
  database: Database,
  names: readonly EventName[],
): Promise<(StoredEvent | undefined)[]> {
  const found = new Map<string, StoredEvent>();
  for (const kind of kinds) {
    const ids = names.filter((name) => name.kind === kind).map(({ subjectId }) => subjectId);
    if (ids.length === 0) continue;
    for (const event of await readers[kind](database, ids)) found.set(`${kind}/${subjectOf(event)}`, event);
  }
  return names.map(({ kind, subjectId }) => found.get(`${kind}/${subjectId}`));
}

export function subjectOf(event: StoredEvent): number {
  return 'pickId' in event ? event.pickId : event.subjectId;
}

const readers: Record<StoredEvent['kind'], (database: Database, ids: number[]) => Promise<StoredEvent[]>> = {
  posted: readPicks,
  closed: eventsOf('closed', 'closings as k', closedFields, closedBody),
  settled: eventsOf('settled', 'settlements as s', settledFields, settledBody),
  key: notesOf('key'),
  notice: readNotices,
  start_moved: readMoves,
  game_joined: readJoins,
  prices: readPrices,
  data: notesOf('data'),
  capper_key: readCapperKeys,
};

async function readPicks(database: Database, ids: number[]): Promise<StoredEvent[]> {
  const rows: StoredPick[] = await database('picks as p')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .join('games as g', 'g.id', 'p.game_id')
    .whereRaw('p.id = any(?::bigint[])', [ids])
    .select(pickSources);
  return rows.map((pick) => ({
    kind: 'posted',
    pickId: pick.id,
    capper: pick.handle,
    body: postedBody(pick),
  }));
}

/** Returns a reader of the closings or settlements of picks. @param body returns the body of a row */
function eventsOf(kind: 'closed' | 'settled', table: string, fields: Fields, body: (row: never) => unknown) {
  const sources = {
    ...sourcesOf(fields),
    uuid: 'p.uuid',
    pickId: 'p.id',
    gameId: 'p.game_id',
    capper: 'c.handle',
  };
  return async (database: Database, ids: number[]): Promise<StoredEvent[]> => {
    const rows: (PricedEvent & { capper: string })[] = await database(`${table}`)
      .join('picks as p', 'p.id', `${table.at(-1)}.pick_id`)
      .join('cappers as c', 'c.id', 'p.capper_id')
      .whereRaw('p.id = any(?::bigint[])', [ids])
      .select(sources as Record<string, string>);
    return rows.map((row) => {
      const { pickId, gameId, capper, lastLineId } = row;
      return { kind, pickId, gameId, capper, lastLineId, body: body(row as never) } as StoredEvent;
    });
  };
}

function notesOf(kind: 'key' | 'data') {
  return async (database: Database, ids: number[]): Promise<StoredEvent[]> => {
    const rows: { id: number; note: string }[] = await database(subjects[kind].table)
      .whereRaw('id = any(?::bigint[])', [ids])
      .whereRaw(subjects[kind].onlyIf)
      .select('id', 'note');
    return rows.map(({ id, note }) => ({ kind, subjectId: id, body: { v: 1, note } }));
  };
}

async function readNotices(database: Database, ids: number[]): Promise<StoredEvent[]> {
  const rows = await database('notices').whereRaw('id = any(?::bigint[])', [ids]).select('*');
  return rows.map((row) => ({
    kind: 'notice',
    subjectId: row.id,
    body: { v: 1, at: iso(row.at), topic: row.topic, text: row.text },
  }));
}

async function readMoves(database: Database, ids: number[]): Promise<StoredEvent[]> {
  const rows = await database('start_moves as m')
    .join('games as g', 'g.id', 'm.game_id')
    .whereRaw('m.id = any(?::bigint[])', [ids])
    .select('m.*', 'g.sport', 'g.announced_start');
  return rows.map((row) => ({
    kind: 'start_moved',
    subjectId: row.id,
    body: {
      v: 1,
      sport: row.sport,
      game: row.game,
      announced_start: isoOrNull(row.announced_start),
      from: isoOrNull(row.from_start),
      to: isoOrNull(row.to_start),
      at: iso(row.at),
      by: row.moved_by,
    },
  }));
}

async function readJoins(database: Database, ids: number[]): Promise<StoredEvent[]> {
  const rows = await database('game_joins as j')
    .join('games as f', 'f.id', 'j.from_game')
    .join('games as t', 't.id', 'j.to_game')
    .whereRaw('j.id = any(?::bigint[])', [ids])
    .select({ id: 'j.id', at: 'j.at', by: 'j.joined_by', sport: 't.sport' })
    .select({ fromName: 'f.name', fromStart: 'f.announced_start', fromDay: 'f.day' })
    .select({ toName: 't.name', toStart: 't.announced_start', toDay: 't.day' });
  return rows.map((row) => ({
    kind: 'game_joined',
    subjectId: row.id,
    body: {
      v: 1,
      sport: row.sport,
      from: { game: row.fromName, announced_start: isoOrNull(row.fromStart), day: row.fromDay },
      to: { game: row.toName, announced_start: isoOrNull(row.toStart), day: row.toDay },
      at: iso(row.at),
      by: row.by,
    },
  }));
}

type PriceBatch = Record<'id' | 'from_seq' | 'to_seq', number> & { root: Buffer };

export function pricesEvent({ id, from_seq, to_seq, root }: PriceBatch): PricesEvent {
  const body = { v: 1, from_seq, to_seq, count: to_seq - from_seq + 1, root: root.toString('hex') } as const;
  return { kind: 'prices', subjectId: id, body };
}

async function readPrices(database: Database, ids: number[]): Promise<StoredEvent[]> {
  const batches = database('price_batches').whereRaw('id = any(?::bigint[])', [ids]);
  return (await batches.select<PriceBatch[]>('id', 'from_seq', 'to_seq', 'root')).map(pricesEvent);
}

async function readCapperKeys(database: Database, ids: number[]): Promise<StoredEvent[]> {
  const rows = await database('capper_keys as k')
    .join('cappers as c', 'c.id', 'k.capper_id')
    .whereRaw('k.id = any(?::bigint[])', [ids])
    .select('k.*', 'c.handle');
  return rows.map((row) => ({
    kind: 'capper_key',
    subjectId: row.id,
    body: {
      v: 1,
      capper: row.handle,
      action: row.action,
      key: row.key,
      purpose: row.purpose,
      first: row.first,
      at: iso(row.at),
      by: row.made_by,
      possession: row.possession,
      endorsed_by: row.endorsed_by,
      endorsement: row.endorsement,
    },
  }));
}

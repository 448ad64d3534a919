import { iso } from '../../platform/clock.ts';
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

/** @param body returns the body of a row */
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

/**
 * The columns behind the bodies of events that are no pick's, by path: of their row `r`, and of the games and cappers that it refers to.
 * Readers derive from it, and the rows that a mirror gives back.
 */
const logBodies = {
  key: { note: 'r.note' },
  notice: { at: 'r.at', topic: 'r.topic', text: 'r.text' },
  start_moved: {
    sport: 'g.sport',
    game: 'r.game',
    announced_start: 'g.announced_start',
    from: 'r.from_start',
    to: 'r.to_start',
    at: 'r.at',
    by: 'r.moved_by',
  },
  game_joined: {
    sport: 't.sport',
    'from.game': 'f.name',
    'from.announced_start': 'f.announced_start',
    'from.day': 'f.day',
    'to.game': 't.name',
    'to.announced_start': 't.announced_start',
    'to.day': 't.day',
    at: 'r.at',
    by: 'r.joined_by',
  },
  data: { note: 'r.note' },
  capper_key: {
    capper: 'c.handle',
    action: 'r.action',
    key: 'r.key',
    purpose: 'r.purpose',
    first: 'r.first',
    at: 'r.at',
    by: 'r.made_by',
    possession: 'r.possession',
    endorsed_by: 'r.endorsed_by',
    endorsement: 'r.endorsement',
  },
} as const;

type LogKind = keyof typeof logBodies;

const joins: Partial<Record<LogKind, string>> = {
  start_moved: 'join games g on g.id = r.game_id',
  game_joined: 'join games f on f.id = r.from_game join games t on t.id = r.to_game',
  capper_key: 'join cappers c on c.id = r.capper_id',
};

function bodiesOf(kind: LogKind) {
  const { table, onlyIf } = subjects[kind];
  const columns = Object.entries(logBodies[kind]).map(([path, column]) => `${column} as "${path}"`);
  const sql = `select r.id, ${columns.join(', ')} from ${table} r ${joins[kind] ?? ''} where r.id = any(?::bigint[]) and ${onlyIf}`;
  return async (database: Database, ids: number[]): Promise<StoredEvent[]> => {
    const { rows }: { rows: Record<string, unknown>[] } = await database.raw(sql, [ids]);
    return rows.map(({ id, ...values }) => {
      const body: Record<string, unknown> = { v: 1 };
      for (const [path, value] of Object.entries(values)) {
        const [key = '', part] = path.split('.');
        // The only numbers are instants.
        const hashed = typeof value === 'number' ? iso(value) : value;
        body[key] = part === undefined ? hashed : { ...(body[key] as object), [part]: hashed };
      }
      return { kind, subjectId: id, body } as unknown as StoredEvent;
    });
  };
}

/** Returns the columns of its own row that a body fills, the inverse of the reader. */
export function ownColumns(kind: LogKind, body: object): Record<string, unknown> {
  const values = body as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(logBodies[kind]).flatMap(([path, column]) =>
      column.startsWith('r.') ? [[column.slice(2), values[path]]] : [],
    ),
  );
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

const readers: Record<StoredEvent['kind'], (database: Database, ids: number[]) => Promise<StoredEvent[]>> = {
  posted: readPicks,
  closed: eventsOf('closed', 'closings as k', closedFields, closedBody),
  settled: eventsOf('settled', 'settlements as s', settledFields, settledBody),
  key: bodiesOf('key'),
  notice: bodiesOf('notice'),
  start_moved: bodiesOf('start_moved'),
  game_joined: bodiesOf('game_joined'),
  prices: readPrices,
  data: bodiesOf('data'),
  capper_key: bodiesOf('capper_key'),
};

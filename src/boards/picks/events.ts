import type { Knex } from 'knex';
import type { Static, TUnsafe } from 'typebox';
import {
  closedFields,
  type ShownClosing,
  type ShownSettlement,
  settledFields,
  shownClosing,
  shownSettlement,
} from '../../ledger/events.ts';
import { shownSchemasOf, sourcesOf } from '../../ledger/field.ts';
import { tierSchema } from '../../ledger/schemas.ts';
import { iso, isoOrNull } from '../../platform/clock.ts';
import { inCamelCase } from '../../platform/columns.ts';
import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { tags } from '../../projections/tags.ts';
import type { PickEvent } from '../../proof/receipt.ts';
import { lineFromE3, unitsFromE4 } from '../../rules/fixed-point.ts';
import { shownDecimal } from '../../rules/odds.ts';
import type { Tier } from '../../rules/vocabulary.ts';
import { board } from '../board.ts';
import type { BoardContext } from '../endpoint.ts';
import { uuid } from '../params.ts';
import { knownPick } from '../subjects.ts';

const instant = Field.instant();
const commonFields = {
  at: instant,
  hash: Field.orNull.text('Hex; null until the event is sealed.'),
  prevHash: Field.orNull.text("The hash of the pick's previous event."),
  seq: Field.orNull.integer('Index in the log; null until the event is sealed.'),
};
const posted = Type.Object({
  event: Type.Literal('posted'),
  ...commonFields,
  line: Field.orNull.number(),
  oddsAmerican: Field.integer(),
  oddsDecimal: Field.number(),
  book: Field.orNull.text(),
  capperHandle: Field.text(),
  capperTier: { ...tierSchema, description: 'The tier when the pick was posted.' },
  startsAt: Field.orNull.instant('The start time as known when the pick was posted.'),
  stakeUnits: Field.number(),
});
/** The events after posting, with their fields. Their time is shown as `at`. */
const shownEvents = {
  closed: { fields: closedFields, at: 'closedAt', table: 'closings as k', pickId: 'k.pick_id' },
  settled: { fields: settledFields, at: 'settledAt', table: 'settlements as s', pickId: 's.pick_id' },
} as const;
const eventSchema = (event: keyof typeof shownEvents) =>
  Type.Object({
    event: Type.Literal(event),
    ...commonFields,
    ...shownSchemasOf(shownEvents[event].fields),
  });

export type PickEventBody =
  | Static<typeof posted>
  | (EventBody<'closed'> & ShownClosing)
  | (EventBody<'settled'> & ShownSettlement);
type EventBody<Event extends string> = { event: Event } & ReturnType<typeof commonOf>;
export const pickEventSchema = Type.Union([
  posted,
  eventSchema('closed'),
  eventSchema('settled'),
]) as unknown as TUnsafe<PickEventBody>;

/** In order of time, including those not sealed yet. */
export async function pickEvents(context: BoardContext, pickId: number): Promise<PickEventBody[]> {
  const events = await Promise.all([
    postedEvents(context, pickId),
    laterEvents(context, pickId, 'closed'),
    laterEvents(context, pickId, 'settled'),
  ]);
  return events.flat().sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

interface Sealing {
  hash: Buffer | null;
  prevHash: Buffer | null;
  seq: number | null;
}

async function postedEvents({ database }: BoardContext, pickId: number): Promise<Static<typeof posted>[]> {
  const rows: (Sealing & {
    at: number;
    lineE3: number | null;
    odds: number;
    book: string | null;
    handle: string;
    tier: Tier;
    startsAt: number | null;
    stakeE4: number;
  })[] = await database('picks as p')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .modify(withSealing, 'posted', 'p.id')
    .where('p.id', pickId)
    .select({
      at: 'p.posted_at',
      lineE3: 'p.line_e3',
      odds: 'p.odds_american',
      book: 'p.book',
      handle: 'c.handle',
      ...inCamelCase('p.tier p.starts_at p.stake_e4'),
    });
  return rows.map((row) => ({
    event: 'posted',
    ...commonOf(row),
    line: lineFromE3(row.lineE3),
    oddsAmerican: row.odds,
    oddsDecimal: shownDecimal(row.odds),
    book: row.book,
    capperHandle: row.handle,
    capperTier: row.tier,
    startsAt: isoOrNull(row.startsAt),
    stakeUnits: unitsFromE4(row.stakeE4),
  }));
}

async function laterEvents(
  { database }: BoardContext,
  pickId: number,
  event: keyof typeof shownEvents,
): Promise<PickEventBody[]> {
  const { fields, at, table, pickId: key } = shownEvents[event];
  const rows: (Sealing & Record<string, unknown>)[] = await database(`${table}`)
    .modify(withSealing, event, key)
    .where(key, pickId)
    .select(sourcesOf(fields) as Record<string, string>);
  const shown = event === 'closed' ? shownClosing : shownSettlement;
  return rows.map(
    (row) =>
      ({ event, ...commonOf({ ...row, at: row[at] as number }), ...shown(row as never) }) as PickEventBody,
  );
}

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

export const pickTimeline = board({
  path: '/api/picks/:uuid/timeline',
  group: 'picks',
  about: 'The timeline of a pick: posted, closed, and settled, each with its hash.',
  params: Type.Object({ uuid }),
  tags: (params) => [tags.pick(params.uuid)],
  body: Type.Object({ pickUuid: Field.uuid(), events: Type.Array(pickEventSchema) }),
  collection: 'events',
  examples: [{ uuid: '{uuid}' }],
  async compute(context, params) {
    const { id, uuid: pickUuid } = await knownPick(context.database, params.uuid);
    return { pickUuid, events: await pickEvents(context, id) };
  },
});

import { Field } from '../../platform/field-schemas.ts';
import { Type } from '../../platform/type.ts';
import { boardPicks, newestFirst } from '../../projections/board-picks.ts';
import { windowTallies } from '../../projections/rollups.ts';
import { maxPicks } from '../../projections/slate.ts';
import { everyEvent, tags } from '../../projections/tags.ts';
import { etDay } from '../../rules/et-day.ts';
import { recordOf } from '../../rules/tally.ts';
import { type Window, windows } from '../../rules/vocabulary.ts';
import { board } from '../board.ts';
import { count, provenance, uuid } from '../params.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { recordSchema } from '../record.ts';
import { knownPick } from '../subjects.ts';

export const pickBoard = board({
  path: '/api/picks/:uuid',
  group: 'picks',
  about: 'One pick. `hashStatus` says whether it is sealed.',
  params: Type.Object({ uuid }),
  tags: (params) => [tags.pick(params.uuid), tags.world],
  body: Type.Object({
    ...pickSchema.properties,
    pickHash: Field.orNull.text('Hex; null until the pick is sealed.'),
    recordUrl: Field.uri(),
  }),
  examples: [{ uuid: '{uuid}' }],
  async compute({ database, baseUrl }, params) {
    const row = await knownPick(database, params.uuid);
    const [entry]: { hash: Buffer }[] = await database('ledger_entries')
      .where({ pick_id: row.id, kind: 'posted' })
      .select('hash');
    return {
      ...publicPick({ ...row, sealed: entry !== undefined }, baseUrl),
      pickHash: entry?.hash.toString('hex') ?? null,
      recordUrl: `${baseUrl}/record/${row.id}`,
    };
  },
});

const hourMs = 3_600_000;

export const relatedPicks = board({
  path: '/api/picks/:uuid/related',
  group: 'picks',
  about:
    'Other picks on the same side of the same market, subject, and game, posted around the same time, newest first.',
  params: Type.Object({
    uuid,
    hours: count(6, 72, 'Hours before and after the pick was posted.'),
  }),
  // The pick's game is known only after the pick is read.
  tags: () => everyEvent,
  body: Type.Object({ picks: Type.Array(pickSchema) }),
  collection: 'picks',
  examples: [{ uuid: '{uuid}' }, { uuid: '{uuid}', hours: '72' }],
  async compute({ database, baseUrl }, params) {
    const pick = await knownPick(database, params.uuid);
    const spanMs = params.hours * hourMs;
    const rows = await boardPicks(database)
      .where('p.game_id', pick.gameId)
      .where('p.market', pick.market)
      .whereRaw('p.subject is not distinct from ?::text', [pick.subject])
      .where('p.side', pick.side)
      .whereNot('p.uuid', pick.uuid)
      .whereBetween('p.posted_at', [new Date(pick.postedAt - spanMs), new Date(pick.postedAt + spanMs)])
      .orderBy(newestFirst)
      .limit(maxPicks);
    return { picks: rows.map((row) => publicPick(row, baseUrl)) };
  },
});

export const recordWindows = board({
  path: '/api/record/windows',
  group: 'picks',
  about: 'The record of all picks over the last 7, 30, and 90 ET days and over all time.',
  params: Type.Object({ provenance }),
  tags: () => [tags.settled],
  ahead: [{}],
  body: Type.Object({
    windows: Type.Object({ '7d': recordSchema, '30d': recordSchema, '90d': recordSchema, all: recordSchema }),
  }),
  examples: [{}, { provenance: 'live' }],
  async compute({ database, now }, { provenance }) {
    const tallies = await windowTallies(database, windows, etDay(now), { provenance });
    const shown = windows.map((window) => [window, recordOf(tallies[window])] as const);
    return { windows: Object.fromEntries(shown) as Record<Window, ReturnType<typeof recordOf>> };
  },
});

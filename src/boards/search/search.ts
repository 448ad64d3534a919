import { lifetimes } from '../../cache/lifetimes.ts';
import { sportSchema } from '../../ledger/schemas.ts';
import { nullable } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { everyEvent } from '../../projections/tags.ts';
import { gameStatuses } from '../../rules/vocabulary.ts';
import { board } from '../board.ts';
import { rosterRow } from '../cappers/roster-rows.ts';
import { pickSchema, publicPick } from '../pick.ts';
import { entriesIdentified, picksIdentified } from './identified.ts';
import { cappersNamed, gamesNamed } from './named.ts';
import { nameQuery, suggestionFor } from './words.ts';

export const searchQuery = Type.String({
  minLength: 1,
  maxLength: 100,
  must: '1 to 100 characters to look for',
  description:
    'A handle, name, team or game; a uuid, record number, log index or hash; or 6 digits or more with which a uuid or hash begins.',
});

export const search = board({
  path: '/api/search',
  group: 'feeds',
  about: 'Picks and log entries by uuid, number or hash, and cappers and games by name.',
  params: Type.Object({ q: searchQuery }),
  lifetime: lifetimes.live,
  perMinute: 60,
  tags: () => everyEvent,
  body: Type.Object({
    picks: Type.Array(pickSchema, { description: 'By uuid or record number.' }),
    entries: Type.Array(
      Type.Object({
        seq: Type.Integer({ description: 'The index in the log.' }),
        kind: Type.String({ examples: ['posted', 'closed', 'settled', 'key', 'notice'] }),
        hash: Type.String(),
        pickUuid: nullable(Type.String({ format: 'uuid' })),
        pick: nullable(Type.String()),
        subject: nullable(Type.String({ description: 'Who or what the market of the pick is about.' })),
        game: nullable(Type.String()),
      }),
      { description: 'Of the log, by index or hash.' },
    ),
    cappers: Type.Array(rosterRow),
    games: Type.Array(
      Type.Object({
        id: Type.Integer(),
        sport: sportSchema,
        game: Type.String(),
        startsAt: nullable(Type.String({ format: 'date-time' })),
        status: Type.Enum(gameStatuses, { title: 'GameStatus' }),
      }),
      { description: 'Those to come, the next first, then those that have started, the latest first.' },
    ),
    suggestion: nullable(
      Type.String({
        description: 'The query with known words in place of unknown ones, where no name matches.',
      }),
    ),
  }),
  examples: [{ q: '{handle}' }, { q: '{uuid}' }],
  // Any text is a query.
  keep: () => false,
  async compute(context, params) {
    const { database, baseUrl } = context;
    const text = params.q.trim().toLowerCase();
    const query = await nameQuery(database, text);
    const [picks, entries, cappers, games] = await Promise.all([
      picksIdentified(database, text),
      entriesIdentified(database, text),
      query === undefined ? [] : cappersNamed(context, query, text),
      query === undefined ? [] : gamesNamed(context, query),
    ]);
    const isFound = [picks, entries, cappers, games].some(({ length }) => length > 0);
    return {
      picks: picks.map((pick) => publicPick(pick, baseUrl)),
      entries,
      cappers,
      games,
      suggestion: isFound ? null : await suggestionFor(database, text),
    };
  },
});

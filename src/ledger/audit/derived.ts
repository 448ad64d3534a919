import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type Game, gameColumns } from '../../games/game.ts';
import { readTeams } from '../../games/names/aliases.ts';
import { opponentsFault } from '../../games/twins.ts';
import type { Database } from '../../platform/database.ts';
import { type Kind, kinds } from '../../proof/bodies.ts';
import { Difference, differencesIn } from '../difference.ts';
import { capperKeyFaults } from '../sealing/recompute/authors.ts';
import { dataIndexes } from '../sealing/recompute/keys.ts';
import { findBodies, subjects } from '../sealing/stored-events.ts';

/** Maximum time of `open_imports.until` after the present, in seconds (see `asOpenImport`). */
const openImportSeconds = 90;

const namedWords = `select words_of(name) as words from games
  union all select words_of(handle || ' ' || coalesce(display_name, '')) from cappers
  union all select words_of(subject) from subjects`;
const repairWords = `insert into search_words select unnest(tsvector_to_array(words)) from (${namedWords.replace(/\s+/g, ' ')}) n`;

/** Queries for rows that do not follow from those that they derive from, as `differencesIn` takes them. */
const derived = [
  // The first entry of a replay or demo names its kind, and is signed.
  `select 'log_kind' as "table", d.* from (select 'id 1' as row, 'kind' as column, format('it is %s, but the first entry of the log %s; restore it from a backup', k.kind,
        case when n.id is null then 'does not say so' else 'says that the log is not live' end) as sentence
      from log_kind k left join notices n on n.topic = 'log-kind' and (
        exists (select from ledger_entries e where e.notice_id = n.id and e.kind = 'notice')
        or exists (select from unsealed_events u where u.subject_id = n.id and u.kind = 'notice'))
        and n.id = (select min(id) from notices)
      where (k.kind = 'live') <> (n.id is null)) d`,
  `select 'priced_days' as "table", d.* from (select format('%s %s', l.sport, l.day) as row, case when p.day is not null then 'line_id' end as column,
        format(case when p.day is null then 'it is missing, though line %1$s is a price of that day; insert it'
          else 'it is %2$s, though line %1$s is a price of that day; restore it from a backup' end, l.first, p.line_id) as sentence
      from (select g.sport, (l.captured_at at time zone 'America/New_York')::date as day, min(l.id) as first
        from lines l join games g on g.id = l.game_id where not l.by_hand group by 1, 2) l
      left join priced_days p on p.sport = l.sport and p.day = l.day
      where p.day is null or p.line_id > l.first
      union all
      select format('%s %s', p.sport, p.day), case when p.line_id > m.last then 'line_id' else 'captured_at' end,
        'no price can have been stored for that day; delete the row'
      from priced_days p cross join (select coalesce(max(id), 0) as last from lines) m
      where p.line_id > m.last or (p.captured_at at time zone 'America/New_York')::date <> p.day
      order by 1) d`,
  // Surplus words only enlarge the table.
  `select 'search_words' as "table", d.* from (select format('%s words', count(*)) as row, null as column, format(
        'they are missing, such as %s: search by similarity does not find their names; as the owner, run ${repairWords.replaceAll("'", "''")}',
        min(w.word)) as sentence
      from (select distinct w.word from (${namedWords}) n
        cross join unnest(tsvector_to_array(n.words)) w (word)) w
      where not exists (select from search_words s where s.word = w.word)
      having count(*) > 0) d`,
  `select 'open_imports' as "table", d.* from (select format('id %s', id) as row, 'until' as column,
        format('it is %s, and imported picks wait until then; delete the row unless an import is running', until) as sentence
      from open_imports where until > clock_timestamp() + interval '${openImportSeconds} seconds' order by id) d`,
];

export async function* auditDerived(database: Database): AsyncGenerator<Difference> {
  for (const sql of derived) yield* differencesIn(database, sql);
  yield* auditSequences(database);
}

/**
 * Finds sequences behind their ids, or past the middle of their range, which only a manual change reaches. Ids end where JavaScript's exact
 * integers do.
 */
async function* auditSequences(database: Database): AsyncGenerator<Difference> {
  const { rows: sequences }: { rows: { name: string; table: string; column: string; last: number }[] } =
    await database.raw(
      `select format('%I', s.relname) as name, format('%I', t.relname) as table, format('%I', a.attname) as column,
         least(q.seqmax, 9007199254740991) as last
       from pg_class s join pg_sequence q on q.seqrelid = s.oid
       join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i')
       join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
       where s.relnamespace = 'public'::regnamespace and s.relname !~ '^knex_' order by 1`,
    );
  for (const { name, table, column, last } of sequences) {
    // The position is read last, because concurrent inserts only increase it.
    const { rows }: { rows: { highest: number | null }[] } = await database.raw(
      `select max(${column}) as highest from ${table}`,
    );
    const highest = rows[0]!.highest ?? 0;
    const { rows: positions }: { rows: { at: number }[] } = await database.raw(
      `select last_value - case when is_called then 0 else 1 end as at from ${name}`,
    );
    const { at } = positions[0]!;
    const repair = `as the owner, run select setval('${name}', ${Math.max(highest, 1)})`;
    const limit = at < highest ? `go up to ${highest}` : at > last / 2 ? `end at ${last}` : undefined;
    if (limit !== undefined)
      yield new Difference(table, `sequence ${name}`, null, `it is at ${at}, but ids ${limit}; ${repair}`);
  }
}

/** Finds games whose recorded moves do not lead to their start, because someone changed it without the log. */
export function auditStarts(database: Database): AsyncGenerator<Difference> {
  return differencesIn(
    database,
    `select 'games' as "table", 'id ' || g.id as row, 'starts_at' as column, 'its moves in the log do not lead to its start' as sentence
     from games g cross join lateral (
       select count(*) as moves, coalesce(bool_and(m.from_start is not distinct from m.before), true) as connected,
         (array_agg(m.to_start order by m.id desc))[1] as last
       from (select id, from_start, to_start, lag(to_start, 1, g.announced_start) over (order by id) as before
         from start_moves where game_id = g.id) m) c
     where not c.connected
       or g.starts_at is distinct from case c.moves when 0 then g.announced_start else c.last end
     order by g.id`,
  );
}

/** Finds joins of games that cannot be one fixture, because someone stored them without the rules of a join. */
export async function* auditJoins(database: Database): AsyncGenerator<Difference> {
  const joins: { id: number; from: number; to: number }[] = await database('game_joins')
    .orderBy('id')
    .select({ id: 'id', from: 'from_game', to: 'to_game' });
  if (joins.length === 0) return;
  const games: Game[] = await database('games as g')
    .whereIn(
      'g.id',
      joins.flatMap(({ from, to }) => [from, to]),
    )
    .select(gameColumns);
  const byId = new Map(games.map((game) => [game.id, game]));
  for (const join of joins) {
    const [from, to] = [byId.get(join.from)!, byId.get(join.to)!];
    const fault = opponentsFault({ from, to }, await readTeams(database, to.sport));
    if (fault !== undefined) yield differs(join.id, `its games are not one fixture: ${fault}`);
  }
}

const differs = (id: number, sentence: string) =>
  new Difference('game_joins', `id ${id}`, 'to_game', sentence);

/** The first row of each kind that is neither in the log nor waiting to be sealed. */
const unsealed = kinds.map((kind) => {
  const { table, key, column, onlyIf } = subjects[kind];
  return `select '${table}' as "table", '${key} ' || t.${key} as row, null as column,
      'it is neither in the log nor waiting to be sealed' as sentence from ${table} t
     where ${onlyIf}
       and not exists (select from ledger_entries e where e.${column} = t.${key} and e.kind = '${kind}')
       and not exists (select from unsealed_events u where u.subject_id = t.${key} and u.kind = '${kind}')
       and not exists (select from events_set_aside a where a.subject_id = t.${key} and a.kind = '${kind}')
     order by t.${key} limit 1`;
});

/** The first pick that was moved to another game of the same name. Its hash covers its game's sport, name, and start, but not its id. */
const moved = `select 'picks' as "table", 'id ' || p.id as row, 'game_id' as column,
    format('its game never had the pick''s start, but game %s did', o.id) as sentence
  from picks p
  join games g on g.id = p.game_id
  join games o on o.sport = g.sport and o.name = g.name and o.id <> g.id
    and (o.announced_start is not distinct from p.starts_at or o.starts_at is not distinct from p.starts_at)
  where g.announced_start is distinct from p.starts_at and g.starts_at is distinct from p.starts_at
  order by p.id limit 1`;

/** Someone inserted the rows without the service, moved them, or deleted their entries. @throws Difference */
export async function auditOrphans(database: Database): Promise<void> {
  for (const sql of [...unsealed, moved])
    for await (const difference of differencesIn(database, sql)) throw difference;
}

const ofEach = (rows: (subject: (typeof subjects)[Kind], kind: Kind) => string) =>
  kinds.map((kind) => `when '${kind}' then exists (select ${rows(subjects[kind], kind)})`).join(' ');

/** Finds events that were set aside, and unsealed events that are not stored or are already in the log. */
export function auditWorkLists(database: Database): AsyncGenerator<Difference> {
  return differencesIn(
    database,
    `select d."table", 'id ' || d.id as row, null as column, format('the %s event of %s %s', d.kind, d.subject_id, d.what) as sentence
     from (
       select 'unsealed_events' as "table", u.id, u.kind, u.subject_id,
         case when s.sealed then 'is in the log already' else 'is not stored' end as what
       from unsealed_events u
       cross join lateral (select
         case u.kind ${ofEach(({ table, key, onlyIf }) => `from ${table} where ${key} = u.subject_id and ${onlyIf}`)} end as stored,
         case u.kind ${ofEach(({ column }, kind) => `from ledger_entries where ${column} = u.subject_id and kind = '${kind}'`)} end as sealed) s
       where s.sealed or not s.stored
       union all
       select 'events_set_aside', id, kind, subject_id, 'was set aside: ' || reason from events_set_aside) d
     order by 1 desc, d.id`,
  );
}

const keysAtOnce = 1_000;

export async function* auditCapperKeys(database: Database): AsyncGenerator<Difference> {
  for (let after = -1; ; ) {
    const rows: { seq: number; id: number }[] = await database('ledger_entries')
      .where({ kind: 'capper_key' })
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(keysAtOnce)
      .select({ seq: 'seq', id: 'capper_key_id' });
    const events = await findBodies(
      database,
      rows.map(({ id }) => ({ kind: 'capper_key', subjectId: id })),
    );
    yield* (
      await capperKeyFaults(
        database,
        events.filter((event) => event?.kind === 'capper_key'),
      )
    ).values();
    if (rows.length < keysAtOnce) return;
    after = rows.at(-1)!.seq;
  }
}

/**
 * Finds indexes of data files that the log did not sign, or that change a file of an index before; and files that are not those of the
 * newest index.
 * @param folder `DATA_FILES`; undefined: files are not compared
 */
export async function* auditDataFiles(
  database: Database,
  folder: string | undefined,
): AsyncGenerator<Difference> {
  const indexes = await dataIndexes(database);
  for (const { fault } of indexes) if (fault !== undefined) yield fault;
  const files = indexes.findLast(({ index }) => index !== undefined)?.index?.files ?? [];
  for (const { name, sha256 } of folder === undefined ? [] : files) {
    const hash = createHash('sha256');
    try {
      for await (const chunk of createReadStream(join(folder!, name))) hash.update(chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      yield new Difference('DATA_FILES', name, null, 'it is missing');
      continue;
    }
    const found = hash.digest('hex');
    if (found !== sha256)
      yield new Difference('DATA_FILES', name, null, `its SHA-256 is ${found}, but the log has ${sha256}`);
  }
}

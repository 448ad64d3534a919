import type { Database } from '../../platform/database.ts';
import { Difference } from '../difference.ts';

/** A table whose rows follow from other rows, and a query for the rows that do not. */
interface Derived {
  table: string;
  /** Returns `row`, `sentence`, and `column`, null unless a single column is wrong. */
  sql: string;
}

/** Maximum time of `open_imports.until` after the present, in seconds (see `asOpenImport`). */
const openImportSeconds = 90;

/** The words of all names that search knows. */
const namedWords = `select words_of(name) as words from games
  union all select words_of(handle || ' ' || coalesce(display_name, '')) from cappers
  union all select words_of(subject) from subjects`;
const repairWords = `insert into search_words select unnest(tsvector_to_array(words)) from (${namedWords.replace(/\s+/g, ' ')}) n`;

const derived: readonly Derived[] = [
  {
    table: 'log_kind',
    // The first entry of a replay or demo names its kind, and is signed.
    sql: `select 'id 1' as row, 'kind' as column, format('it is %s, but the first entry of the log %s; restore it from a backup', k.kind,
        case when n.id is null then 'does not say so' else 'says that the log is not live' end) as sentence
      from log_kind k left join notices n on n.topic = 'log-kind' and (
        exists (select from ledger_entries e where e.notice_id = n.id and e.kind = 'notice')
        or exists (select from unsealed_events u where u.subject_id = n.id and u.kind = 'notice'))
        and n.id = (select min(id) from notices)
      where (k.kind = 'live') <> (n.id is null)`,
  },
  {
    table: 'priced_days',
    sql: `select format('%s %s', l.sport, l.day) as row, case when p.day is not null then 'line_id' end as column,
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
      order by 1`,
  },
  {
    table: 'search_words',
    // Surplus words only enlarge the table.
    sql: `select format('%s words', count(*)) as row, null as column, format(
        'they are missing, such as %s: search by similarity does not find their names; as the owner, run ${repairWords.replaceAll("'", "''")}',
        min(w.word)) as sentence
      from (select distinct w.word from (${namedWords}) n
        cross join unnest(tsvector_to_array(n.words)) w (word)) w
      where not exists (select from search_words s where s.word = w.word)
      having count(*) > 0`,
  },
  {
    table: 'open_imports',
    sql: `select format('id %s', id) as row, 'until' as column,
        format('it is %s, and imported picks wait until then; delete the row unless an import is running', until) as sentence
      from open_imports where until > clock_timestamp() + interval '${openImportSeconds} seconds' order by id`,
  },
];

/** Compares redundant data with its origin, and the positions of sequences with the highest ids. */
export async function* auditDerived(database: Database): AsyncGenerator<Difference> {
  for (const { table, sql } of derived) {
    const { rows }: { rows: { row: string; column: string | null; sentence: string }[] } =
      await database.raw(sql);
    for (const { row, column, sentence } of rows) yield new Difference(table, row, column, sentence);
  }
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
    if (at < highest)
      yield new Difference(
        table,
        `sequence ${name}`,
        null,
        `it is at ${at}, but ids go up to ${highest}; ${repair}`,
      );
    else if (at > last / 2)
      yield new Difference(
        table,
        `sequence ${name}`,
        null,
        `it is at ${at}, but ids end at ${last}; ${repair}`,
      );
  }
}

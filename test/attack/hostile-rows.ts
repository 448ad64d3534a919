import type { Login } from '../../migrations/rights.ts';
import type { Database } from '../../src/platform/database.ts';

/** A column that a login may fill or change, according to the catalog. */
interface WritableColumn {
  login: Login;
  table: string;
  column: string;
  /** The type under the domain. */
  type: string;
  insert: boolean;
  update: boolean;
}

/** A statement that stores a value that no honest process stores in the column. */
export interface HostileRow {
  login: Login;
  table: string;
  column: string;
  how: 'insert' | 'update';
  /** The number of the value in the column's list, and its text. */
  nth: number;
  value: string | null;
  statement: string;
  values: (string | null)[];
}

const beyond = String(2 ** 53);
const whole = ['0', '-1'];
const instants = [
  '9999-12-31 23:59:59.999Z',
  '0001-01-01 00:00:00Z',
  'infinity',
  '-infinity',
  '290000-01-01 00:00:00Z',
  '2020-01-01 00:00:00Z',
  '2030-01-01 00:00:00Z',
];
const nested = `${'['.repeat(2000)}${']'.repeat(2000)}`;

/** Values at and beyond the limits of a type. */
const hostile: Readonly<Record<string, readonly string[]>> = {
  smallint: ['32767', '-32768', ...whole],
  integer: ['2147483647', '-2147483648', ...whole],
  bigint: ['9007199254740991', beyond, '9223372036854775807', '-9223372036854775808', ...whole],
  'double precision': ['NaN', 'Infinity', '-Infinity', '1e308', '-1e308', '0'],
  numeric: ['NaN', 'Infinity', '-Infinity', '1e400'],
  boolean: ['true', 'false'],
  text: [
    // Every object has such a property.
    'constructor',
    '',
    '__proto__',
    `${'\u{1f3b2}'.repeat(20)}\u202e<script>`,
    '\u0001\u001f\u0085',
    'x'.repeat(1_000_000),
    "'; --",
    '\u0000',
    '\ud800',
  ],
  'timestamp with time zone': instants,
  date: ['9999-12-31', '0001-01-01', 'infinity', '-infinity', '5874897-12-31'],
  jsonb: [
    'null',
    '{}',
    '[null, 5, {"side": []}]',
    '"x"',
    '[]',
    nested,
    '{"__proto__": {"form": 1}, "form": 1, "incidents": [{}]}',
  ],
  uuid: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  bytea: ['\\x', '\\x00', `\\x${'ff'.repeat(32)}`, `\\x${'ff'.repeat(100_000)}`],
  'text[]': ['{}', '{NULL}', '{"constructor",""}', '{{a,b},{c,d}}'],
  'uuid[]': ['{}', '{NULL}', '{00000000-0000-0000-0000-000000000000}'],
};

/**
 * Every column that a login other than the owner may fill or change, including identity columns if the catalog lets a login choose them.
 */
async function writableColumns(owner: Database): Promise<WritableColumn[]> {
  const { rows } = await owner.raw(
    `select l.login, c.relname as table, a.attname as column,
       format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type, r.insert, r.update
     from login_roles l cross join pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     join pg_type t on t.oid = a.atttypid
     cross join lateral (select has_column_privilege(l.role::text, c.oid, a.attnum, 'insert') as insert,
       has_column_privilege(l.role::text, c.oid, a.attnum, 'update') as update) r
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and (r.insert or r.update)
     order by c.relname, l.login, a.attnum`,
  );
  return rows;
}

/** Statements that store each hostile value in each writable column of an otherwise ordinary row. Unique columns get new values. */
export async function hostileRows(owner: Database): Promise<HostileRow[]> {
  const rows: HostileRow[] = [];
  const columns = await writableColumns(owner);
  for (const own of Map.groupBy(columns, ({ table, login }) => `${table} ${login}`).values()) {
    const { table, login } = own[0]!;
    const insertable = own.filter(({ insert }) => insert).map(({ column }) => column);
    const keys = await keysOf(owner, table);
    for (const { column, type, insert, update } of own) {
      const values = [...(hostile[type] ?? unknownType(table, column, type)), null];
      for (const [nth, value] of values.entries()) {
        const named = { login, table, column, nth, value };
        if (insert) {
          const row = await rowLike(owner, table, insertable, rows.length, login);
          row.set(column, value);
          rows.push({ ...named, how: 'insert', ...insertOf(table, row) });
        }
        if (update) rows.push({ ...named, how: 'update', ...updateOf(table, column, value, nth, keys) });
      }
    }
  }
  return rows;
}

/** An honest row of each table for each login, to prove that attacks fail only because of their value. */
export async function plainRows(owner: Database): Promise<HostileRow[]> {
  const rows: HostileRow[] = [];
  const columns = (await writableColumns(owner)).filter(({ insert }) => insert);
  for (const own of Map.groupBy(columns, ({ table, login }) => `${table} ${login}`).values()) {
    const { table, login } = own[0]!;
    const row = await rowLike(
      owner,
      table,
      own.map(({ column }) => column),
      rows.length,
      login,
    );
    const named = { login, table, column: '', nth: 0, value: null, how: 'insert' as const };
    rows.push({ ...named, ...insertOf(table, row) });
  }
  return rows;
}

function unknownType(table: string, column: string, type: string): never {
  throw new Error(`${table}.${column} has type ${type}: add hostile values for it`);
}

function insertOf(table: string, row: ReadonlyMap<string, string | null>) {
  const names = [...row.keys()].map((name) => `"${name}"`).join(', ');
  const places = [...row.keys()].map((_, index) => `$${index + 1}`).join(', ');
  return {
    statement: `insert into ${table} (${names}) overriding system value values (${places})`,
    values: [...row.values()],
  };
}

/** Each value goes into a different row if there are several. */
function updateOf(table: string, column: string, value: string | null, nth: number, keys: readonly string[]) {
  const order = keys.length === 0 ? 'ctid' : keys.join(', ');
  const row = `select ctid, tableoid from ${table} order by ${order} offset ${nth} % greatest((select count(*) from ${table}), 1) limit 1`;
  return {
    statement: `update ${table} set "${column}" = $1 where (ctid, tableoid) in (${row})`,
    values: [value],
  };
}

async function keysOf(owner: Database, table: string): Promise<string[]> {
  return owner('pg_index as i')
    .joinRaw('join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)')
    .whereRaw('i.indisprimary and i.indrelid = ?::regclass', [table])
    .orderBy('a.attnum')
    .pluck('a.attname');
}

interface Described {
  column: string;
  type: string;
  identity: boolean;
  unique: boolean;
  nullable: boolean;
  /** The referenced table and column. */
  parent: string | null;
  parentColumn: string | null;
}

const described = new Map<string, Promise<Described[]>>();

function describe(owner: Database, table: string): Promise<Described[]> {
  let known = described.get(table);
  if (known === undefined) {
    known = owner
      .raw(
        `select a.attname as column, format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type,
           a.attidentity <> '' as identity, not a.attnotnull as nullable,
           exists (select from pg_index i cross join lateral (
             -- One column makes a row another one: a reference if there is one, else a number, else what comes first.
             select u.attnum from pg_attribute u
             where u.attrelid = i.indrelid and u.attnum = any(i.indkey)
             order by u.attidentity = '', not exists (select from pg_constraint f where f.contype = 'f' and f.conrelid = i.indrelid and f.conkey = array[u.attnum]),
               u.atttypid::regtype::text not in ('seq', 'integer', 'id', 'bigint'), u.atttypid::regtype::text <> 'instant_ms', u.attnum limit 1) one
             where i.indrelid = a.attrelid and i.indisunique and one.attnum = a.attnum) as unique,
           f.confrelid::regclass::text as parent,
           (select attname from pg_attribute where attrelid = f.confrelid and attnum = f.confkey[1]) as "parentColumn"
         from pg_attribute a join pg_type t on t.oid = a.atttypid
         left join pg_constraint f on f.contype = 'f' and f.conrelid = a.attrelid and f.conkey[1] = a.attnum and array_length(f.conkey, 1) = 1
         where a.attrelid = ?::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
        [table],
      )
      .then(({ rows }: { rows: Described[] }) => rows);
    described.set(table, known);
  }
  return known;
}

const waiting = `from unsealed_events u join picks p on p.id = u.subject_id join cappers c on c.id = p.capper_id
  where u.kind = 'posted' order by u.id desc limit 1`;

const ends = '(select max(seq) + 1 from ledger_entries)';

/** Values that a row needs beyond what the catalog says, by its table, or by login and table. */
const templates: Readonly<Record<string, { where?: string; values?: Readonly<Record<string, string>> }>> = {
  picks: {
    where: `provenance = 'live'`,
    values: {
      posted_at: `date_trunc('milliseconds', clock_timestamp())`,
      uuid: 'gen_random_uuid()',
      author_key: 'null',
      author_nonce: 'null',
      author_at: 'null',
      author_signature: 'null',
    },
  },
  // The web login stores only picks that their author signed.
  'web picks': {
    where: 'author_key is not null',
    values: {
      posted_at: `date_trunc('milliseconds', clock_timestamp())`,
      uuid: 'gen_random_uuid()',
      author_key: 't.author_key',
      author_at: `date_trunc('milliseconds', clock_timestamp())`,
      author_nonce: `'nonce-of-hostile-row-' || :nth`,
    },
  },
  capper_keys: {
    where: `action = 'add' and endorsed_by is null`,
    values: {
      key: `encode(sha256(convert_to('hostile ' || :nth, 'utf8')), 'base64')`,
      key_id: `encode(sha256(sha256(convert_to('hostile ' || :nth, 'utf8'))), 'hex')`,
      action: `'add'`,
      first: 'false',
    },
  },
  notices: { values: { at: `date_trunc('milliseconds', clock_timestamp())` } },
  claims: { values: { result: `'win'` } },
  waiting_imports: { values: { rows: `'[]'` } },
  cappers: { values: { handle: `'hostile-' || :nth` } },
  capper_profiles: {
    values: {
      key_id: `encode(sha256(''), 'hex')`,
      signature: `replace(encode(decode(repeat('ab', 64), 'hex'), 'base64'), e'\\n', '')`,
    },
  },
  // The entry of a pick that waits to be sealed.
  ledger_entries: {
    where: `kind = 'posted' and capper_seq > 1`,
    values: {
      seq: ends,
      kind: `'posted'`,
      pick_id: `(select p.id ${waiting})`,
      uuid: `(select p.uuid ${waiting})`,
      capper: `(select c.handle ${waiting})`,
      key_id: 'null',
      notice_id: 'null',
      move_id: 'null',
      capper_seq: `(select max(e.capper_seq) + 1 from ledger_entries e where e.capper = (select c.handle ${waiting}))`,
      capper_prev: `(select e.hash from ledger_entries e where e.capper = (select c.handle ${waiting}) and e.kind = 'posted'
        order by e.capper_seq desc limit 1)`,
    },
  },
  ledger_nodes: { values: { level: '8', index: '7' } },
  // A checkpoint over sealed entries that are not yet published.
  checkpoints: {
    values: {
      size: ends,
      root: `sha256('')`,
      note: `concat_ws(e'\\n', 'forged', ${ends}, encode(sha256(''), 'base64'), '')`,
      previous: '(select max(size) from checkpoints)',
    },
  },
  // The batch after the last one.
  price_batches: {
    values: {
      from_seq: '(select coalesce(max(to_seq), 0) + 1 from price_batches)',
      to_seq: '(select coalesce(max(to_seq), 0) + 1 from price_batches)',
      root: `sha256('')`,
      rows: `decode('4b0400', 'hex')`,
    },
  },
  reader_cursors: { values: { next_seq: '0' } },
  events_set_aside: { values: { kind: `'posted'` } },
  signing_keys: { values: { note: `'forged'` } },
  publisher_refusals: { values: { kind: `(array['refused', 'withheld', 'conflict'])[1 + :nth % 3]` } },
  follower_prices: { values: { odds_american: '-110', delay: '5' } },
  // Unique with its filter only on devices.
  webhook_subscriptions: { values: { filter_id: 't.filter_id' } },
  odds_api_calls: { values: { purpose: `'closing'` } },
  results: { values: { result: `'win'` } },
  source_events: { values: { missed: '0' } },
  source_scores: { values: { state: `'scheduled'` } },
  status_incidents: { values: { status: `'down'`, worst: `'down'`, check_name: `'check ' || :nth` } },
  webhook_attempts: { values: { event: `'ping'` } },
  // The event of the next entry.
  webhook_events: { values: { seq: ends, kind: `'posted'` } },
};

/** Returns a row like the table's latest, with new unique values. @param nth makes it differ from earlier ones */
async function rowLike(
  owner: Database,
  table: string,
  insertable: readonly string[],
  nth: number,
  login: Login,
): Promise<Map<string, string | null>> {
  const columns = (await describe(owner, table)).filter(
    ({ column, identity }) => insertable.includes(column) && !identity,
  );
  const { where = 'true', values = {} } = templates[`${login} ${table}`] ?? templates[table] ?? {};
  const list = columns.map(
    (each) =>
      `(${values[each.column]?.replaceAll(':nth', String(nth)) ?? sourceOf(table, each, nth)})::text as "${each.column}"`,
  );
  const { rows } = await owner.raw(
    `select ${list.join(', ')} from (select 1) one left join (
       select * from ${table} where ${where.replaceAll('?', '\\?')} order by ctid desc limit 1) t on true`,
  );
  return new Map(Object.entries(rows[0]));
}

function sourceOf(
  table: string,
  { column, type, unique, parent, parentColumn, nullable }: Described,
  nth: number,
): string {
  if (!unique)
    return nullable
      ? `t."${column}"`
      : `coalesce(t."${column}"::text, ${freshOf(type, column, table, parent, parentColumn, nth)}::text)`;
  return freshOf(type, column, table, parent, parentColumn, nth);
}

function freshOf(
  type: string,
  column: string,
  table: string,
  parent: string | null,
  parentColumn: string | null,
  nth: number,
): string {
  if (parent !== null)
    return `(select p."${parentColumn}" from ${parent} p where not exists (select from ${table} o where o."${column}" = p."${parentColumn}")
      order by 1 desc offset ${nth} % greatest((select count(*) from ${parent} p where not exists (select from ${table} o where o."${column}" = p."${parentColumn}")), 1) limit 1)`;
  switch (type) {
    case 'smallint':
    case 'integer':
    case 'bigint':
      return `(select coalesce(max("${column}"), 0) + 1 from ${table})`;
    case 'double precision':
      return '0';
    case 'uuid':
      return 'gen_random_uuid()';
    case 'timestamp with time zone':
      return `date_trunc('milliseconds', clock_timestamp() - interval '${nth} ms')`;
    case 'date':
      return `(select coalesce(max("${column}"), current_date) + 1 from ${table})`;
    case 'boolean':
      return 'false';
    case 'jsonb':
      return `'{}'`;
    case 'bytea':
      return `decode(md5('${nth}') || md5('x${nth}'), 'hex')`;
    case 'text[]':
    case 'uuid[]':
      return `'{}'`;
    default:
      return `'hostile-${nth}'`;
  }
}

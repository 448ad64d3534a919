import type { Login } from '../../migrations/rights.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import type { Database, Transaction } from '../../src/platform/database.ts';
import { projections } from '../../src/projections/expected.ts';
import { uncheckedSql } from '../support/unchecked.ts';
import type { Attack } from './attacker.ts';

interface Column {
  name: string;
  type: string;
}

/** Other values of a column, as SQL over the true value. */
export const others: Readonly<Record<string, readonly string[]>> = {
  int2: ['$ + 1', '$ - 1', '0', '-1', '32767'],
  int4: ['$ + 1', '$ - 1', '0', '-$', '1', '99999', '2147483647'],
  int8: ['$ + 1', '$ - 1', '0', '-$', '999999', '9007199254740991'],
  float8: ['coalesce($, 0) + 1', 'coalesce($, 2) / 2 + 0.125', '0', '99'],
  _int4: ['$ || 1', `'{}'`],
  timestamptz: [
    `$ + interval '1 ms'`,
    `$ - interval '1 ms'`,
    `$ - interval '1 hour'`,
    `$ + interval '1 hour'`,
    `$ - interval '40 days'`,
    `$ + interval '40 days'`,
    `timestamptz '1990-01-01 00:00Z'`,
    `timestamptz '2030-01-01 00:00Z'`,
    `timestamptz 'infinity'`,
  ],
  text: [
    `'win'`,
    `'loss'`,
    `'void'`,
    `'score'`,
    `'result'`,
    `'cancelled'`,
    `'postponed'`,
    `'elsewhere'`,
    `''`,
    `'live'`,
    `'imported'`,
    `'listed'`,
    `repeat('x', 400)`,
    `$ || 'x'`,
  ],
  bytea: [`'\\x00'::bytea`, `sha256($)`, `decode(repeat('00', 32), 'hex')`],
  uuid: ['gen_random_uuid()'],
  jsonb: [`'[]'::jsonb`, `'{}'::jsonb`, `$ || $`, `'[{"side":"home","odds_american":-110}]'::jsonb`],
  bool: ['not $'],
  date: ['$ + 1', '$ - 400', `date '2030-01-01'`],
};

/** Rows that the service is about to write, as literals of their columns. Nothing is stored. */
async function nextRows(
  owner: Database,
  table: string,
  columns: readonly Column[],
  work: (transaction: Transaction) => Promise<unknown>,
): Promise<Record<string, string>[]> {
  const transaction = await owner.transaction();
  try {
    await transaction.raw(`create temp table before on commit drop as select t::text as row from ${table} t`);
    await work(transaction);
    const shown = columns.map(
      ({ name, type }) => `quote_nullable(t."${name}"::text) || '::${type}' as "${name}"`,
    );
    const { rows } = await transaction.raw(
      `select ${shown.join(', ')} from ${table} t where t::text not in (select row from before) order by 1`,
    );
    return rows;
  } finally {
    await transaction.rollback();
  }
}

export async function columnsOf(owner: Database): Promise<Map<string, Column[]>> {
  const { rows } = await owner.raw(
    `select c.table_name as table, json_agg(json_build_object('name', column_name, 'type', udt_name) order by ordinal_position) as columns
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and is_generated = 'NEVER' and table_type = 'BASE TABLE' and table_name !~ '^knex_'
     group by 1 order by 1`,
  );
  return new Map(rows.map(({ table, columns }: { table: string; columns: Column[] }) => [table, columns]));
}

/** The tables, their logins, and the functions that create true rows. */
const sources: readonly { table: string; login: Login; work(transaction: Transaction): Promise<unknown> }[] =
  [
    { table: 'closings', login: 'grading', work: (transaction) => gradeDue(transaction, Date.now()) },
    { table: 'settlements', login: 'grading', work: (transaction) => gradeDue(transaction, Date.now()) },
    { table: 'ledger_entries', login: 'sealing', work: (transaction) => sealAll(transaction) },
    { table: 'ledger_nodes', login: 'sealing', work: (transaction) => sealAll(transaction) },
  ];

/** Columns that the database itself fills. */
const filled = ['last_line_id'];

/**
 * True rows with one false field each. The process that inserts such rows tries them, and so does the owner with every check disabled,
 * whose rows the service then seals.
 * @param rowsOf the number of true rows of each table to forge from
 */
export async function* forgedRows(owner: Database, rowsOf: number): AsyncGenerator<Attack> {
  const all = await columnsOf(owner);
  for (const { table, login, work } of sources) {
    const columns = all.get(table)!;
    const rows = await nextRows(owner, table, columns, work);
    // A settlement follows its closing, which grading stores in the same transaction.
    const closings =
      table === 'settlements' ? await nextRows(owner, 'closings', all.get('closings')!, work) : [];
    for (const row of rows.filter(
      (_, index) => index % Math.max(1, Math.floor(rows.length / rowsOf)) === 0,
    )) {
      for (const { name, type } of columns) {
        if (filled.includes(name)) continue;
        const truth = row[name]!;
        for (const other of [...(others[type] ?? []), 'null']) {
          const forged = other.replaceAll('$', `(${truth})`);
          if (forged === truth || (truth.startsWith('NULL') && other.includes('$'))) continue;
          const values = columns.map((column) =>
            column.name === name ? `(${forged})::${type}` : row[column.name]!,
          );
          // The same value written differently is no forgery.
          const guard = `where (${forged})::${type} is distinct from ${truth}`;
          const insert = `insert into ${table} (${columns.map((column) => `"${column.name}"`).join(', ')}) overriding system value select ${values.join(', ')} ${guard}`;
          const kind = `forged ${table}.${name}`;
          const closing = closings.find(({ pick_id }) => pick_id === row.pick_id);
          const before =
            closing === undefined
              ? []
              : [
                  `insert into closings (${Object.keys(closing).join(', ')}) values (${Object.values(closing).join(', ')})`,
                ];
          const isEvent = table === 'closings' || table === 'settlements';
          yield {
            kind,
            login,
            statements: [...before, insert],
            ...(isEvent && { afterwards: (transaction: Transaction) => sealAll(transaction) }),
          };
          if (isEvent)
            yield {
              kind: `${kind}, checks off, then sealed`,
              login: 'owner',
              statements: [...before, ...checksOff(table), insert],
              covered: true,
              afterwards: (transaction) => sealAll(transaction),
            };
        }
      }
    }
  }
}

/** Keeps the triggers that pass events on: without them a row is not in the log at all. */
function checksOff(table: string): string[] {
  return [
    `do $$ declare t record; begin
       for t in select tgname from pg_trigger where tgrelid = '${table}'::regclass and not tgisinternal
         and tgname not in ('picks_posted', 'picks_closed', 'picks_settled') loop
         execute format('alter table ${table} disable trigger %I', t.tgname);
       end loop;
     end $$`,
    uncheckedSql(table),
  ];
}

const ofPick: Readonly<Record<string, readonly string[]>> = {
  tier: [`'elite'`, `'nobody'`],
  // Neighboring cappers of the season have different tiers.
  capper_id: ['$ + 1', '0', '-1', '2147483647'],
  provenance: [`'Live'`, `''`, `'operator'`],
};

/** The operator decides whose pick it is and which tier the capper has. An owner who changes that says so in the signed log. */
const byOperator = ['capper_id', 'tier'];

/** Live picks with one impossible field, by the logins that post and by the owner. */
export function* forgedPicks(columns: readonly Column[]): Generator<Attack> {
  const truth: Record<string, string> = {
    uuid: 'gen_random_uuid()',
    posted_at: `date_trunc('milliseconds', clock_timestamp())`,
  };
  const checked = ['posted_at', 'starts_at', 'tier', 'capper_id', 'provenance', 'game_id'];
  for (const login of ['operator', 'ingest', 'owner'] as const)
    for (const { name, type } of columns) {
      if (name === 'id' || !checked.includes(name)) continue;
      const values = ofPick[name] ?? others[type] ?? [];
      for (const other of [...values, 'null']) {
        const cells = columns
          .filter((column) => column.name !== 'id')
          .map((column) => {
            const value = truth[column.name] ?? `p."${column.name}"`;
            return column.name === name ? `(${other.replaceAll('$', `(${value})`)})::${type}` : value;
          });
        const names = columns.filter((column) => column.name !== 'id').map((column) => `"${column.name}"`);
        const insert = `insert into picks (${names.join(', ')}) select ${cells.join(', ')} from picks p
          where p.provenance = 'live' and (${other.replaceAll('$', `p."${name}"`)})::${type} is distinct from p."${name}" order by id desc limit 1`;
        const tolerated = name === 'posted_at' && other.includes('1 ms');
        yield {
          kind: `forged picks.${name}`,
          login,
          statements: [insert],
          ...(tolerated && {
            remains: {
              result: 'inherent',
              sentence: 'The time of a live pick may be wrong by up to a minute.',
            },
          }),
        };
        if (login === 'owner' && !tolerated && !byOperator.includes(name))
          yield {
            kind: `forged picks.${name}, checks off, then sealed`,
            login,
            statements: [...checksOff('picks'), insert],
            covered: true,
            afterwards: (transaction) => sealAll(transaction),
          };
      }
    }
}

/** Changed, removed, and added rows of the projections, by the login that fills them, and moved cursors. */
export function* forgedProjections(columns: ReadonlyMap<string, readonly Column[]>): Generator<Attack> {
  const login = 'boards';
  for (const { table, keys } of projections) {
    const order = keys.join(', ');
    for (const { name, type } of columns.get(table)!)
      for (const other of [...(others[type] ?? []), 'null']) {
        const value = `(${other.replaceAll('$', `"${name}"`)})::${type}`;
        for (const nth of [0, 3])
          yield {
            kind: `forged ${table}.${name}`,
            login,
            statements: [
              `update ${table} set "${name}" = ${value} where ctid =
                 (select ctid from ${table} where ${value} is distinct from "${name}" order by ${order} offset ${nth} limit 1)`,
            ],
          };
      }
    yield { kind: `removed from ${table}`, login, statements: [`delete from ${table}`] };
    yield {
      kind: `removed from ${table}`,
      login,
      statements: [`delete from ${table} where ctid = (select max(ctid) from ${table})`],
    };
    const [key] = keys;
    const names = columns.get(table)!.map(({ name }) => name);
    const copy = names.map((name) =>
      name === key ? `-"${name}"` : name === 'uuid' ? 'gen_random_uuid()' : `"${name}"`,
    );
    yield {
      kind: `added to ${table}`,
      login,
      statements: [
        `insert into ${table} (${names.join(', ')}) select ${copy.join(', ')} from ${table} limit 1`,
      ],
    };
  }
  for (const set of ['next_seq + 1', 'next_seq + 1000', 'next_seq / 10', '0'])
    for (const reader of ['boards', 'checkpoints', 'webhooks'])
      yield {
        kind: 'moved reader_cursors',
        login,
        statements: [
          `update reader_cursors set next_seq = ${set} where reader = '${reader}' and next_seq > 0`,
        ],
      };
  const choices = [
    [`current_date - 3`, 'max(pick_id)', 'clock_timestamp()'],
    [`current_date - 3`, 'max(pick_id)', `date_trunc('day', clock_timestamp()) - interval '60 hours'`],
    [`date '2030-01-01'`, 'max(pick_id)', `timestamptz '2030-01-01 15:00Z'`],
    [`(clock_timestamp() at time zone 'America/New_York')::date`, 'min(pick_id)', 'clock_timestamp()'],
    [`(clock_timestamp() at time zone 'America/New_York')::date`, '0', 'clock_timestamp()'],
  ];
  for (const [day, pick, at] of choices)
    yield {
      kind: 'forged picks_of_the_day',
      login,
      statements: [
        `insert into picks_of_the_day (day, pick_id, chosen_at) select ${day}, ${pick}, ${at} from board_picks`,
      ],
    };
}

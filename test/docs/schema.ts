import { tables } from '../../migrations/rights.ts';
import type { Database } from '../../src/platform/database.ts';
import { tableRights } from '../../src/platform/rights.ts';
import { code, table } from './tables.ts';

interface Table {
  name: string;
  comment: string | null;
  partitions: number;
  columns: { name: string; type: string; rule: string; comment: string | null }[];
  constraints: string[];
  indexes: string[];
  triggers: { name: string; does: string; calls: string }[];
}

interface Function {
  signature: string;
  comment: string | null;
}

/** Partitions, and the tables of the migrations themselves, are left out. */
const ours = `n.nspname = 'public' and not c.relispartition and c.relname !~ '^knex_'`;

async function readTables(database: Database): Promise<Table[]> {
  const { rows } = await database.raw(`
    select c.relname as name, obj_description(c.oid, 'pg_class') as comment,
      (select count(*)::int from pg_inherits i where i.inhparent = c.oid) as partitions,
      (select coalesce(json_agg(json_build_object(
          'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
          'rule', concat_ws(', ', case when a.attnotnull then 'not null' end,
            case when a.attidentity <> '' then 'identity' else 'default ' || pg_get_expr(d.adbin, d.adrelid) end),
          'comment', col_description(c.oid, a.attnum)) order by a.attnum), '[]')
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select coalesce(json_agg(pg_get_constraintdef(k.oid, true) order by strpos('pufc', k.contype), pg_get_constraintdef(k.oid, true)), '[]')
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c')) as constraints,
      (select coalesce(json_agg(i.indexdef order by i.indexname), '[]')
        from pg_indexes i where i.schemaname = 'public' and i.tablename = c.relname
          and not exists (select from pg_constraint k where k.conrelid = c.oid and k.conname = i.indexname)) as indexes,
      (select coalesce(json_agg(json_build_object('name', t.tgname, 'does', pg_get_triggerdef(t.oid),
          'calls', t.tgfoid::regprocedure::text) order by t.tgname), '[]')
        from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${ours} and c.relkind in ('r', 'p') order by c.relname`);
  return rows;
}

async function readFunctions(database: Database): Promise<Function[]> {
  const { rows } = await database.raw(`
    select p.oid::regprocedure::text as signature, obj_description(p.oid, 'pg_proc') as comment
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public'
      and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
    order by 1`);
  return rows;
}

/** What has no comment, and should have one. */
export async function uncommented(database: Database): Promise<string[]> {
  const [tables, functions] = await Promise.all([readTables(database), readFunctions(database)]);
  return [
    ...tables.filter(({ comment }) => comment === null).map(({ name }) => `table ${name}`),
    ...functions.filter(({ comment }) => comment === null).map(({ signature }) => `function ${signature}`),
  ];
}

/** `docs/schema.md`, from a migrated database. */
export async function schemaDocument(database: Database): Promise<string> {
  const [tables, functions] = await Promise.all([readTables(database), readFunctions(database)]);
  const does = new Map(functions.map(({ signature, comment }) => [signature, comment ?? '']));
  return `# The database

Made from the migrated database by \`npm run docs\`; a test keeps it true. Which table is filled by whom is in
[ARCHITECTURE.md](../ARCHITECTURE.md). \`_e3\` is in thousandths of a point, \`_e4\` in ten-thousandths of a unit, \`_bps\` in basis
points. Rights are those of the processes, each of which has a login of its own, and of the auditor (\`migrations/rights.ts\`); migrations run
under the owner.

${tables.map((each) => section(each, does)).join('\n\n')}

## Functions

${table(
  ['function', 'what it keeps'],
  functions.map(({ signature, comment }) => [code(signature), comment ?? '']),
)}
`;
}

function section(
  { name, comment, partitions, columns, constraints, indexes, triggers }: Table,
  does: ReadonlyMap<string, string>,
): string {
  const withComments = columns.some((column) => column.comment !== null);
  return [
    `## ${name}`,
    `${comment ?? ''}${partitions === 0 ? '' : ` ${partitions} partitions.`}`,
    table(
      ['column', 'type', '', ...(withComments ? ['what it is'] : [])],
      columns.map((column) => [
        code(column.name),
        column.type,
        column.rule,
        ...(withComments ? [column.comment ?? ''] : []),
      ]),
    ),
    list('Keys and checks', constraints.map(code)),
    list(
      'Indexes',
      indexes.map((index) => code(shortIndex(index))),
    ),
    list(
      'Triggers',
      triggers.map((trigger) => `${code(shortTrigger(trigger.does))}: ${does.get(trigger.calls) ?? ''}`),
    ),
    rightsOf(name),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function rightsOf(name: string): string {
  const rights = Object.entries(tableRights(tables[name] ?? {})).filter(([, right]) => right !== '');
  return `Rights: ${rights.map(([login, right]) => `${login}: ${right}`).join('; ')}.`;
}

/** Without what the heading says: `CREATE TRIGGER a AFTER INSERT ON b ... EXECUTE FUNCTION f()` is `a AFTER INSERT`. */
function shortTrigger(definition: string): string {
  const [, name = definition, events = ''] = /^CREATE TRIGGER (\S+) (.+?) ON /.exec(definition) ?? [];
  return `${name} ${events}`.trim();
}

/** `CREATE UNIQUE INDEX a ON public.b USING btree (c)` is `unique (c)`. */
function shortIndex(definition: string): string {
  const [, unique, method, columns] = /^CREATE (UNIQUE )?INDEX .+? USING (\S+) (.+)$/.exec(definition) ?? [];
  return `${unique === undefined ? '' : 'unique '}${method === 'btree' ? '' : `${method} `}${columns}`;
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}:\n\n${items.map((item) => `- ${item}`).join('\n')}`;
}

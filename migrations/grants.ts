import type { Database } from '../src/platform/database.ts';
import { functions, type Login, logins, type Rights, sequences, tables } from './rights.ts';

/** A right on one object or column. */
export interface Grant {
  /** The object as GRANT names it, such as `table public.picks`. */
  on: string;
  column: string | null;
  /** The role; null means PUBLIC. */
  role: string | null;
  /** In lower case. */
  right: string;
}

/** How the rights in a database differ from those declared in `migrations/rights.ts`. */
export interface RightsDifference {
  missing: Grant[];
  undeclared: Grant[];
}

/** Compares the rights in the database with the declared ones. */
export async function compareRights(database: Database): Promise<RightsDifference> {
  const { rows: names }: { rows: { login: Login; role: string; database: string }[] } = await database.raw(
    'select login, role::text as role, quote_ident(current_database()) as database from login_roles',
  );
  const roles = new Map(names.map(({ login, role }) => [login, role]));
  const { rows: identities }: { rows: { table: string; columns: string[] }[] } =
    await database.raw(identityTables);
  const chosen = new Map(identities.map(({ table, columns }) => [table, columns]));
  const declared = new Map<string, Grant>();
  for (const grant of declaredGrants(roles, names[0]?.database ?? '', chosen))
    declared.set(keyOf(grant), grant);
  const { rows: actual }: { rows: Grant[] } = await database.raw(actualGrants);
  const undeclared = actual.filter((grant) => !declared.delete(keyOf(grant)));
  return { missing: [...declared.values()], undeclared };
}

/** Returns a statement that grants a right. */
export function grantSql({ on, column, role, right }: Grant): string {
  return `grant ${right}${inColumn(column)} on ${on} to ${quoted(role)}`;
}

export function revokeSql({ on, column, role, right }: Grant): string {
  return `revoke ${right}${inColumn(column)} on ${on} from ${quoted(role)}`;
}

/** Splits `select, update (a, b)` into rights, each on one column or on all. */
export function rightsOf(text: string): Pick<Grant, 'right' | 'column'>[] {
  return [...text.matchAll(/([a-z]+)(?:\s*\(([^)]*)\))?/g)].flatMap(([, right = '', columns]) =>
    (columns?.split(',') ?? [null]).map((column) => ({ right, column: column?.trim() ?? null })),
  );
}

/** Returns the rights on a table, including the auditor's default. */
export function tableRights(rights: Rights): Rights {
  return { auditor: 'select', ...rights };
}

/**
 * Returns all declared grants.
 * @param identities by table with an identity column, its other columns. INSERT is granted only on these, so that only the database assigns
 * ids, unless a login has a right on the sequence
 */
function declaredGrants(
  roles: ReadonlyMap<Login, string>,
  database: string,
  identities: ReadonlyMap<string, readonly string[]>,
): Grant[] {
  const on = (what: string, rights: Rights, table?: string) =>
    logins.flatMap((login) => {
      const role = roles.get(login);
      if (role === undefined) return [];
      const numbers = sequences[`${table}_id_seq`]?.[login] !== undefined;
      const columns = table === undefined || numbers ? undefined : identities.get(table);
      return rightsOf(rights[login] ?? '').flatMap(({ right, column }) =>
        right === 'insert' && column === null && columns !== undefined
          ? columns.map((each) => ({ on: what, role, right, column: each }))
          : { on: what, role, right, column },
      );
    });
  const everyone = (right: string) => Object.fromEntries(logins.map((login) => [login, right]));
  return [
    ...on(`database ${database}`, everyone('connect')),
    ...on('schema public', everyone('usage')),
    ...Object.entries(tables).flatMap(([name, rights]) =>
      on(`table public.${name}`, tableRights(rights), name),
    ),
    ...Object.entries(sequences).flatMap(([name, rights]) => on(`sequence public.${name}`, rights)),
    ...Object.entries(functions).flatMap(([name, rights]) => on(`function public.${name}`, rights)),
  ];
}

function keyOf({ on, column, role, right }: Grant): string {
  return JSON.stringify([on, column, role, right]);
}

function inColumn(column: string | null): string {
  return column === null ? '' : ` (${quoted(column)})`;
}

/** Quotes an identifier for SQL; null means PUBLIC. */
function quoted(name: string | null): string {
  return name === null ? 'public' : `"${name.replaceAll('"', '""')}"`;
}

/** Tables with an identity column, and their other columns. */
const identityTables = `
  select c.relname as table, array_agg(a.attname::text order by a.attnum) filter (where a.attidentity = '') as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  group by c.relname having bool_or(a.attidentity <> '')`;

/**
 * Reads all rights of roles other than the owner: on the database, on the schema public, and on every table, sequence, and function of the
 * service's owner in any schema. Ignores objects of other owners and of extensions.
 */
const actualGrants = `
  with ours as (select relowner as id from pg_class where oid = to_regclass('public.login_roles')),
  acl as (
    select 'database ' || quote_ident(datname) as on, null::name as column, datdba as owner, a.*
    from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) a where datname = current_database()
    union all
    select 'schema public', null, nspowner, a.*
    from pg_namespace, aclexplode(coalesce(nspacl, acldefault('n', nspowner))) a where nspname = 'public'
    union all
    select format('%s %I.%I', case c.relkind when 'S' then 'sequence' else 'table' end, n.nspname, c.relname), null, c.relowner, a.*
    from ours join pg_class c on c.relowner = ours.id join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) a
    where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select format('table %I.%I', n.nspname, c.relname), t.attname, c.relowner, a.*
    from ours join pg_class c on c.relowner = ours.id join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute t on t.attrelid = c.oid and not t.attisdropped, aclexplode(t.attacl) a
    union all
    select format('function %I.%I(%s)', n.nspname, p.proname,
        (select coalesce(string_agg(format_type(t.type, null), ', ' order by t.at), '') from unnest(p.proargtypes) with ordinality t (type, at))),
      null, p.proowner, a.*
    from ours join pg_proc p on p.proowner = ours.id join pg_namespace n on n.oid = p.pronamespace,
      aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    where n.nspname not in ('pg_catalog', 'information_schema')
      and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
  )
  select acl.on, acl.column, case when grantee <> 0 then pg_get_userbyid(grantee)::text end as role, lower(privilege_type) as right
  from acl where grantee <> owner and acl.on !~ '^(table|sequence) (pg_catalog|information_schema|pg_toast)\\.'`;

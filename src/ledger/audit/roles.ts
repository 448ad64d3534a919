import { compareRights } from '../../../migrations/grants.ts';
import type { Database } from '../../platform/database.ts';
import { Difference } from '../difference.ts';

/** Compares rights with `migrations/rights.ts`, and finds roles that could get more than they have. */
export async function* auditRights(database: Database): AsyncGenerator<Difference> {
  const { missing, undeclared } = await compareRights(database);
  for (const { on, column, role, right } of undeclared)
    yield differs(on, `${role ?? 'PUBLIC'} has ${right}${of(column)}, which is not declared`);
  for (const { on, column, role, right } of missing)
    yield differs(on, `${role ?? 'PUBLIC'} has no ${right}${of(column)}, which is declared`);
  const { rows }: { rows: { role: string; fault: string }[] } = await database.raw(powers);
  for (const { role, fault } of rows) yield differs(`role ${role}`, fault);
}

const differs = (row: string, sentence: string) => new Difference('rights', row, null, sentence);
const of = (column: string | null) => (column === null ? '' : ` of column ${column}`);

/** What a login must not be, and who but the owner and superusers could act as the owner or leave triggers out. */
const powers = `
  with logins as (select r.* from pg_roles r join login_roles l on l.role = r.rolname),
  owner as (select relowner as id from pg_class where oid = 'public.login_roles'::regclass)
  select rolname as role, 'it is more than a login: superuser, or one that makes roles, databases or replicas' as fault
  from logins where rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls
  union all
  select l.rolname, 'it is a member of ' || pg_get_userbyid(m.roleid) from logins l join pg_auth_members m on m.member = l.oid
  union all
  select pg_get_userbyid(m.member), 'it is a member of the owner, ' || pg_get_userbyid(m.roleid)
  from pg_auth_members m join owner o on o.id = m.roleid join pg_roles r on r.oid = m.member where not r.rolsuper
  union all
  select coalesce(nullif(pg_get_userbyid(a.grantee), ''), 'PUBLIC'), 'it may set the parameter ' || p.parname
  from pg_parameter_acl p, aclexplode(p.paracl) a join pg_roles r on r.oid = a.grantee
  where not r.rolsuper and p.parname in ('session_replication_role', 'search_path')
  union all
  select coalesce(nullif(pg_get_userbyid(s.setrole), ''), 'of every login'), 'its sessions are set to ' || c
  from pg_db_role_setting s, unnest(s.setconfig) c
  where (s.setrole = 0 or s.setrole in (select oid from logins)) and c ~ '^(session_replication_role|role|local_preload_libraries)='
  order by 1, 2`;

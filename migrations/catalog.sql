-- Everything in the catalog of this database and its server that decides what can be stored, and by whom: one name and one definition per
-- object. The owner of the tables is called owner, and each login by its process, so that the lines do not depend on role names. Every role
-- may run this query. Built-in objects of PostgreSQL have an oid below 16384.
with
owner as (select relowner as id from pg_class where oid = 'public.login_roles'::regclass),
people as (
  select r.*, l.login is not null as is_login, r.oid = o.id as is_owner,
    case when r.oid = o.id then 'owner' else coalesce(l.login, quote_ident(r.rolname)) end as called
  from pg_roles r cross join owner o left join public.login_roles l on l.role = r.rolname
),
spaces as (
  select n.*, case nspname when 'public' then '' else quote_ident(nspname) || '.' end as prefix
  from pg_namespace n where nspname !~ '^pg_(toast|temp_)'
),
-- Objects of extensions. Each extension is a single line.
extended as (select classid, objid from pg_depend where deptype = 'e'),
relations as (
  select c.*, n.prefix || quote_ident(c.relname) as name from pg_class c join spaces n on n.oid = c.relnamespace
  where not exists (select from extended e where e.classid = 'pg_class'::regclass and e.objid = c.oid)
),
own_relations as (select * from relations where oid >= 16384),
functions as (
  select p.*, format('%s%I(%s)', n.prefix, p.proname, (
    select string_agg(format_type(t.type, null), ', ' order by t.at) from unnest(p.proargtypes) with ordinality t (type, at))) as name
  from pg_proc p join spaces n on n.oid = p.pronamespace
  where not exists (select from extended e where e.classid = 'pg_proc'::regclass and e.objid = p.oid)
),
-- Grantable objects and their initial rights, which initdb and extensions record in pg_init_privs.
granted as (
  select 'database' as name, d.datdba as owner, coalesce(d.datacl, acldefault('d', d.datdba)) as acl, null::aclitem[] as first
  from pg_database d where d.datname = current_database()
  union all
  select 'schema ' || quote_ident(n.nspname), n.nspowner, coalesce(n.nspacl, acldefault('n', n.nspowner)), i.initprivs
  from spaces n left join pg_init_privs i on i.objoid = n.oid and i.classoid = 'pg_namespace'::regclass and i.objsubid = 0 and n.nspname <> 'public'
  union all
  select case c.relkind when 'S' then 'sequence ' else 'table ' end || c.name, c.relowner, c.relacl, i.initprivs
  from (select c.oid, c.relkind, c.relowner, c.relacl, n.prefix || quote_ident(c.relname) as name
    from pg_class c join spaces n on n.oid = c.relnamespace) c
  left join pg_init_privs i on i.objoid = c.oid and i.classoid = 'pg_class'::regclass and i.objsubid = 0
  where c.relacl is not null
  union all
  select format('column %s.%I', n.prefix || quote_ident(c.relname), a.attname), c.relowner, a.attacl, i.initprivs
  from pg_attribute a join pg_class c on c.oid = a.attrelid join spaces n on n.oid = c.relnamespace
  left join pg_init_privs i on i.objoid = c.oid and i.classoid = 'pg_class'::regclass and i.objsubid = a.attnum
  where a.attacl is not null and not a.attisdropped
  union all
  select 'function ' || f.name, f.proowner, coalesce(f.proacl, acldefault('f', f.proowner)),
    case when f.oid < 16384 then coalesce(i.initprivs, acldefault('f', f.proowner)) end
  from functions f left join pg_init_privs i on i.objoid = f.oid and i.classoid = 'pg_proc'::regclass
  where f.proacl is not null or f.oid >= 16384
  union all
  select 'type ' || format_type(t.oid, null), t.typowner, t.typacl, acldefault('T', t.typowner) from pg_type t where t.typacl is not null
  union all
  select 'language ' || quote_ident(l.lanname), l.lanowner, l.lanacl, coalesce(i.initprivs, acldefault('l', l.lanowner))
  from pg_language l left join pg_init_privs i on i.objoid = l.oid and i.classoid = 'pg_language'::regclass where l.lanacl is not null
  union all
  select 'tablespace ' || quote_ident(t.spcname), t.spcowner, t.spcacl, null from pg_tablespace t where t.spcacl is not null
  union all
  select 'foreign server ' || quote_ident(s.srvname), s.srvowner, s.srvacl, null from pg_foreign_server s where s.srvacl is not null
  union all
  select 'parameter ' || p.parname, 10, p.paracl, null from pg_parameter_acl p
),
rights as (
  select g.name, a.grantee, string_agg(lower(a.privilege_type) || case when a.is_grantable then ' with grant option' else '' end, ', '
    order by a.privilege_type) as rights
  from granted g cross join aclexplode(g.acl) a
  where a.grantee <> g.owner and not exists (
    select from aclexplode(g.first) f where (f.grantee, f.privilege_type) = (a.grantee, a.privilege_type) and f.is_grantable >= a.is_grantable)
  group by 1, 2
),
lines as (
  select 'schema ' || quote_ident(n.nspname) as name, '' as definition, n.nspowner as owned_by
  from spaces n where n.oid >= 16384 and not exists (select from extended e where e.classid = 'pg_namespace'::regclass and e.objid = n.oid)
  union all
  select case o.relkind when 'v' then 'view ' when 'm' then 'materialized view ' when 'f' then 'foreign table ' when 'c' then 'composite type '
      else 'table ' end || o.name,
    concat_ws(' ', case when o.relkind in ('v', 'm') then pg_get_viewdef(o.oid) end, case o.relpersistence when 'u' then 'unlogged' end,
      case when o.relkind = 'p' then 'partitioned by ' || pg_get_partkeydef(o.oid) end,
      (select case when o.relispartition then 'partition' else 'child' end || ' of ' || i.inhparent::regclass from pg_inherits i where i.inhrelid = o.oid),
      pg_get_expr(o.relpartbound, o.oid), 'with (' || array_to_string(o.reloptions, ', ') || ')',
      case when o.relrowsecurity or o.relforcerowsecurity then 'row level security' end),
    o.relowner
  from own_relations o where o.relkind in ('r', 'p', 'v', 'm', 'f', 'c')
  union all
  select format('column %s.%I', o.name, a.attname),
    concat_ws(' ', format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
      case when a.attidentity = 'a' then 'generated always as identity' when a.attidentity = 'd' then 'generated by default as identity'
        when a.attgenerated <> '' then format('generated always as (%s)', pg_get_expr(d.adbin, d.adrelid))
        else 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
      case when a.attnotnull then 'not null' end),
    null
  from own_relations o join pg_attribute a on a.attrelid = o.oid join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where o.relkind in ('r', 'p', 'f', 'c') and a.attnum > 0 and not a.attisdropped
  union all
  -- PostgreSQL 18 also lists NOT NULL here, which the column already shows.
  select format('constraint %s.%I', coalesce(o.name, n.prefix || quote_ident(t.typname)), k.conname),
    pg_get_constraintdef(k.oid, true)
      || case when exists (select from pg_trigger t where t.tgconstraint = k.oid and t.tgenabled <> 'O') then ' not enforced' else '' end,
    null
  from pg_constraint k left join own_relations o on o.oid = k.conrelid left join (pg_type t join spaces n on n.oid = t.typnamespace) on t.oid = k.contypid
  where k.oid >= 16384 and k.contype in ('p', 'u', 'f', 'c', 'x', 't') and (o.oid is not null or t.oid is not null)
  union all
  select format('index %I of %s', c.relname, o.name), pg_get_indexdef(i.indexrelid) || case when i.indisvalid and i.indisready and i.indislive then '' else ' not valid' end, null
  from pg_index i join own_relations o on o.oid = i.indrelid join pg_class c on c.oid = i.indexrelid
  union all
  select format('sequence %s', o.name),
    concat_ws(' ', s.seqtypid::regtype, 'start', s.seqstart, 'increment', s.seqincrement, 'minvalue', s.seqmin, 'maxvalue', s.seqmax, 'cache', s.seqcache,
      case when s.seqcycle then 'cycle' end,
      (select format('owned by %s.%I', d.refobjid::regclass, a.attname) from pg_depend d join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
        where d.classid = 'pg_class'::regclass and d.objid = o.oid and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i'))),
    o.relowner
  from own_relations o join pg_sequence s on s.seqrelid = o.oid
  union all
  select format('trigger %I of %s', t.tgname, coalesce(o.name, t.tgrelid::regclass::text)),
    pg_get_triggerdef(t.oid, true) || case t.tgenabled when 'A' then '' when 'D' then ' disabled' when 'R' then ' enabled for replicas only' else ' not always enabled' end,
    null
  from pg_trigger t left join relations o on o.oid = t.tgrelid where not t.tgisinternal
  union all
  select format('rule %I of %s', r.rulename, o.name), pg_get_ruledef(r.oid), null
  from pg_rewrite r join relations o on o.oid = r.ev_class where r.oid >= 16384 and (r.rulename <> '_RETURN' or o.relkind not in ('v', 'm'))
  union all
  select format('policy %I of %s', p.polname, p.polrelid::regclass), concat_ws(' ', p.polcmd, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)), null
  from pg_policy p
  union all
  select case f.prokind when 'a' then 'aggregate ' else 'function ' end || f.name, case when f.prokind <> 'a' then pg_get_functiondef(f.oid) else '' end, f.proowner
  from functions f where f.oid >= 16384
  union all
  select 'type ' || format_type(t.oid, null),
    case t.typtype when 'd' then concat_ws(' ', format_type(t.typbasetype, t.typtypmod), 'default ' || t.typdefault, case when t.typnotnull then 'not null' end) else t.typtype::text end,
    t.typowner
  from pg_type t join spaces n on n.oid = t.typnamespace
  where t.oid >= 16384 and t.typrelid = 0 and t.typcategory <> 'A'
    and not exists (select from extended e where e.classid = 'pg_type'::regclass and e.objid = t.oid)
  union all
  -- The service creates no objects of these kinds.
  select i.type || ' ' || i.identity, '', null
  from (
    select 'pg_operator'::regclass as class, oid from pg_operator
    union all select 'pg_cast'::regclass, oid from pg_cast
    union all select 'pg_opclass'::regclass, oid from pg_opclass
    union all select 'pg_opfamily'::regclass, oid from pg_opfamily
    union all select 'pg_amop'::regclass, oid from pg_amop where amopfamily not in (select objid from extended)
    union all select 'pg_amproc'::regclass, oid from pg_amproc where amprocfamily not in (select objid from extended)
    union all select 'pg_collation'::regclass, oid from pg_collation
    union all select 'pg_conversion'::regclass, oid from pg_conversion
    union all select 'pg_ts_config'::regclass, oid from pg_ts_config
    union all select 'pg_ts_dict'::regclass, oid from pg_ts_dict
    union all select 'pg_ts_parser'::regclass, oid from pg_ts_parser
    union all select 'pg_ts_template'::regclass, oid from pg_ts_template
    union all select 'pg_language'::regclass, oid from pg_language
    union all select 'pg_transform'::regclass, oid from pg_transform
    union all select 'pg_am'::regclass, oid from pg_am
    union all select 'pg_foreign_data_wrapper'::regclass, oid from pg_foreign_data_wrapper
    union all select 'pg_foreign_server'::regclass, oid from pg_foreign_server
    union all select 'pg_event_trigger'::regclass, oid from pg_event_trigger
    union all select 'pg_publication'::regclass, oid from pg_publication
  ) o cross join pg_identify_object(o.class, o.oid, 0) i
  where o.oid >= 16384 and not exists (select from extended e where e.classid = o.class and e.objid = o.oid)
  union all
  select 'subscription ' || quote_ident(s.subname), '', s.subowner from pg_subscription s join pg_database d on d.oid = s.subdbid where d.datname = current_database()
  union all
  select 'extension ' || quote_ident(e.extname), 'in ' || n.nspname, null from pg_extension e join pg_namespace n on n.oid = e.extnamespace
  union all
  select format('rights of %s on %s', coalesce(p.called, 'everyone'), r.name), r.rights, null
  from rights r left join people p on p.oid = r.grantee where r.grantee = 0 or not p.rolsuper or p.is_login
  union all
  select format('default privileges of %s for %s in %s', p.called, d.defaclobjtype, coalesce(n.nspname, 'every schema')), d.defaclacl::text, null
  from pg_default_acl d join people p on p.oid = d.defaclrole left join pg_namespace n on n.oid = d.defaclnamespace
  union all
  -- The role that initdb created, with oid 10, owns the cluster.
  select 'role ' || p.called,
    concat_ws(' ', case when p.rolsuper then 'superuser' end, case when p.rolbypassrls then 'bypassrls' end,
      case when p.is_login and not p.rolcanlogin then 'nologin' end, case when p.is_login and p.rolcreatedb then 'createdb' end,
      case when p.is_login and p.rolreplication then 'replication' end,
      -- Before PostgreSQL 16, CREATEROLE controls every role that is not a superuser.
      case when p.rolcreaterole and (p.is_login or not p.is_owner and current_setting('server_version_num')::int < 160000) then 'createrole' end),
    null
  from people p
  where p.is_login or p.oid <> 10 and not p.is_owner and (p.rolsuper or p.rolbypassrls or p.rolcreaterole and current_setting('server_version_num')::int < 160000)
  union all
  select format('member %s of %s', m.called, r.called), '', null
  from pg_auth_members a join people m on m.oid = a.member join people r on r.oid = a.roleid
  where m.is_login or m.oid >= 16384 and not m.rolsuper and (
    r.is_owner or r.is_login and not m.is_owner
    or r.rolname in ('pg_read_all_data', 'pg_write_all_data', 'pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))
  group by 1
  union all
  select format('setting %s of %s%s', split_part(c.setting, '=', 1), coalesce(p.called, 'every role'), case when s.setdatabase <> 0 then ' in this database' else '' end),
    substr(c.setting, strpos(c.setting, '=') + 1), null
  from pg_db_role_setting s cross join unnest(s.setconfig) c (setting) left join people p on p.oid = s.setrole
  where s.setdatabase in (0, (select oid from pg_database where datname = current_database())) and (s.setrole = 0 or p.is_login or p.is_owner)
  union all
  select 'row ' || key || ' of sports', concat_ws(' ', label, 'moneyline', moneyline_ways, 'minutes', event_minutes), null from public.sports
  union all
  select format('row %s of %s', name, source), '', null from (
    select name, 'sealing_locks' from public.sealing_locks union all select name, 'source_locks' from public.source_locks
    union all select name, 'webhook_locks' from public.webhook_locks union all select name, 'price_locks' from public.price_locks union all select login, 'login_roles' from public.login_roles
    union all select reader, 'reader_cursors' from public.reader_cursors where reader = 'webhooks') r (name, source)
  union all
  select 'row ' || name || ' of knex_migrations', '', null from public.knex_migrations
  union all
  -- Settings that weaken the durability of commits, or the checks of triggers and pages.
  select 'server setting ' || name, setting, null from pg_settings
  where (name, setting) in (('fsync', 'off'), ('full_page_writes', 'off'), ('synchronous_commit', 'off'), ('session_replication_role', 'replica'),
    ('session_replication_role', 'local'), ('ignore_checksum_failure', 'on'), ('zero_damaged_pages', 'on'), ('allow_system_table_mods', 'on'))
  union all
  select 'system functions', md5(string_agg(concat_ws('|', p.proname, p.proargtypes::text, p.proowner, p.prolang, p.prokind, p.prosecdef, p.proleakproof,
      p.proisstrict, p.proretset, p.provolatile, p.prorettype, p.prosrc, p.probin, p.proconfig, pg_get_function_sqlbody(p.oid)), E'\n'
    order by p.proname collate "C", p.proargtypes::text collate "C")), null
  from functions p where p.oid < 16384 and p.pronamespace = 'pg_catalog'::regnamespace
  union all
  -- The views that this query reads.
  select 'system views', md5(string_agg(c.relname || regexp_replace(pg_get_viewdef(c.oid), '\s+', ' ', 'g'), E'\n' order by c.relname collate "C")), null
  from pg_class c where c.oid in ('pg_catalog.pg_roles'::regclass, 'pg_catalog.pg_settings'::regclass)
)
select l.name, btrim(regexp_replace(l.definition || case when l.owned_by is null or p.is_owner then '' else ' owned by ' || p.called end, '\s+', ' ', 'g')) as definition
from (select name, coalesce(definition, '') as definition, owned_by from lines) l left join people p on p.oid = l.owned_by
order by l.name collate "C"

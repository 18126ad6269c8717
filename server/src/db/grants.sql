-- What other accounts than the owner of the tables may do, by the roles that they are members of. Run by whatever migrates, each time;
-- where the roles are missing, nothing is granted, and the owner's account alone works. How to make the roles: deploy/postgres/database.sql.
--
--   candela_app     the servers and the operator's command line: reads everything and writes all but the ledger, to which it posts by
--                   functions. Triggers that keep tables append-only are the owner's, so it cannot switch them off.
--   candela_reader  analysts: reads everything that is no secret.
do $$
declare
  v_schema constant name := current_schema();
  v_table record;
  v_function regprocedure;
begin
  if exists (select from pg_roles where rolname = 'candela_app') then
    execute format('grant usage on schema %I to candela_app', v_schema);
    -- For the queue of periodic tasks, which makes a schema of its own.
    execute format('grant create, temporary on database %I to candela_app', current_database());
    -- It may make schemas, so nobody looks into one that is called like an account first: the owner's functions would be found there, and
    -- those that a superuser calls. An account that does not own the database cannot say so.
    if pg_has_role((select datdba from pg_database where datname = current_database()), 'usage') then
      execute format('alter database %I set search_path = %I, pg_temp', current_database(), v_schema);
    end if;
    execute format('grant usage, select on all sequences in schema %I to candela_app', v_schema);
    for v_table in
      select c.oid::regclass as name, c.relname in ('ledger_posting', 'ledger_entry', 'ledger_account', 'ledger_delta',
        'ledger_partition', 'chain_uncredited', 'schema_migration', 'installation') or c.relkind = 'v' as is_read_only
      from pg_class c
      where c.relnamespace = v_schema::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
    loop
      execute format('grant %s on %s to candela_app',
        case when v_table.is_read_only then 'select' else 'select, insert, update, delete' end, v_table.name);
    end loop;
    for v_function in
      select p.oid from pg_proc p where p.pronamespace = v_schema::regnamespace and p.prosecdef
    loop
      execute format('grant execute on function %s to candela_app', v_function);
    end loop;
  end if;
  if exists (select from pg_roles where rolname = 'candela_reader') then
    execute format('grant usage on schema %I to candela_reader', v_schema);
    for v_table in
      select c.oid::regclass as name
      from pg_class c
      where c.relnamespace = v_schema::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition
        and c.relname not in ('session', 'login_key', 'proof_key')
    loop
      execute format('grant select on %s to candela_reader', v_table.name);
    end loop;
  end if;
end $$;

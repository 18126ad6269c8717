-- previous version: works
-- What the functions do no longer depends on the settings of the session, or of whoever runs the database.

-- These two are put into the statements that call them, which a setting would prevent: parsed now, they depend on no search path either.
create or replace function ledger_kind_code(kind text) returns integer language sql immutable strict parallel safe
  return ('x' || left(md5(kind), 8))::bit(32)::integer;

create or replace function performance_bucket(amount numeric) returns integer language sql immutable strict parallel safe
  return case when amount <= 0 then 0
    else 1000 * length(div(amount, 1000000000000)::text)
      + rpad(left(div(amount, 1000000000000)::text, 3), 3, '0')::integer end;

do $$
declare
  v_function record;
begin
  for v_function in
    select p.oid::regprocedure as name, array_to_string(p.proconfig, ' ') like '%enable\_%' as has_few_plans
    from pg_proc p
    where p.pronamespace = current_schema()::regnamespace and p.prosqlbody is null
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter function %s set search_path = %I, pg_temp', v_function.name, current_schema());
    -- A method of the planner that is switched off and is used all the same has a cost of 10^10 before Postgres 18: without this, code is
    -- compiled for each page of entries, which costs a hundred times what reading it does.
    if v_function.has_few_plans then
      execute format('alter function %s set jit = off', v_function.name);
    end if;
  end loop;
end $$;

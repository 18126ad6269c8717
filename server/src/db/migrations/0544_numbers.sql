-- previous version: works
-- An amount is a number. 'NaN' is one of the type's values, is greater than every number, and passed each check that something is not
-- below zero. A check on each column, and no domain: that would write every table anew, and make each view anew that shows a column.

do $$
declare
  v_column record;
begin
  for v_column in
    select c.oid::regclass as in_table, a.attname as name,
      c.relname in ('ledger_entry', 'ledger_account') as is_large
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.atttypid = 'numeric'::regtype
    order by 1, a.attnum
  loop
    -- A large table is not read while everybody waits: what is there was posted by functions that have only had numbers.
    execute format('alter table %s add constraint %I check (%I <> ''NaN'')%s', v_column.in_table,
      v_column.name || '_is_a_number', v_column.name, case when v_column.is_large then ' not valid' else '' end);
  end loop;
end $$;

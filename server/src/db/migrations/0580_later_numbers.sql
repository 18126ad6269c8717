-- previous version: works
-- The same as 0544 for columns that were added beside it.

do $$
declare
  v_column record;
begin
  for v_column in
    select c.oid::regclass as in_table, a.attname as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped and a.atttypid = 'numeric'::regtype
      and not exists (select from pg_constraint k where k.conrelid = c.oid and k.conname = a.attname || '_is_a_number')
  loop
    execute format('alter table %s add constraint %I check (%I <> ''NaN'')', v_column.in_table,
      v_column.name || '_is_a_number', v_column.name);
  end loop;
end $$;

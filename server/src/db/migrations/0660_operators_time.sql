-- previous version: works
-- An operator's act has the time of the database. Only the database of a development chain says that its time is moved.
alter table installation add column clock_moves boolean not null default false;
comment on column installation.clock_moves is 'Of a development chain: operators'' acts have the time that npm start moves. The servers'' account cannot change it.';

do $$
begin
  if exists (select from pg_roles where rolname = 'candela_app') then
    revoke insert, update, delete on installation from candela_app;
  end if;
end $$;

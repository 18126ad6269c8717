-- previous version: works
-- What leveraged loans owe on each collateral was summed up over all of them for every home screen and every quote. Kept as the changes of
-- it, as the number of members is: triggers write them, so that no way of changing a debt leaves them out, whichever version does it.

create table lever_total (
  id               bigint primary key generated always as identity,
  collateral_asset text not null check (collateral_asset in ('JU', 'HASH')),
  change           numeric(78, 0) not null constraint lever_total_change_is_a_number check (change <> 'NaN')
);
comment on table lever_total is 'Changes of the principal that leveraged loans owe on each collateral; their sum by asset is what is owed. USDT base units.';
comment on column lever_total.id is 'Ours, without a meaning.';
comment on column lever_total.collateral_asset is 'Code of the asset that secures the loans.';
comment on column lever_total.change is 'What was lent; negative for what was paid back or written off. Sums of these once they were added up.';

create function sum_lever() returns trigger language plpgsql as
$$
begin
  insert into lever_total (collateral_asset, change)
  select collateral_asset, coalesce(new.principal, 0) - coalesce(old.principal, 0)
  from loan where id = coalesce(new.loan_id, old.loan_id);
  return null;
end
$$;
do $$
begin
  execute format('alter function sum_lever() set search_path = %I, pg_temp', current_schema());
end $$;
-- The interest of a day, which writes every debt, does not name the principal.
create trigger sums_lent after insert on loan_debt
  for each row when (new.project_id is null and new.principal > 0) execute function sum_lever();
create trigger sums_changed after update of principal on loan_debt
  for each row when (new.project_id is null and new.principal <> old.principal) execute function sum_lever();
create trigger sums_removed after delete on loan_debt
  for each row when (old.project_id is null and old.principal > 0) execute function sum_lever();

insert into lever_total (collateral_asset, change)
select l.collateral_asset, sum(d.principal) from loan l join loan_debt d on d.loan_id = l.id
where l.kind = 'lever' and l.closed_at is null group by l.collateral_asset;

-- The sum alone used it; loan_watch begins with the same column.
drop index loan_lever_open;

-- Units set aside for unpaid orders as a running total of their plan: summing the orders under the plan's lock took longer with each of them.
alter table power_plan add column units_reserved bigint not null default 0;
comment on column power_plan.units_reserved is 'Set aside for unpaid orders: the units of those with is_reserved.';
update power_plan p set units_reserved = sums.units
from (select plan_id, sum(units) as units from power_order where is_reserved group by plan_id) sums
where sums.plan_id = p.id;
alter table power_plan add constraint power_plan_units_reserved
  check (units_reserved >= 0 and units_left + units_reserved <= total_units);
drop index power_order_reserved;

-- Units set aside for unpaid orders are bounded for each plan; an order beyond the bound is made without any.
alter type power_order_state add value 'soldOut';

alter table power_order add column is_reserved boolean not null default false;
comment on column power_order.is_reserved is 'Whether units of the plan are set aside for it: while it waits for its payment, if they were when it was made.';
update power_order set is_reserved = true where state = 'pending';
alter table power_order add constraint power_order_reserved_while_pending check (state = 'pending' or not is_reserved);
create index power_order_reserved on power_order (plan_id) include (units) where is_reserved;

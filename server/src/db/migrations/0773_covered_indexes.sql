-- previous version: works
-- What these find, another index finds as well: chain_event_reference begins with the action, power_order_member_state with the member and
-- the state. Each payment and each order was written to them too.
drop index chain_event_paid;
drop index chain_event_revenue;
drop index power_order_active;

-- A list of one state reads the orders of this state and no others.
create index power_order_member_state on power_order (member_id, state, id desc);
-- Which orders a payment may still come for; a member makes few of them in the time that they are watched.
create index power_order_watched on power_order (member_id, watch_until) where chain_event_id is null;

-- What earned on a day: orders that ended long before it are not looked at.
drop index power_order_earning;
create index power_order_earning on power_order (member_id, ends_on) include (plan_id, units, starts_on)
  where starts_on is not null;

-- The devices that are signed in, however often the member has signed out.
drop index session_member;
create index session_live on session (member_id, expires_at) where ended_at is null;

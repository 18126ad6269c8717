-- Counts that everybody may ask for, kept as their changes: writing one locks nothing that another waits for, the total is
-- the sum of the rows, and a worker puts the rows together now and then. Triggers write them, so that no way of making a
-- member or changing its power leaves them out.

create table member_count (change bigint not null);
comment on table member_count is 'Changes of the number of members; their sum is the number.';

create table member_referrals (
  inviter_id bigint primary key references member (id) on delete cascade,
  referrals  bigint not null
);
comment on table member_referrals is 'How many each member has invited directly.';

create function count_members() returns trigger language plpgsql as
$$
begin
  if tg_op = 'INSERT' then
    insert into member_count (change) select count(*) from changed having count(*) > 0;
    insert into member_referrals as r (inviter_id, referrals)
    select inviter_id, count(*) from changed where inviter_id is not null group by inviter_id order by inviter_id
    on conflict (inviter_id) do update set referrals = r.referrals + excluded.referrals;
  else
    insert into member_count (change) select -count(*) from changed having count(*) > 0;
    update member_referrals r set referrals = r.referrals - gone.referrals
    from (select inviter_id, count(*) as referrals from changed group by inviter_id) gone
    where r.inviter_id = gone.inviter_id;
  end if;
  return null;
end
$$;
create trigger counts_added after insert on member
  referencing new table as changed for each statement execute function count_members();
create trigger counts_removed after delete on member
  referencing old table as changed for each statement execute function count_members();

create table power_total (change bigint not null);
comment on table power_total is 'Changes of the active power of all members, in whole units; their sum is the power.';

create function sum_power() returns trigger language plpgsql as
$$
begin
  if tg_op = 'INSERT' then
    insert into power_total (change) select sum(active_units) from added having sum(active_units) <> 0;
  elsif tg_op = 'DELETE' then
    insert into power_total (change) select -sum(active_units) from removed having sum(active_units) <> 0;
  else
    insert into power_total (change)
    select sum(units) from (select active_units as units from added union all select -active_units from removed) both_ways
    having sum(units) <> 0;
  end if;
  return null;
end
$$;
create trigger sums_added after insert on member_power
  referencing new table as added for each statement execute function sum_power();
create trigger sums_changed after update on member_power
  referencing new table as added old table as removed for each statement execute function sum_power();
create trigger sums_removed after delete on member_power
  referencing old table as removed for each statement execute function sum_power();

insert into member_count select count(*) from member;
insert into member_referrals select inviter_id, count(*) from member where inviter_id is not null group by inviter_id;
insert into power_total select coalesce(sum(active_units), 0) from member_power;

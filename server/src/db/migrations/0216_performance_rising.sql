-- What a fold has not passed up yet: it climbs so many members in one transaction, and the next one goes on from here.
create table performance_rising (
  member_id bigint primary key references member (id),
  amount    numeric(78, 0) not null check (amount > 0),
  largest   numeric(78, 0) not null check (largest > 0)
);
comment on table performance_rising is 'What a member''s team has gained, while neither its figures nor those above have it. USDT base units.';
comment on column performance_rising.largest is 'The largest branch that it came from, the gain included.';

-- Members are told of a deficit after it, in batches, because a fund may have many.
create table fund_deficit_notice (
  price_id  bigint primary key references fund_price (id),
  told_to   bigint not null,
  told_at   timestamptz
);
comment on table fund_deficit_notice is 'How far the members of the fund have been told of a deficit.';
comment on column fund_deficit_notice.told_to is 'Members up to this one have been told.';
comment on column fund_deficit_notice.told_at is 'When all had been told. Null while some have not.';
create index fund_price_deficit on fund_price (id) where reason = 'deficit';

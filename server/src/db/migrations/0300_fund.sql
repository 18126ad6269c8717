-- The money fund. Its money, its claims and the shares are accounts of the ledger; here is how its price came about.

-- One row, locked by whatever changes the number of shares or lowers the price, so that no two do it at the same time.
create table fund (
  only_row boolean primary key default true check (only_row)
);
insert into fund default values;

create table fund_price (
  id            bigint primary key generated always as identity,
  reason        text not null check (reason in ('close', 'deficit')),
  -- The day that was closed; null for a deficit.
  day           date,
  loan_no       text,
  at            timestamptz not null,
  -- The fund before and after. Shares do not change by it.
  assets_before numeric(78, 0) not null check (assets_before >= 0),
  assets_after  numeric(78, 0) not null check (assets_after >= 0),
  shares        numeric(78, 0) not null check (shares >= 0),
  -- A place among the ledger's postings, drawn under the lock of the fund: entries of shares with a lower number were there
  -- before the change.
  place         bigint not null unique,
  -- What the reserve had.
  reserve       numeric(78, 0) not null check (reserve >= 0),
  check ((reason = 'close') = (day is not null)),
  check ((reason = 'deficit') = (loan_no is not null)),
  check (reason = 'deficit' or assets_after >= assets_before)
);
create unique index fund_price_day on fund_price (day) where day is not null;

-- What a member paid into the fund and took out of it, for ever.
create table fund_member (
  member_id bigint primary key references member (id),
  paid_in   numeric(78, 0) not null check (paid_in >= 0),
  paid_out  numeric(78, 0) not null check (paid_out >= 0)
);

create trigger append_only before update or delete or truncate on fund_price
  for each statement execute function ledger_is_append_only();

comment on table fund is 'One row that changes of the money fund lock.';
comment on column fund.only_row is 'Always true: there is one row.';
comment on table fund_price is 'Every change of the share price of the money fund. Amounts in USDT base units.';
comment on column fund_price.reason is 'close: interest of a day. deficit: a loss that the reserve could not pay.';
comment on column fund_price.day is 'UTC day that was closed.';
comment on column fund_price.place is 'Place among the postings of the ledger: shares with lower numbers were there before.';
comment on column fund_price.reserve is 'What the reserve had.';
comment on table fund_member is 'What members paid into the fund and took out of it, for ever. USDT base units.';

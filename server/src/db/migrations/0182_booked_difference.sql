-- Differences between books and chain that an operator has explained and booked, and to whom booked surplus was given.

create table booked_difference (
  reconciliation_id bigint not null references reconciliation (id),
  asset             text   not null,
  amount            numeric(100, 0) not null,
  note              text   not null,
  booked_at         timestamptz not null,
  primary key (reconciliation_id, asset)
);

create table surplus_assignment (
  tx_hash     text   not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  asset       text   not null,
  target      text   not null check (target ~ '^[a-z]+$'),
  member_id   bigint references member (id),
  amount      numeric(78, 0) not null check (amount > 0),
  note        text   not null,
  assigned_at timestamptz not null,
  check ((target = 'member') = (member_id is not null)),
  unique nulls not distinct (tx_hash, asset, target, member_id)
);

alter table reconciliation_line add column tolerated numeric(100, 0) not null default 0;

comment on table booked_difference is 'Differences of comparisons that were taken into the books.';
comment on column booked_difference.amount is 'Found minus expected, in base units. Zero: a tolerated surplus that is gone was explained.';
comment on table surplus_assignment is 'Booked surplus that was given to its owner, or to the desk.';
comment on column surplus_assignment.tx_hash is 'The transaction that brought the money, which no event of the contract tells of.';
comment on column surplus_assignment.amount is 'In base units.';
comment on column reconciliation_line.tolerated is
  'Surplus that earlier comparisons have shown and nobody has booked, in base units: less than this is a loss.';

create trigger append_only before update or delete or truncate on booked_difference
  for each statement execute function withdrawal_history_is_append_only();
create trigger append_only before update or delete or truncate on surplus_assignment
  for each statement execute function withdrawal_history_is_append_only();

-- What was booked before this table existed: the posting's id is a name-based UUID of the comparison and the asset.
insert into booked_difference (reconciliation_id, asset, amount, note, booked_at)
select l.reconciliation_id, l.asset, l.found - l.expected, p.memo->>'note', p.occurred_at
from (
  select *, substring(sha256(convert_to('reconciliation:' || reconciliation_id || ':' || asset, 'UTF8')) for 16) as h
  from reconciliation_line where found <> expected
) l
join ledger_posting p
  on p.id = encode(set_byte(set_byte(h, 6, (get_byte(h, 6) & 15) | 128), 8, (get_byte(h, 8) & 63) | 128), 'hex')::uuid
where p.kind = 'reconciliation';

-- Several servers may work on one database. What must be done by one of them alone is done by the holder of a lease.

create table lease (
  name       text primary key,
  holder     text not null,
  number     bigint not null check (number > 0),
  expires_at timestamptz not null
);
comment on table lease is 'Who does what only one server may do. The holder prolongs it; once it has expired, another may take it.';
comment on column lease.holder is 'Host and process, for people. The number decides.';
comment on column lease.number is 'One more at each taking: what was begun under a lower number is refused.';
comment on column lease.expires_at is 'By the clock of the database, and of no server.';

-- A transaction that calls this after it has locked the table in row share mode keeps the lease where it is until it ends:
-- who takes the lease locks the table in exclusive mode.
create function lease_expect(p_name text, p_number bigint) returns void language plpgsql as
$$
begin
  if not exists (select from lease where name = p_name and number = p_number) then
    raise exception 'the lease "%" is no longer number %: another server has taken it', p_name, p_number
      using errcode = 'CL001';
  end if;
end
$$;

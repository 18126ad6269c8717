-- What members are told. What the ledger tells already (deposits, transfers received, income) is gathered from it when
-- its owner looks, so that a day's close or a transfer writes nothing for readers who may never come.

create table notice (
  id        bigint      primary key generated always as identity,
  member_id bigint      not null references member (id) on delete cascade,
  kind      text        not null,
  params    jsonb       not null,
  -- What it tells of: told once to each member, however often it is written.
  source    text        not null,
  at        timestamptz not null,
  read_at   timestamptz,
  unique (member_id, source)
);
create index notice_member on notice (member_id, at desc, id desc);
create index notice_unread on notice (member_id) where read_at is null;

-- How far the entries of a ledger account are gathered. Entries of one account are recorded in the order of their
-- postings, so none can appear below this later.
create table notice_gathered (
  account bigint primary key,
  posting bigint not null
);

-- A sign-in is one call of the database, and stays one: the notice of a new device is written by it. The first sign-in
-- of all is no news to anybody.
create function tell_new_device() returns trigger language plpgsql as
$$
begin
  insert into notice (member_id, kind, params, source, at)
  select new.member_id, 'newDevice', jsonb_build_object('userAgent', new.user_agent), 'session:' || new.id, new.created_at
  from member where id = new.member_id and joined_at <> new.created_at
  on conflict do nothing;
  return null;
end
$$;
create trigger tells_new_device after insert on session
  for each row execute function tell_new_device();

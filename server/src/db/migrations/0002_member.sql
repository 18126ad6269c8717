-- Members, their sessions, invitation codes, settings and the operator's audit trail.

-- UIDs are short numbers that people read out to each other; they start at five digits.
create sequence member_uid_seq as bigint start with 10001 no cycle;

create table member (
  id          bigint primary key generated always as identity,
  uid         bigint not null unique default nextval('member_uid_seq'),
  address     text   not null unique check (address ~ '^0x[0-9a-f]{40}$'),
  -- The member whose code was used; null below a root code.
  inviter_id  bigint references member (id),
  -- The invitation code that this member shows to others.
  invitation_code text not null unique check (invitation_code ~ '^[A-Z0-9]{4,16}$'),
  ju_uid      bigint unique check (ju_uid > 0),
  joined_at   timestamptz not null,
  check (inviter_id <> id)
);
create index member_inviter on member (inviter_id, id desc);

-- Codes that the operator hands out; a member's own code is on its row.
create table root_invitation (
  code       text primary key check (code ~ '^[A-Z0-9]{4,16}$'),
  note       text not null default '',
  created_at timestamptz not null,
  closed_at  timestamptz
);

create table login_message (
  nonce      text primary key,
  -- Null when the message was asked for without an address.
  address    text check (address ~ '^0x[0-9a-f]{40}$'),
  message    text not null,
  issued_at  timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index login_message_expiry on login_message (expires_at);

create table session (
  -- SHA-256 of the token: a copy of this table signs nobody in.
  token_hash bytea primary key,
  id         uuid not null unique,
  member_id  bigint not null references member (id),
  created_at timestamptz not null,
  seen_at    timestamptz not null,
  expires_at timestamptz not null,
  ended_at   timestamptz,
  user_agent text not null default ''
);
create index session_member on session (member_id, expires_at);

-- The first answer for each client-made request id, written in the transaction that did the work.
create table request_log (
  member_id  bigint not null references member (id),
  request_id text   not null,
  endpoint   text   not null,
  input_hash bytea  not null,
  result     jsonb  not null,
  created_at timestamptz not null,
  primary key (member_id, request_id)
);

create table setting (
  key        text primary key,
  value      jsonb not null,
  updated_at timestamptz not null
);

-- Each operator command is a row; rows are never changed.
create table operator_audit (
  id       bigint primary key generated always as identity,
  operator text  not null,
  command  text  not null,
  input    jsonb not null,
  at       timestamptz not null
);
create function operator_audit_is_append_only() returns trigger language plpgsql as
$$ begin raise exception 'operator_audit is append-only'; end $$;
create trigger operator_audit_append_only before update or delete or truncate on operator_audit
  for each statement execute function operator_audit_is_append_only();

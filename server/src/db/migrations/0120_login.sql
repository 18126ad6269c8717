-- Login messages prove by themselves that they are ours, so asking for one writes nothing; and a login is one call.

-- What the proofs are made with. It signs nobody in: a login needs the wallet's signature beside it.
create table login_key (
  single bool  primary key default true check (single),
  key    bytea not null check (length(key) = 32)
);
insert into login_key (key)
values (sha256(decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')));

drop table login_message;

-- Nonces that signed somebody in, kept until their message would have expired anyway.
create table used_nonce (
  nonce      text primary key,
  expires_at timestamptz not null
);
create index used_nonce_expiry on used_nonce (expires_at);

create type login_outcome as enum ('done', 'used', 'unknown', 'full');

-- Uses a nonce up and opens a session, or changes nothing and says why: 'used' (the nonce), 'unknown' (nobody has this
-- address), 'full' (the account has its devices). Statements of their own, because each has to see what another login
-- of the same member has committed while this one waited for the lock.
create function log_in(
  p_address text, p_nonce text, p_nonce_expiry timestamptz, p_replace bool, p_limit bigint,
  p_token_hash bytea, p_session uuid, p_now timestamptz, p_expiry timestamptz, p_user_agent text
) returns login_outcome language plpgsql as
$$
declare
  v_member bigint;
  v_limit  bigint;
  v_full   bool;
begin
  -- The member's row serialises its logins: two at once must not both find the last place free.
  select id into v_member from member where address = p_address for no key update;
  if exists (select from used_nonce where nonce = p_nonce) then return 'used'; end if;
  if v_member is null then return 'unknown'; end if;
  v_limit := coalesce((select value::bigint from setting where key = 'deviceLimit'), p_limit);
  v_full := (
    select count(*) from session where member_id = v_member and ended_at is null and expires_at > p_now
  ) >= v_limit;
  if v_full and not p_replace then return 'full'; end if;
  -- A message for any address may be used by two members at once, whose locks are not the same.
  insert into used_nonce values (p_nonce, p_nonce_expiry) on conflict do nothing;
  if not found then return 'used'; end if;
  if v_full then
    update session set ended_at = p_now where member_id = v_member and ended_at is null and expires_at > p_now;
  end if;
  insert into session (token_hash, id, member_id, created_at, seen_at, expires_at, user_agent)
  values (p_token_hash, p_session, v_member, p_now, p_now, p_expiry, p_user_agent);
  return 'done';
end
$$;

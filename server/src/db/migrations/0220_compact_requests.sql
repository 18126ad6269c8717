-- A request id and what it was used for are kept for ever, so they are kept as 128 bits each; results are swept.

alter table request_log add column request_key uuid, add column input_key uuid;
update request_log set
  request_key = left(encode(sha256(convert_to(request_id, 'UTF8')), 'hex'), 32)::uuid,
  input_key =
    left(encode(sha256(convert_to(endpoint || ' ' || encode(input_hash, 'hex'), 'UTF8')), 'hex'), 32)::uuid;
alter table request_log
  drop constraint request_log_pkey,
  drop column request_id,
  drop column endpoint,
  drop column input_hash,
  alter column request_key set not null,
  alter column input_key set not null,
  alter column result drop not null,
  add primary key (member_id, request_key);
-- What is still to be swept.
create index request_log_results on request_log (created_at) where result is not null;

comment on table request_log is 'Which request ids of a member were used, for what, and the first answer of each.';
comment on column request_log.request_key is 'First 128 bits of the SHA-256 of the request id.';
comment on column request_log.input_key is 'The same of the endpoint and of what it was asked to do.';
comment on column request_log.result is 'The first answer; null after it was swept, or while the work is under way.';

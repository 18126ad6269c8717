-- previous version: works

-- A request id counts for 30 days by the time in it, so every row is swept after that, the oldest first. Its column never changes, so
-- storing a result changes no index.
create index request_log_created on request_log (created_at);
drop index request_log_results;
-- How many ids a member has given up lately.
create index request_log_given_up on request_log (member_id, created_at)
  where input_key = '00000000-0000-0000-0000-000000000000';

comment on table request_log is
  'Which request ids of a member were used or given up in the last 30 days, for what, and the first answer of each.';
comment on column request_log.input_key is
  'First 128 bits of the SHA-256 of the endpoint and of what it was asked to do; zero when the request was given up.';
comment on column request_log.result is 'The first answer; null while the work is under way.';

-- previous version: works
-- What waits for a day keeps the contract's cap for itself. Where somebody took such a withdrawal back, it keeps half of what comes back.
create index withdrawal_late_taken_back on withdrawal (asset, taken_back_at)
  where taken_back_at - created_at >= interval '24 hours';

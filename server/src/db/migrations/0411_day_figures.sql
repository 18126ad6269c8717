-- What happened on a UTC day, which anybody may ask for. Blocks come in the order of their times, so a small index is enough.
create index chain_event_day on chain_event using brin (block_at);
create index exchange_day on exchange (created_at);
create index fund_price_at on fund_price (at);

-- Once, on the primary: psql -v candela_password=… -f database.sql
-- The server's account owns this database alone and is nothing else. Its limits stand here because PgBouncer does not pass
-- on what a client asks for when it connects.
create role candela login password :'candela_password';
alter role candela set statement_timeout = '30s';
alter role candela set idle_in_transaction_session_timeout = '60s';
create database candela owner candela;
revoke connect on database candela from public;

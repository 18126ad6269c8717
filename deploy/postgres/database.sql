-- Once, on the primary: psql -v candela_owner_password=… -v candela_password=… -f database.sql
-- Three accounts, so that whoever has that of a server cannot change what was written:
--   candela_owner   owns the tables. Only `npm run migrate` uses it (DATABASE_OWNER_URL), and no server has its password.
--   candela         all servers and the operator's command line: may what the role candela_app may.
--   an analyst's    made when needed: create role … login password … in role candela_reader; best on a standby.
-- What each role may do stands in server/src/db/grants.sql, which each migration runs.
create role candela_app nologin;
create role candela_reader nologin;
create role candela_owner login password :'candela_owner_password';
create role candela login password :'candela_password' in role candela_app;
-- Limits of the servers' account stand here because PgBouncer does not pass on what a client asks for when it connects.
alter role candela set statement_timeout = '30s';
alter role candela set idle_in_transaction_session_timeout = '60s';
-- Compiling a short statement costs more than it does.
alter role candela set jit = off;
-- Analysts' reads end, so that they keep neither vacuum nor a standby waiting.
alter role candela_reader set statement_timeout = '10min';
create database candela owner candela_owner;
revoke connect on database candela from public;
grant connect on database candela to candela_app, candela_reader;

-- An operator's act has the time of the database. Only the database of a development chain says that its time is moved.
alter table installation add column clock_moves boolean not null default false;
comment on column installation.clock_moves is 'Of a development chain: operators'' acts have the time that npm start moves. The servers'' account cannot change it.';

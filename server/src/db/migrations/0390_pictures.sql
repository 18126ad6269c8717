-- A picture of a plan or a project, which the operator sets and browsers load from where it is.

alter table power_plan add column picture_url text check (picture_url ~ '^https://' and length(picture_url) <= 500);
alter table project add column picture_url text check (picture_url ~ '^https://' and length(picture_url) <= 500);

comment on column power_plan.picture_url is 'Where browsers load its picture from; null for none.';
comment on column project.picture_url is 'Where browsers load its picture from; null for none.';

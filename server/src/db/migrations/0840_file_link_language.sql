-- previous version: works
-- Any language of the product: a new one needs no migration.
alter table file_link drop constraint file_link_lang_check;
alter table file_link add check (lang ~ '^[a-z]{2}$');

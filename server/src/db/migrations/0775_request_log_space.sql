-- previous version: works
-- Each command writes its row twice: with its request id, then with its answer. Without free space on the page an eighth of the answers
-- went to another page, and so into each index once more.
alter table request_log set (fillfactor = 80);

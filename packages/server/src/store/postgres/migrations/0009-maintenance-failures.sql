-- Background maintenance that failed and is retried later; a row is deleted when the retry is successful. On Citus it
-- is a table of the coordinator: statements that use it use no other table.
CREATE TABLE maintenance_failures (
  task      text NOT NULL,
  subject   text NOT NULL, -- the site or series that it failed for; empty: the whole task
  attempts  integer NOT NULL,
  failed_at bigint NOT NULL,
  retry_at  bigint NOT NULL,
  message   text NOT NULL,
  PRIMARY KEY (task, subject)
);

-- Background maintenance that failed and is retried later; a row is deleted when the retry is successful.
CREATE TABLE maintenance_failures (
  task      TEXT NOT NULL,
  subject   TEXT NOT NULL, -- the series that it failed for; empty: the whole task
  attempts  INTEGER NOT NULL,
  failed_at INTEGER NOT NULL,
  retry_at  INTEGER NOT NULL,
  message   TEXT NOT NULL,
  PRIMARY KEY (task, subject)
) STRICT, WITHOUT ROWID;

-- `version` rises with every batch that changes readings of the series, `late_version` with every one that begins at or
-- before the latest reading, so that results computed from them can be cached. `changed_from` is the first instant that
-- the last batch changed. Versions are times in milliseconds: a counter could repeat after a failover that loses batches.
ALTER TABLE latest_readings
  ADD COLUMN version bigint NOT NULL DEFAULT 0,
  ADD COLUMN late_version bigint NOT NULL DEFAULT 0,
  ADD COLUMN changed_from bigint NOT NULL DEFAULT 0;

-- Every batch that changes readings of a series is counted, so that results computed from them can be cached. A late
-- change begins at or before the latest reading; changed_from is the first instant that the last batch changed.
ALTER TABLE latest_readings
  ADD COLUMN changes bigint NOT NULL DEFAULT 1,
  ADD COLUMN late_changes bigint NOT NULL DEFAULT 0,
  ADD COLUMN changed_from bigint NOT NULL DEFAULT 0;

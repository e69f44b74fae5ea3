-- A CRC-32 of each row's key and content, verified on every read: lib/row-checksum.ts. The functions are defined in
-- migration-functions.ts.
ALTER TABLE reading_days ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE reading_days SET checksum = row_checksum('reading_days', series_id, day, readings);

ALTER TABLE rollup_days ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE rollup_days SET checksum = row_checksum('rollup_days', series_id, day, cells);

ALTER TABLE rollup_months ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE rollup_months SET checksum = row_checksum('rollup_months', series_id, month, cells);

ALTER TABLE rollup_quarters ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE rollup_quarters SET checksum = row_checksum('rollup_quarters', series_id, day, cells);

ALTER TABLE latest_readings ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE latest_readings SET checksum = numbers_checksum('latest_readings', series_id, ts, value);

-- The first and last instant of a batch have a separate checksum: if the batch is damaged, they show which time is
-- affected.
ALTER TABLE journal ADD COLUMN first_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE journal ADD COLUMN last_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE journal ADD COLUMN span_checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE journal ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE journal SET first_at = batch_first_at(batch), last_at = batch_last_at(batch),
  checksum = row_checksum('journal', 0, arrival, batch);
UPDATE journal SET span_checksum = numbers_checksum('journal_span', arrival, first_at, last_at);

ALTER TABLE journal_state ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
UPDATE journal_state SET checksum = numbers_checksum('journal_state', packed_through, dropped_before, 0);

-- The days that have a row in reading_days, as runs, so that a missing row is detected.
CREATE TABLE series_days (
  series_id INTEGER PRIMARY KEY,
  days      BLOB NOT NULL,
  checksum  INTEGER NOT NULL
) STRICT;

INSERT INTO series_days (series_id, days, checksum)
SELECT series_id, days, row_checksum('series_days', series_id, 0, days)
FROM (SELECT series_id, day_set(group_concat(day)) AS days FROM reading_days GROUP BY series_id);

-- Readings that were found damaged and moved out of their table. Nothing is computed from readings of that time until
-- an operator accepts the loss.
CREATE TABLE damaged_readings (
  id        INTEGER PRIMARY KEY,
  source    TEXT NOT NULL, -- reading_days or journal
  series_id INTEGER, -- null: any series
  from_ts   INTEGER NOT NULL,
  to_ts     INTEGER NOT NULL, -- exclusive
  found_at  INTEGER NOT NULL,
  accepted  INTEGER NOT NULL DEFAULT 0,
  content   BLOB -- as it was found; null if the row was missing
) STRICT;

-- One checksum for all rows that a site's model is built from.
ALTER TABLE sites ADD COLUMN inventory_checksum INTEGER NOT NULL DEFAULT 0;
UPDATE sites SET inventory_checksum = inventory_checksum(site_uuid);

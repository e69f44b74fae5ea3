-- Readings in order of arrival, one batch per row. `packed_through` is the last arrival that is in reading_days,
-- `dropped_before` the instant before which readings are deleted.
CREATE TABLE journal (
  arrival INTEGER PRIMARY KEY AUTOINCREMENT,
  batch   BLOB NOT NULL
) STRICT;

CREATE TABLE journal_state (
  id             INTEGER PRIMARY KEY CHECK (id = 1),
  packed_through INTEGER NOT NULL,
  dropped_before INTEGER NOT NULL
) STRICT;

INSERT INTO journal_state (id, packed_through, dropped_before) VALUES (1, 0, 0);

-- A space also has series: those of its devices combined.
ALTER TABLE series RENAME COLUMN device_uuid TO subject_uuid;

INSERT INTO series (site_uuid, subject_uuid, metric)
SELECT DISTINCT devices.site_uuid, placement.value ->> 'spaceUuid', series.metric
FROM devices
JOIN series ON series.subject_uuid = devices.device_uuid
JOIN json_each(devices.placements) AS placement
WHERE true
ON CONFLICT DO NOTHING;

-- Closed days of a series, in days of its site's calendar: the slots of a day, the days of a month. See
-- telemetry/rollup/cell-row.ts.
CREATE TABLE rollup_days (
  series_id INTEGER NOT NULL,
  day       INTEGER NOT NULL,
  cells     BLOB NOT NULL,
  PRIMARY KEY (series_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE rollup_months (
  series_id INTEGER NOT NULL,
  month     INTEGER NOT NULL,
  cells     BLOB NOT NULL,
  PRIMARY KEY (series_id, month)
) STRICT, WITHOUT ROWID;

-- The quarter hours of days whose readings are deleted.
CREATE TABLE rollup_quarters (
  series_id INTEGER NOT NULL,
  day       INTEGER NOT NULL,
  cells     BLOB NOT NULL,
  PRIMARY KEY (series_id, day)
) STRICT, WITHOUT ROWID;

-- Days to roll up once they are over.
CREATE TABLE stale_days (
  series_id INTEGER NOT NULL,
  from_day  INTEGER NOT NULL,
  to_day    INTEGER NOT NULL, -- inclusive
  marked_at INTEGER NOT NULL,
  due_at    INTEGER NOT NULL,
  PRIMARY KEY (series_id, from_day)
) STRICT, WITHOUT ROWID;

CREATE INDEX stale_days_by_due ON stale_days (due_at);

-- No rollup of the site extends beyond this instant.
CREATE TABLE sealed (
  site_uuid TEXT PRIMARY KEY,
  before    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO stale_days (series_id, from_day, to_day, marked_at, due_at)
SELECT series_id, min(day) - 1, max(day) + 1, 0, 0 FROM reading_days GROUP BY series_id;

-- The readings of one series and UTC day, packed.
CREATE TABLE reading_days (
  series_id INTEGER NOT NULL,
  day       INTEGER NOT NULL,
  readings  BLOB NOT NULL,
  PRIMARY KEY (series_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE latest_readings (
  series_id INTEGER PRIMARY KEY,
  ts        INTEGER NOT NULL,
  value     REAL NOT NULL
) STRICT;

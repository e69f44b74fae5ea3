-- Rises whenever rollups of the series come or go: what was made of them holds for as long as it stays.
CREATE TABLE rollup_versions (
  series_id INTEGER PRIMARY KEY,
  version   INTEGER NOT NULL
) STRICT;

-- Rises whenever rollups of the series come or go, or readings of it go past the journal: what was made of them holds for as long as it stays.
CREATE TABLE rollup_versions (
  series_id INTEGER PRIMARY KEY,
  version   INTEGER NOT NULL
) STRICT;

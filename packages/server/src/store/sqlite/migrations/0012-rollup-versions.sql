-- Incremented when rollups of the series are added or removed, or when readings bypass the journal. Data computed from
-- them is valid while it is unchanged.
CREATE TABLE rollup_versions (
  series_id INTEGER PRIMARY KEY,
  version   INTEGER NOT NULL
) STRICT;

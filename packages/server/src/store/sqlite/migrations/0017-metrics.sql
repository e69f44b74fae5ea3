-- Readings of imports by commands that no server has counted in its metrics yet.
CREATE TABLE import_counts (
  result   TEXT PRIMARY KEY, -- accepted, replaced, unchanged, or the code of a rejection
  readings INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX commands_by_completion ON commands (completed_at, state) WHERE completed_at IS NOT NULL;

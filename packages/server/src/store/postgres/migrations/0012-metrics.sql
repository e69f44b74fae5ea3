-- Readings of imports by commands that no server has counted in its metrics yet. On Citus it is a table of the
-- coordinator: statements that use it use no other table.
CREATE TABLE import_counts (
  result   text COLLATE "C" PRIMARY KEY, -- accepted, replaced, unchanged, or the code of a rejection
  readings bigint NOT NULL
);

CREATE INDEX commands_by_completion ON commands (completed_at, state) WHERE completed_at IS NOT NULL;

-- An operator's settings for an endpoint of version 1; its other facts are in the code.
CREATE TABLE v1_lifecycle (
  method        TEXT NOT NULL,
  path          TEXT NOT NULL,
  deprecated_at INTEGER,
  sunset_at     INTEGER,
  blackouts     TEXT NOT NULL, -- JSON: [{from, to}] in milliseconds
  PRIMARY KEY (method, path)
) STRICT, WITHOUT ROWID;

-- The tenant's logo, and one image per building.
CREATE TABLE images (
  subject      TEXT PRIMARY KEY, -- 'tenant' or the UUID of a building
  content_type TEXT NOT NULL,
  bytes        BLOB NOT NULL
) STRICT;

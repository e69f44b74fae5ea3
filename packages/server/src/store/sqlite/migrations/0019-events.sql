-- The event log of each site. A head is updated in the transaction of its events: numbers have no gaps, and a reader
-- that has seen a number has seen all lower ones.
CREATE TABLE event_heads (
  site_uuid    TEXT PRIMARY KEY,
  last_number  INTEGER NOT NULL,
  first_number INTEGER NOT NULL -- the oldest event that is kept
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  site_uuid   TEXT NOT NULL,
  number      INTEGER NOT NULL,
  event_uuid  TEXT NOT NULL,
  type        TEXT NOT NULL,
  at          INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  device_uuid TEXT,
  space_uuid  TEXT,
  data        TEXT NOT NULL, -- JSON
  PRIMARY KEY (site_uuid, number)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX events_by_uuid ON events (site_uuid, event_uuid);
CREATE INDEX events_by_device ON events (site_uuid, device_uuid, number) WHERE device_uuid IS NOT NULL;

-- The status of each device that events have reported, and a different one that has not lasted long enough to be
-- reported.
CREATE TABLE device_statuses (
  site_uuid     TEXT NOT NULL,
  device_uuid   TEXT NOT NULL,
  status        TEXT NOT NULL,
  since         INTEGER NOT NULL,
  pending       TEXT,
  pending_since INTEGER,
  PRIMARY KEY (site_uuid, device_uuid)
) STRICT, WITHOUT ROWID;

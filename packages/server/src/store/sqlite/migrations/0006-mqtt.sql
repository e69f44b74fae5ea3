-- Hash of the password in Mosquitto's format; null for gateways created before it was stored.
ALTER TABLE gateways ADD COLUMN mosquitto_hash TEXT;

-- The last presence that a device reported, or a gateway for all of its devices.
CREATE TABLE presences (
  site_uuid TEXT NOT NULL,
  unit_uuid TEXT NOT NULL,
  is_online INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  PRIMARY KEY (site_uuid, unit_uuid)
) STRICT, WITHOUT ROWID;

CREATE TABLE rejected_messages (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  at            INTEGER NOT NULL,
  topic         TEXT NOT NULL,
  reason        TEXT NOT NULL,
  message       TEXT NOT NULL,
  payload       TEXT NOT NULL, -- the first bytes
  payload_bytes INTEGER NOT NULL,
  gateway_uuid  TEXT
) STRICT;

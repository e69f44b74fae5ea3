-- Each record is one JSON object; columns beside it hold the values by which it is looked up.
CREATE TABLE buildings (
  site_uuid     TEXT NOT NULL REFERENCES sites,
  building_uuid TEXT NOT NULL UNIQUE,
  legacy_id     INTEGER NOT NULL UNIQUE,
  record        TEXT NOT NULL,
  archived_at   INTEGER,
  PRIMARY KEY (site_uuid, building_uuid)
) STRICT, WITHOUT ROWID;

CREATE TABLE spaces (
  site_uuid   TEXT NOT NULL REFERENCES sites,
  space_uuid  TEXT NOT NULL UNIQUE,
  legacy_id   INTEGER NOT NULL UNIQUE,
  record      TEXT NOT NULL,
  archived_at INTEGER,
  PRIMARY KEY (site_uuid, space_uuid)
) STRICT, WITHOUT ROWID;

CREATE TABLE devices (
  site_uuid   TEXT NOT NULL REFERENCES sites,
  device_uuid TEXT NOT NULL UNIQUE,
  record      TEXT NOT NULL,
  placements  TEXT NOT NULL, -- JSON, in order of time
  archived_at INTEGER,
  PRIMARY KEY (site_uuid, device_uuid)
) STRICT, WITHOUT ROWID;

-- One row for each metric that a device was ever declared to measure; readings refer to its id.
CREATE TABLE series (
  series_id   INTEGER PRIMARY KEY,
  site_uuid   TEXT NOT NULL,
  device_uuid TEXT NOT NULL,
  metric      TEXT NOT NULL,
  UNIQUE (site_uuid, device_uuid, metric)
) STRICT;

CREATE TABLE gateways (
  site_uuid     TEXT NOT NULL REFERENCES sites,
  gateway_uuid  TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  mqtt_username TEXT NOT NULL UNIQUE,
  password_hash BLOB NOT NULL,
  created_at    INTEGER NOT NULL,
  PRIMARY KEY (site_uuid, gateway_uuid)
) STRICT, WITHOUT ROWID;

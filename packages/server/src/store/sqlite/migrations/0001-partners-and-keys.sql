-- 'Port' in ASCII: distinguishes a Portico file from other SQLite files.
PRAGMA application_id = 0x506f7274;

CREATE TABLE installation (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  created_at INTEGER NOT NULL,
  cursor_key BLOB NOT NULL,
  is_demo    INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO installation (id, created_at, cursor_key)
VALUES (1, CAST(unixepoch('subsec') * 1000 AS INTEGER), randomblob(32));

CREATE TABLE sites (
  site_uuid         TEXT PRIMARY KEY,
  site_name         TEXT NOT NULL,
  time_zone         TEXT NOT NULL,
  sandbox           INTEGER NOT NULL,
  legacy_id         INTEGER NOT NULL UNIQUE,
  record            TEXT NOT NULL, -- JSON
  inventory_version INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE partners (
  partner_uuid      TEXT PRIMARY KEY,
  client_id         TEXT NOT NULL UNIQUE,
  name              TEXT NOT NULL,
  enabled           INTEGER NOT NULL,
  roles             TEXT NOT NULL, -- separated by spaces
  tokens_not_before INTEGER NOT NULL, -- seconds
  created_at        INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL,
  rate_limits       TEXT NOT NULL -- JSON
) STRICT, WITHOUT ROWID;

CREATE TABLE partner_sites (
  partner_uuid TEXT NOT NULL REFERENCES partners,
  site_uuid    TEXT NOT NULL REFERENCES sites,
  PRIMARY KEY (partner_uuid, site_uuid)
) STRICT, WITHOUT ROWID;

CREATE TABLE partner_secrets (
  secret_id    TEXT PRIMARY KEY,
  partner_uuid TEXT NOT NULL REFERENCES partners,
  hash         BLOB NOT NULL,
  hint         TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX partner_secrets_by_partner ON partner_secrets (partner_uuid);

CREATE TABLE signing_keys (
  kid         TEXT PRIMARY KEY,
  algorithm   TEXT NOT NULL,
  private_key TEXT NOT NULL,
  public_jwk  TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  retired_at  INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id   TEXT,
  actor_name TEXT NOT NULL,
  trace_id   TEXT,
  action     TEXT NOT NULL,
  target     TEXT NOT NULL,
  detail     TEXT NOT NULL -- JSON
) STRICT;

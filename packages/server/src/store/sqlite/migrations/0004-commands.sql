CREATE TABLE commands (
  site_uuid        TEXT NOT NULL,
  device_uuid      TEXT NOT NULL,
  command_uuid     TEXT NOT NULL UNIQUE,
  partner_uuid     TEXT NOT NULL,
  type             TEXT NOT NULL,
  state            TEXT NOT NULL,
  created_at       INTEGER NOT NULL,
  updated_at       INTEGER NOT NULL,
  expires_at       INTEGER NOT NULL,
  completed_at     INTEGER,
  failure          TEXT, -- JSON
  client_reference TEXT,
  schedule         TEXT NOT NULL, -- JSON
  PRIMARY KEY (site_uuid, device_uuid, command_uuid)
) STRICT, WITHOUT ROWID;

CREATE INDEX commands_by_time ON commands (site_uuid, device_uuid, created_at DESC);

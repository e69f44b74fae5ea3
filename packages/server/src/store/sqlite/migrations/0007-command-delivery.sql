-- When the effect of a command ends, and the deadline at which the clock changes its state; null once it is final.
ALTER TABLE commands ADD COLUMN ends_at INTEGER;
ALTER TABLE commands ADD COLUMN clock_at INTEGER;
UPDATE commands SET clock_at = expires_at WHERE state = 'PENDING';
CREATE INDEX commands_by_clock ON commands (clock_at) WHERE clock_at IS NOT NULL;
CREATE INDEX commands_unfinished ON commands (site_uuid, device_uuid) WHERE clock_at IS NOT NULL;
CREATE INDEX commands_confirmed ON commands (site_uuid, device_uuid, type, created_at) WHERE state = 'CONFIRMED';

-- Messages to devices. A row that is done stays until it expires, so that a late response to it is recognised.
CREATE TABLE outbox (
  message_uuid TEXT PRIMARY KEY, -- of a command its own
  site_uuid    TEXT NOT NULL,
  device_uuid  TEXT NOT NULL,
  kind         TEXT NOT NULL, -- command, cancel, target
  body         TEXT NOT NULL, -- JSON
  tries        INTEGER NOT NULL,
  failures     INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  due_at       INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  is_done      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX outbox_by_due ON outbox (is_done, due_at);
CREATE INDEX outbox_by_device ON outbox (site_uuid, device_uuid);
CREATE INDEX outbox_by_expiry ON outbox (expires_at);

INSERT INTO outbox (message_uuid, site_uuid, device_uuid, kind, body, tries, failures, created_at, due_at, expires_at, is_done)
SELECT command_uuid, site_uuid, device_uuid, 'command', '{}', 0, 0, created_at, created_at, expires_at, 0
FROM commands WHERE state = 'PENDING';

CREATE TABLE idempotency_keys (
  partner_uuid TEXT NOT NULL,
  site_uuid    TEXT NOT NULL,
  key          TEXT NOT NULL,
  digest       BLOB NOT NULL, -- of the request
  command      TEXT NOT NULL, -- JSON, as it was answered
  created_at   INTEGER NOT NULL,
  PRIMARY KEY (partner_uuid, site_uuid, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Devices whose schedule the server runs: when the next target is due, and the target that was sent last.
CREATE TABLE players (
  site_uuid   TEXT NOT NULL,
  device_uuid TEXT NOT NULL,
  next_at     INTEGER,
  target      TEXT, -- JSON
  PRIMARY KEY (site_uuid, device_uuid)
) STRICT, WITHOUT ROWID;

CREATE INDEX players_by_time ON players (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE webhooks (
  webhook_uuid      TEXT PRIMARY KEY,
  partner_uuid      TEXT NOT NULL,
  url               TEXT NOT NULL,
  description       TEXT,
  event_types       TEXT, -- JSON; null: all
  site_uuids        TEXT, -- JSON; null: all of the partner
  heartbeat         INTEGER NOT NULL,
  state             TEXT NOT NULL,
  reason            TEXT,
  failing_since     INTEGER,
  probe_at          INTEGER,
  probes            INTEGER NOT NULL,
  secret_number     INTEGER NOT NULL, -- secrets are derived from it and not stored
  previous_ends_at  INTEGER,
  next_heartbeat_at INTEGER,
  created_at        INTEGER NOT NULL,
  updated_at        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX webhooks_of_partner ON webhooks (partner_uuid);

-- The position of a webhook in the log of a site. While an endpoint is down, no table grows.
CREATE TABLE webhook_positions (
  site_uuid         TEXT NOT NULL,
  webhook_uuid      TEXT NOT NULL,
  position          INTEGER NOT NULL, -- number of the last event that was dealt out
  lost              INTEGER NOT NULL, -- events that retention removed before their delivery
  last_delivered_at INTEGER,
  PRIMARY KEY (site_uuid, webhook_uuid)
) STRICT, WITHOUT ROWID;

CREATE INDEX positions_of_webhook ON webhook_positions (webhook_uuid);

CREATE TABLE deliveries (
  site_uuid    TEXT NOT NULL,
  webhook_uuid TEXT NOT NULL,
  number       INTEGER NOT NULL,
  round        INTEGER NOT NULL, -- 0, then one for each replay
  lane         TEXT NOT NULL,    -- events of one device, space or site are delivered in order
  type         TEXT NOT NULL,
  state        TEXT NOT NULL,    -- waiting, delivered, failed
  tries        INTEGER NOT NULL,
  gives_way    INTEGER NOT NULL, -- later deliveries of the lane do not wait for it
  created_at   INTEGER NOT NULL,
  due_at       INTEGER NOT NULL,
  leased_until INTEGER,
  delivered_at INTEGER,
  last_status  INTEGER,
  last_error   TEXT,
  PRIMARY KEY (site_uuid, webhook_uuid, number, round)
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_in_lane ON deliveries (site_uuid, webhook_uuid, lane, number, round)
  WHERE state = 'waiting' AND gives_way = 0;
CREATE INDEX deliveries_by_due ON deliveries (site_uuid, webhook_uuid, due_at) WHERE state = 'waiting';
CREATE INDEX deliveries_late ON deliveries (site_uuid, webhook_uuid, due_at)
  WHERE state = 'waiting' AND gives_way = 1;
CREATE INDEX deliveries_by_time ON deliveries (webhook_uuid, created_at, site_uuid, number, round);

CREATE TABLE delivery_attempts (
  site_uuid    TEXT NOT NULL,
  webhook_uuid TEXT NOT NULL,
  number       INTEGER NOT NULL,
  round        INTEGER NOT NULL,
  try          INTEGER NOT NULL, -- counts attempts, probes included
  at           INTEGER NOT NULL,
  status       INTEGER,
  error        TEXT,
  duration_ms  INTEGER NOT NULL,
  response     TEXT,
  PRIMARY KEY (site_uuid, webhook_uuid, number, round, try)
) STRICT, WITHOUT ROWID;

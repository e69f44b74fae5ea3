-- One schema for PostgreSQL and Citus: lines that begin with "-- citus:" run on Citus only. There, data of the
-- installation is in reference tables, and data of a site is distributed by site_uuid, which is therefore the first
-- column of every key. Append-only tables that are never joined (audit, rejected messages) are local to the
-- coordinator, so that an unavailable node does not delay commands of sites on other nodes. JSON is stored as text,
-- because documents are compared byte by byte.

CREATE TABLE installation (
  id         integer PRIMARY KEY CHECK (id = 1),
  created_at bigint NOT NULL,
  cursor_key bytea NOT NULL,
  is_demo    boolean NOT NULL
);

CREATE TABLE sites (
  site_uuid         uuid PRIMARY KEY,
  site_name         text COLLATE "C" NOT NULL,
  time_zone         text NOT NULL,
  sandbox           boolean NOT NULL,
  record            text NOT NULL, -- JSON
  inventory_version integer NOT NULL DEFAULT 0
);

CREATE TABLE partners (
  partner_uuid      uuid PRIMARY KEY,
  client_id         text COLLATE "C" NOT NULL UNIQUE,
  name              text NOT NULL,
  enabled           boolean NOT NULL,
  roles             text NOT NULL, -- separated by spaces
  tokens_not_before bigint NOT NULL, -- seconds
  created_at        bigint NOT NULL,
  updated_at        bigint NOT NULL,
  rate_limits       text NOT NULL -- JSON
);

CREATE TABLE partner_sites (
  partner_uuid uuid NOT NULL,
  site_uuid    uuid NOT NULL,
  PRIMARY KEY (partner_uuid, site_uuid)
);

CREATE TABLE partner_secrets (
  secret_id    uuid PRIMARY KEY,
  partner_uuid uuid NOT NULL,
  hash         bytea NOT NULL,
  hint         text NOT NULL,
  created_at   bigint NOT NULL,
  expires_at   bigint NOT NULL,
  last_used_at bigint
);

CREATE TABLE signing_keys (
  kid         text COLLATE "C" PRIMARY KEY,
  algorithm   text NOT NULL,
  private_key text NOT NULL,
  public_jwk  text NOT NULL,
  created_at  bigint NOT NULL,
  retired_at  bigint
);

CREATE TABLE audit (
  id         bigserial PRIMARY KEY,
  at         bigint NOT NULL,
  actor_kind text NOT NULL,
  actor_id   text,
  actor_name text NOT NULL,
  trace_id   text,
  action     text NOT NULL,
  target     text NOT NULL,
  detail     text NOT NULL -- JSON
);

CREATE TABLE rejected_messages (
  id            bigserial PRIMARY KEY,
  at            bigint NOT NULL,
  topic         text NOT NULL,
  reason        text NOT NULL,
  message       text NOT NULL,
  payload       text NOT NULL, -- the first bytes
  payload_bytes integer NOT NULL,
  gateway_uuid  text
);

CREATE TABLE v1_usage (
  partner_uuid uuid NOT NULL,
  path         text COLLATE "C" NOT NULL,
  status_class integer NOT NULL, -- 2 for 200 to 299
  calls        bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  PRIMARY KEY (partner_uuid, path, status_class)
);

CREATE TABLE v1_lifecycle (
  method        text NOT NULL,
  path          text COLLATE "C" NOT NULL,
  deprecated_at bigint,
  sunset_at     bigint,
  blackouts     text NOT NULL, -- JSON
  PRIMARY KEY (method, path)
);

-- The tenant's logo, and one image per building.
CREATE TABLE images (
  subject      text COLLATE "C" PRIMARY KEY, -- 'tenant' or the UUID of a building
  content_type text NOT NULL,
  bytes        bytea NOT NULL
);

-- Identifiers that must be unique in the installation: a distributed table can enforce uniqueness within a site only.
CREATE TABLE identifiers (
  kind      text NOT NULL, -- site, building, space, device
  uuid      uuid NOT NULL,
  site_uuid uuid NOT NULL,
  legacy_id integer, -- null for devices, which version 1 did not number
  PRIMARY KEY (kind, uuid),
  UNIQUE (kind, legacy_id)
);

-- Queried before the site is known, so it is not distributed by site.
CREATE TABLE gateways (
  gateway_uuid   uuid PRIMARY KEY,
  site_uuid      uuid NOT NULL,
  name           text NOT NULL,
  mqtt_username  text COLLATE "C" NOT NULL UNIQUE,
  password_hash  bytea NOT NULL,
  mosquitto_hash text,
  created_at     bigint NOT NULL
);

CREATE TABLE buildings (
  site_uuid     uuid NOT NULL,
  building_uuid uuid NOT NULL,
  record        text NOT NULL,
  archived_at   bigint,
  PRIMARY KEY (site_uuid, building_uuid)
);

CREATE TABLE spaces (
  site_uuid   uuid NOT NULL,
  space_uuid  uuid NOT NULL,
  record      text NOT NULL,
  archived_at bigint,
  PRIMARY KEY (site_uuid, space_uuid)
);

CREATE TABLE devices (
  site_uuid   uuid NOT NULL,
  device_uuid uuid NOT NULL,
  record      text NOT NULL,
  placements  text NOT NULL, -- JSON, in order of time
  archived_at bigint,
  PRIMARY KEY (site_uuid, device_uuid)
);

-- One row for each metric that a device was ever declared to measure, or that was ever measured in a space.
CREATE TABLE series (
  site_uuid    uuid NOT NULL,
  subject_uuid uuid NOT NULL,
  metric       text NOT NULL,
  series_id    bigint NOT NULL,
  PRIMARY KEY (site_uuid, subject_uuid, metric)
);

CREATE SEQUENCE series_ids;

-- The last presence that a device reported, or a gateway for all of its devices.
CREATE TABLE presences (
  site_uuid uuid NOT NULL,
  unit_uuid uuid NOT NULL,
  is_online boolean NOT NULL,
  at        bigint NOT NULL,
  PRIMARY KEY (site_uuid, unit_uuid)
);

-- ends_at: when the effect ends. clock_at: the deadline at which the clock changes the state; null once it is final.
CREATE TABLE commands (
  site_uuid        uuid NOT NULL,
  device_uuid      uuid NOT NULL,
  command_uuid     uuid NOT NULL,
  partner_uuid     uuid NOT NULL,
  type             text NOT NULL,
  state            text NOT NULL,
  created_at       bigint NOT NULL,
  updated_at       bigint NOT NULL,
  expires_at       bigint NOT NULL,
  completed_at     bigint,
  failure          text, -- JSON
  client_reference text,
  schedule         text NOT NULL, -- JSON
  ends_at          bigint,
  clock_at         bigint,
  PRIMARY KEY (site_uuid, device_uuid, command_uuid)
);

-- Messages to devices. A row that is done stays until it expires, so that a late response to it is recognised. A
-- claimed row is leased until leased_until.
CREATE TABLE outbox (
  site_uuid    uuid NOT NULL,
  message_uuid uuid NOT NULL, -- of a command its own
  device_uuid  uuid NOT NULL,
  kind         text NOT NULL, -- command, cancel, target
  body         text NOT NULL, -- JSON
  tries        integer NOT NULL,
  failures     integer NOT NULL,
  created_at   bigint NOT NULL,
  due_at       bigint NOT NULL,
  leased_until bigint, -- null once the outcome is recorded
  is_woken     boolean NOT NULL, -- the device came back while somebody had the message
  expires_at   bigint NOT NULL,
  is_done      boolean NOT NULL,
  PRIMARY KEY (site_uuid, message_uuid)
);

CREATE TABLE idempotency_keys (
  site_uuid    uuid NOT NULL,
  partner_uuid uuid NOT NULL,
  key          text COLLATE "C" NOT NULL,
  digest       bytea NOT NULL, -- of the request
  command      text NOT NULL, -- JSON, as it was answered
  created_at   bigint NOT NULL,
  PRIMARY KEY (site_uuid, partner_uuid, key)
);

-- Devices whose schedule the server runs: when the next target is due, and the target that was sent last.
CREATE TABLE players (
  site_uuid   uuid NOT NULL,
  device_uuid uuid NOT NULL,
  next_at     bigint,
  target      text, -- JSON
  PRIMARY KEY (site_uuid, device_uuid)
);

-- A row for each device that ever had a command. Transactions that change its commands lock it first.
CREATE TABLE commanded_devices (
  site_uuid   uuid NOT NULL,
  device_uuid uuid NOT NULL,
  PRIMARY KEY (site_uuid, device_uuid)
);

-- citus: SELECT create_reference_table('installation');
-- citus: SELECT create_reference_table('sites');
-- citus: SELECT create_reference_table('partners');
-- citus: SELECT create_reference_table('partner_sites');
-- citus: SELECT create_reference_table('partner_secrets');
-- citus: SELECT create_reference_table('signing_keys');
-- citus: SELECT create_reference_table('v1_usage');
-- citus: SELECT create_reference_table('v1_lifecycle');
-- citus: SELECT create_reference_table('images');
-- citus: SELECT create_reference_table('identifiers');
-- citus: SELECT create_reference_table('gateways');
-- citus: SELECT create_distributed_table('series', 'site_uuid');
-- citus: SELECT create_distributed_table('buildings', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('spaces', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('devices', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('presences', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('commands', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('outbox', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('idempotency_keys', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('players', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('commanded_devices', 'site_uuid', colocate_with => 'series');

-- Named, because older releases of Citus require it.
ALTER TABLE partner_sites ADD CONSTRAINT partner_sites_partner FOREIGN KEY (partner_uuid) REFERENCES partners;
ALTER TABLE partner_sites ADD CONSTRAINT partner_sites_site FOREIGN KEY (site_uuid) REFERENCES sites;
ALTER TABLE partner_secrets ADD CONSTRAINT partner_secrets_partner FOREIGN KEY (partner_uuid) REFERENCES partners;
ALTER TABLE buildings ADD CONSTRAINT buildings_site FOREIGN KEY (site_uuid) REFERENCES sites;
ALTER TABLE spaces ADD CONSTRAINT spaces_site FOREIGN KEY (site_uuid) REFERENCES sites;
ALTER TABLE devices ADD CONSTRAINT devices_site FOREIGN KEY (site_uuid) REFERENCES sites;
ALTER TABLE gateways ADD CONSTRAINT gateways_site FOREIGN KEY (site_uuid) REFERENCES sites;

CREATE INDEX partner_secrets_by_partner ON partner_secrets (partner_uuid);
CREATE INDEX identifiers_by_site ON identifiers (site_uuid, kind);
CREATE INDEX gateways_by_site ON gateways (site_uuid);
CREATE INDEX commands_by_time ON commands (site_uuid, device_uuid, created_at DESC, command_uuid DESC);
CREATE INDEX commands_by_clock ON commands (clock_at) WHERE clock_at IS NOT NULL;
CREATE INDEX commands_unfinished ON commands (site_uuid, device_uuid) WHERE clock_at IS NOT NULL;
CREATE INDEX commands_confirmed ON commands (site_uuid, device_uuid, type, created_at) WHERE state = 'CONFIRMED';
CREATE INDEX outbox_by_due ON outbox (due_at) WHERE NOT is_done;
CREATE INDEX outbox_of_site_by_due ON outbox (site_uuid, due_at) WHERE NOT is_done;
CREATE INDEX outbox_by_device ON outbox (site_uuid, device_uuid);
CREATE INDEX outbox_by_expiry ON outbox (expires_at);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (site_uuid, created_at);
CREATE INDEX players_by_time ON players (next_at) WHERE next_at IS NOT NULL;

-- Two random UUIDs: 244 random bits from the operating system.
INSERT INTO installation (id, created_at, cursor_key, is_demo)
VALUES (1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'), false);

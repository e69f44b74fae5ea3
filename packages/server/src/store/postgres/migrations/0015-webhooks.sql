CREATE TABLE webhooks (
  webhook_uuid      uuid PRIMARY KEY,
  partner_uuid      uuid NOT NULL,
  url               text NOT NULL,
  description       text,
  event_types       text, -- JSON; null: all
  site_uuids        text, -- JSON; null: all of the partner
  heartbeat         boolean NOT NULL,
  state             text NOT NULL,
  reason            text,
  failing_since     bigint,
  probe_at          bigint,
  probes            integer NOT NULL,
  secret_number     integer NOT NULL, -- secrets are derived from it and not stored
  previous_ends_at  bigint,
  next_heartbeat_at bigint,
  created_at        bigint NOT NULL,
  updated_at        bigint NOT NULL
);

CREATE INDEX webhooks_of_partner ON webhooks (partner_uuid);

-- The position of a webhook in the log of a site. While an endpoint is down, no table grows.
CREATE TABLE webhook_positions (
  site_uuid         uuid NOT NULL,
  webhook_uuid      uuid NOT NULL,
  position          bigint NOT NULL, -- number of the last event that was dealt out
  lost              bigint NOT NULL, -- events that retention removed before their delivery
  last_delivered_at bigint,
  PRIMARY KEY (site_uuid, webhook_uuid)
);

CREATE TABLE deliveries (
  site_uuid    uuid NOT NULL,
  webhook_uuid uuid NOT NULL,
  number       bigint NOT NULL,
  round        integer NOT NULL, -- 0, then one for each replay
  lane         uuid NOT NULL,    -- events of one device, space or site are delivered in order
  type         text NOT NULL,
  state        text NOT NULL,    -- waiting, delivered, failed
  tries        integer NOT NULL,
  gives_way    boolean NOT NULL, -- later deliveries of the lane do not wait for it
  created_at   bigint NOT NULL,
  due_at       bigint NOT NULL,
  leased_until bigint,
  delivered_at bigint,
  last_status  integer,
  last_error   text,
  PRIMARY KEY (site_uuid, webhook_uuid, number, round)
);

CREATE TABLE delivery_attempts (
  site_uuid    uuid NOT NULL,
  webhook_uuid uuid NOT NULL,
  number       bigint NOT NULL,
  round        integer NOT NULL,
  try          integer NOT NULL, -- counts attempts, probes included
  at           bigint NOT NULL,
  status       integer,
  error        text,
  duration_ms  integer NOT NULL,
  response     text,
  PRIMARY KEY (site_uuid, webhook_uuid, number, round, try)
);

-- citus: SELECT create_reference_table('webhooks');
-- citus: SELECT create_distributed_table('webhook_positions', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('deliveries', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('delivery_attempts', 'site_uuid', colocate_with => 'series');

CREATE INDEX positions_of_webhook ON webhook_positions (webhook_uuid);
CREATE INDEX deliveries_in_lane ON deliveries (site_uuid, webhook_uuid, lane, number, round)
  WHERE state = 'waiting' AND NOT gives_way;
CREATE INDEX deliveries_by_due ON deliveries (site_uuid, webhook_uuid, due_at) WHERE state = 'waiting';
CREATE INDEX deliveries_late ON deliveries (site_uuid, webhook_uuid, due_at) WHERE state = 'waiting' AND gives_way;
CREATE INDEX deliveries_by_time ON deliveries (webhook_uuid, created_at, site_uuid, number, round);

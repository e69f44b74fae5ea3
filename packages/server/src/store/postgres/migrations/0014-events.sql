-- The event log of each site. A head is updated in the transaction of its events, and its row lock makes the order of
-- commits the order of numbers: numbers have no gaps, and a reader that has seen a number has seen all lower ones.
CREATE TABLE event_heads (
  site_uuid    uuid PRIMARY KEY,
  last_number  bigint NOT NULL,
  first_number bigint NOT NULL -- the oldest event that is kept
);

CREATE TABLE events (
  site_uuid   uuid NOT NULL,
  number      bigint NOT NULL,
  event_uuid  uuid NOT NULL,
  type        text NOT NULL,
  at          bigint NOT NULL,
  recorded_at bigint NOT NULL,
  device_uuid uuid,
  space_uuid  uuid,
  data        text NOT NULL, -- JSON
  PRIMARY KEY (site_uuid, number)
);

-- The status of each device that events have reported, and a different one that has not lasted long enough to be
-- reported.
CREATE TABLE device_statuses (
  site_uuid     uuid NOT NULL,
  device_uuid   uuid NOT NULL,
  status        text NOT NULL,
  since         bigint NOT NULL,
  pending       text,
  pending_since bigint,
  PRIMARY KEY (site_uuid, device_uuid)
);

-- citus: SELECT create_distributed_table('event_heads', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('events', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('device_statuses', 'site_uuid', colocate_with => 'series');

CREATE UNIQUE INDEX events_by_uuid ON events (site_uuid, event_uuid);
CREATE INDEX events_by_device ON events (site_uuid, device_uuid, number) WHERE device_uuid IS NOT NULL;

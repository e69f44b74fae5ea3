-- One row per reading, in monthly partitions that are created with the first reading of the month. The index includes
-- the value, so that a range is read from the index alone; rows are in the order of arrival.
CREATE TABLE readings (
  site_uuid uuid NOT NULL,
  series_id bigint NOT NULL,
  ts        bigint NOT NULL,
  value     double precision NOT NULL,
  PRIMARY KEY (site_uuid, series_id, ts) INCLUDE (value)
) PARTITION BY RANGE (ts);

-- Updated by every batch: the free space in its pages allows updates that leave the index unchanged (HOT).
CREATE TABLE latest_readings (
  site_uuid uuid NOT NULL,
  series_id bigint NOT NULL,
  ts        bigint NOT NULL,
  value     double precision NOT NULL,
  PRIMARY KEY (site_uuid, series_id)
) WITH (fillfactor = 60);

-- The last reading of each series before the retained ones: the windows after it are interpolated from it.
CREATE TABLE edge_readings (
  site_uuid uuid NOT NULL,
  series_id bigint NOT NULL,
  ts        bigint NOT NULL,
  value     double precision NOT NULL,
  PRIMARY KEY (site_uuid, series_id)
);

-- Instants; 0 for none yet. No rollup extends beyond sealed_before. Rollups of days before final_before are never
-- deleted. Readings before dropped_before are deleted. Adding readings locks the row FOR KEY SHARE, moving an instant
-- FOR UPDATE.
CREATE TABLE site_state (
  site_uuid      uuid PRIMARY KEY,
  sealed_before  bigint NOT NULL DEFAULT 0,
  final_before   bigint NOT NULL DEFAULT 0,
  dropped_before bigint NOT NULL DEFAULT 0
);

-- Closed days of a series, in days of its site's calendar: the slots of a day, the days of a month. See
-- telemetry/rollup/cell-row.ts.
CREATE TABLE rollup_days (
  site_uuid uuid NOT NULL,
  series_id bigint NOT NULL,
  day       integer NOT NULL,
  cells     bytea NOT NULL,
  PRIMARY KEY (site_uuid, series_id, day)
);

CREATE TABLE rollup_months (
  site_uuid uuid NOT NULL,
  series_id bigint NOT NULL,
  month     integer NOT NULL,
  cells     bytea NOT NULL,
  PRIMARY KEY (site_uuid, series_id, month)
);

-- The quarter hours of days whose readings are deleted.
CREATE TABLE rollup_quarters (
  site_uuid uuid NOT NULL,
  series_id bigint NOT NULL,
  day       integer NOT NULL,
  cells     bytea NOT NULL,
  PRIMARY KEY (site_uuid, series_id, day)
);

-- Closed days to roll up. Transactions that change the rollups of a series lock its row.
CREATE TABLE stale_days (
  site_uuid uuid NOT NULL,
  series_id bigint NOT NULL,
  days      int4multirange NOT NULL,
  due_at    bigint NOT NULL,
  PRIMARY KEY (site_uuid, series_id)
);

-- citus: SELECT create_distributed_table('readings', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('latest_readings', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('edge_readings', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('site_state', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('rollup_days', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('rollup_months', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('rollup_quarters', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('stale_days', 'site_uuid', colocate_with => 'series');

CREATE INDEX stale_days_by_due ON stale_days (due_at);

-- The end of the days that events have reported as closed, as an instant; 0 for none yet. Never after rollup_watermark.
ALTER TABLE site_state ADD COLUMN closed_before bigint NOT NULL DEFAULT 0;

-- Closed days of a space's series whose values have changed and that no event has reported yet.
CREATE TABLE corrections (
  site_uuid uuid NOT NULL,
  series_id bigint NOT NULL,
  from_day  integer NOT NULL,
  end_day   integer NOT NULL, -- exclusive
  first_at  bigint NOT NULL,
  due_at    bigint NOT NULL,
  PRIMARY KEY (site_uuid, series_id, from_day)
);

-- Whether device.battery_low has been reported; null in rows written before this column existed.
ALTER TABLE device_statuses ADD COLUMN is_battery_low boolean;

-- citus: SELECT create_distributed_table('corrections', 'site_uuid', colocate_with => 'series');

CREATE INDEX corrections_by_due ON corrections (due_at);

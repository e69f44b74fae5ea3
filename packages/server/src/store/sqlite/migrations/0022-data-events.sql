-- The end of the days that events have reported as closed, as an instant; 0 for none yet.
ALTER TABLE site_state ADD COLUMN closed_before INTEGER NOT NULL DEFAULT 0;

-- Closed days of a space's series whose values have changed and that no event has reported yet.
CREATE TABLE corrections (
  site_uuid TEXT NOT NULL,
  series_id INTEGER NOT NULL,
  from_day  INTEGER NOT NULL,
  end_day   INTEGER NOT NULL, -- exclusive
  first_at  INTEGER NOT NULL,
  due_at    INTEGER NOT NULL,
  PRIMARY KEY (site_uuid, series_id, from_day)
) STRICT, WITHOUT ROWID;

CREATE INDEX corrections_by_due ON corrections (due_at);

-- Whether device.battery_low has been reported; null in rows written before this column existed.
ALTER TABLE device_statuses ADD COLUMN is_battery_low INTEGER;

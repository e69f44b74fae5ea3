-- As many readings of a series as it takes, from before those that are kept: see reading/retention.ts.
ALTER TABLE edge_readings DROP CONSTRAINT edge_readings_pkey;
ALTER TABLE edge_readings ADD CONSTRAINT edge_readings_pkey PRIMARY KEY (site_uuid, series_id, ts);

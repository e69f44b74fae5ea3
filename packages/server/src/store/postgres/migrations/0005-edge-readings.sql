-- Several boundary readings per series are retained: see reading/retention.ts.
ALTER TABLE edge_readings DROP CONSTRAINT edge_readings_pkey;
ALTER TABLE edge_readings ADD CONSTRAINT edge_readings_pkey PRIMARY KEY (site_uuid, series_id, ts);

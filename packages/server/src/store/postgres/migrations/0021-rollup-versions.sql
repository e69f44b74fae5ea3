-- Rises in each transaction that adds or removes rollups of the series: data computed from them is valid while it is
-- unchanged. Versions are times in milliseconds, as those of `latest_readings`.
CREATE TABLE rollup_versions (
  site_uuid uuid NOT NULL,
  series_id bigint NOT NULL,
  version   bigint NOT NULL,
  PRIMARY KEY (site_uuid, series_id)
) WITH (fillfactor = 60);

-- citus: SELECT create_distributed_table('rollup_versions', 'site_uuid', colocate_with => 'series');

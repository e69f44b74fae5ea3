-- Tables and columns get the names that docs/glossary.md uses. Citus applies each of these statements to the shards as
-- well. The index of a primary key is renamed as an index: Citus cannot rename a constraint.
ALTER TABLE players RENAME TO server_schedules;
ALTER TABLE server_schedules RENAME COLUMN next_at TO next_change_at;
ALTER TABLE server_schedules RENAME COLUMN target TO last_target;
ALTER INDEX players_pkey RENAME TO server_schedules_pkey;
ALTER INDEX players_by_time RENAME TO server_schedules_by_time;

ALTER TABLE stale_days RENAME TO rollup_queue;
ALTER INDEX stale_days_pkey RENAME TO rollup_queue_pkey;
ALTER INDEX stale_days_by_due RENAME TO rollup_queue_by_due;

-- Instants; 0 for none yet. No rollup extends beyond rollup_watermark; rollups of days before immutable_before are
-- never deleted; readings before retention_watermark are deleted.
ALTER TABLE site_state RENAME COLUMN sealed_before TO rollup_watermark;
ALTER TABLE site_state RENAME COLUMN final_before TO immutable_before;
ALTER TABLE site_state RENAME COLUMN dropped_before TO retention_watermark;

ALTER TABLE rollup_quarters RENAME TO rollup_quarter_hours;
ALTER INDEX rollup_quarters_pkey RENAME TO rollup_quarter_hours_pkey;

ALTER TABLE edge_readings RENAME TO boundary_readings;
ALTER INDEX edge_readings_pkey RENAME TO boundary_readings_pkey;

-- The device or gateway that reported its presence.
ALTER TABLE presences RENAME COLUMN unit_uuid TO sender_uuid;

-- The deadline at which the clock changes the state of the command.
ALTER TABLE commands RENAME COLUMN clock_at TO deadline_at;
ALTER INDEX commands_by_clock RENAME TO commands_by_deadline;

-- Set if the device reconnected while the message was leased.
ALTER TABLE outbox RENAME COLUMN is_woken TO retry_requested;

-- The instance that simulates a device has applied a request once acknowledged has reached requested.
ALTER TABLE simulations RENAME COLUMN asked TO requested;
ALTER TABLE simulations RENAME COLUMN heard TO acknowledged;

ALTER TABLE limit_counts RENAME TO rate_limit_counters;
ALTER INDEX limit_counts_pkey RENAME TO rate_limit_counters_pkey;

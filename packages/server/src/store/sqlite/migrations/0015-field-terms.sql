-- Tables and columns get the names that docs/glossary.md uses.
ALTER TABLE players RENAME TO server_schedules;
ALTER TABLE server_schedules RENAME COLUMN next_at TO next_change_at;
ALTER TABLE server_schedules RENAME COLUMN target TO last_target;
DROP INDEX players_by_time;
CREATE INDEX server_schedules_by_time ON server_schedules (next_change_at) WHERE next_change_at IS NOT NULL;

-- Closed days to roll up. Recreated, because the end of the days was inclusive.
CREATE TABLE rollup_queue (
  series_id   INTEGER NOT NULL,
  from_day    INTEGER NOT NULL,
  end_day     INTEGER NOT NULL, -- exclusive
  enqueued_at INTEGER NOT NULL,
  due_at      INTEGER NOT NULL,
  PRIMARY KEY (series_id, from_day)
) STRICT, WITHOUT ROWID;

INSERT INTO rollup_queue (series_id, from_day, end_day, enqueued_at, due_at)
SELECT series_id, from_day, to_day + 1, marked_at, due_at FROM stale_days;

DROP TABLE stale_days;
CREATE INDEX rollup_queue_by_due ON rollup_queue (due_at);

-- Instants: no rollup of the site extends beyond rollup_watermark.
ALTER TABLE sealed RENAME TO site_state;
ALTER TABLE site_state RENAME COLUMN before TO rollup_watermark;

ALTER TABLE journal RENAME COLUMN arrival TO sequence;

-- The last sequence that is in reading_days; the instant before which readings are deleted.
ALTER TABLE journal_state RENAME COLUMN packed_through TO compacted_through;
ALTER TABLE journal_state RENAME COLUMN dropped_before TO retention_watermark;

ALTER TABLE rollup_quarters RENAME TO rollup_quarter_hours;

-- The device or gateway that reported its presence.
ALTER TABLE presences RENAME COLUMN unit_uuid TO sender_uuid;

-- The deadline at which the clock changes the state of the command.
ALTER TABLE commands RENAME COLUMN clock_at TO deadline_at;
DROP INDEX commands_by_clock;
CREATE INDEX commands_by_deadline ON commands (deadline_at) WHERE deadline_at IS NOT NULL;

-- Set if the device reconnected while the message was leased.
ALTER TABLE outbox RENAME COLUMN is_woken TO retry_requested;

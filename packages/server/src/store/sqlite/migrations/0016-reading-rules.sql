-- Rollups are computed by new rules (coverage of gauges, falls of registers, intervals of deltas, sub-meters). Those
-- that can be computed from readings are deleted and computed again in the background; until then, their days are read
-- from the readings. Rollups of devices for days whose readings may be deleted stay: a day after retention_watermark is
-- later than its UTC day in any time zone. Rollups of spaces are computed from those of their devices, however old they
-- are.
CREATE TEMP TABLE space_series AS
SELECT series_id FROM series WHERE subject_uuid IN (SELECT space_uuid FROM spaces);

CREATE TEMP TABLE first_day AS
SELECT CASE retention_watermark WHEN 0 THEN -1000000 ELSE retention_watermark / 86400000 + 1 END AS day,
  CASE retention_watermark WHEN 0 THEN -100000
  ELSE (strftime('%Y', retention_watermark / 1000 + 86400, 'unixepoch') - 1970) * 12
    + strftime('%m', retention_watermark / 1000 + 86400, 'unixepoch') - 1 END AS month
FROM journal_state;

INSERT INTO rollup_queue (series_id, from_day, end_day, enqueued_at, due_at)
SELECT series_id, min(day), max(day) + 1, 0, unixepoch() * 1000 FROM rollup_days
WHERE day >= (SELECT day FROM first_day) OR series_id IN (SELECT series_id FROM space_series) GROUP BY series_id
ON CONFLICT (series_id, from_day) DO UPDATE SET end_day = max(end_day, excluded.end_day), due_at = min(due_at, excluded.due_at);

DELETE FROM rollup_days WHERE day >= (SELECT day FROM first_day) OR series_id IN (SELECT series_id FROM space_series);
DELETE FROM rollup_months WHERE month > (SELECT month FROM first_day) OR series_id IN (SELECT series_id FROM space_series);

-- In the month of the watermark, the earlier days stay. A damaged row is left to be reported.
CREATE TEMP TABLE earlier_days AS
SELECT series_id, month, days_before(month, cells, (SELECT day FROM first_day)) AS cells FROM rollup_months
WHERE month = (SELECT month FROM first_day) AND checksum = row_checksum('rollup_months', series_id, month, cells);

DELETE FROM rollup_months WHERE (series_id, month) IN (SELECT series_id, month FROM earlier_days);

INSERT INTO rollup_months (series_id, month, cells, checksum)
SELECT series_id, month, cells, row_checksum('rollup_months', series_id, month, cells) FROM earlier_days WHERE cells IS NOT NULL;

DROP TABLE earlier_days;

DROP TABLE first_day;
DROP TABLE space_series;

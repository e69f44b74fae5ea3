-- Calls of version 1 by the hour, so that the console can show how they decrease. Hours rather than days: "in 24 hours"
-- is a sum of them, and so is a day. Old hours are deleted.
CREATE TABLE v1_hourly_calls (
  hour         INTEGER NOT NULL, -- its start
  partner_uuid TEXT NOT NULL,
  calls        INTEGER NOT NULL,
  failed       INTEGER NOT NULL, -- those with a 4xx or 5xx response
  PRIMARY KEY (hour, partner_uuid)
) STRICT, WITHOUT ROWID;

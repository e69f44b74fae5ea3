-- Calls of version 1 by the hour, so that the console can show how they decrease. Hours rather than days: "in 24 hours"
-- is a sum of them, and so is a day. Old hours are deleted.
CREATE TABLE v1_hourly_calls (
  hour         bigint NOT NULL, -- its start
  partner_uuid uuid NOT NULL,
  calls        bigint NOT NULL,
  failed       bigint NOT NULL, -- those with a 4xx or 5xx response
  PRIMARY KEY (hour, partner_uuid)
);

-- citus: SELECT create_reference_table('v1_hourly_calls');

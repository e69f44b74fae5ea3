-- Every read of a device's commands has an index in the order in which it reads them. Without one, SQLite read the
-- commands of the whole site or all of the device.
DROP INDEX commands_by_time;
CREATE INDEX commands_by_time ON commands (site_uuid, device_uuid, created_at DESC, command_uuid DESC);
DROP INDEX commands_unfinished;
CREATE INDEX commands_unfinished ON commands (site_uuid, device_uuid, created_at, command_uuid)
  WHERE deadline_at IS NOT NULL;
DROP INDEX commands_confirmed;
CREATE INDEX commands_confirmed ON commands (site_uuid, device_uuid, type, created_at DESC, command_uuid DESC)
  WHERE state = 'CONFIRMED';
CREATE INDEX commands_one_off ON commands (site_uuid, device_uuid, ends_at)
  WHERE state = 'CONFIRMED' AND type = 'oneOff';

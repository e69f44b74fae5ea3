-- Of a device's confirmed one-offs, only those that have not ended are read.
CREATE INDEX commands_one_off ON commands (site_uuid, device_uuid, ends_at)
  WHERE state = 'CONFIRMED' AND type = 'oneOff';

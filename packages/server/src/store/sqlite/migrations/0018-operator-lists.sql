-- The commands of a site, newest first, for the operator.
CREATE INDEX commands_of_site ON commands (site_uuid, created_at DESC, command_uuid DESC);

-- Addresses of the server that started last on this store, as JSON: commands print them.
ALTER TABLE installation ADD COLUMN server_addresses TEXT;

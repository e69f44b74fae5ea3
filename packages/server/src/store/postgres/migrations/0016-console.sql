-- Browsers that are signed in to the console. `session_id` is the base64url of the SHA-256 of the cookie's value.
CREATE TABLE console_sessions (
  session_id   text PRIMARY KEY,
  partner_uuid uuid NOT NULL,
  secret_id    uuid, -- null: opened by a one-time link
  created_at   bigint NOT NULL,
  expires_at   bigint NOT NULL,
  address      text NOT NULL,
  agent        text NOT NULL
);

-- One-time links to the console. `code_id` is the base64url of the SHA-256 of the code.
CREATE TABLE console_codes (
  code_id      text PRIMARY KEY,
  partner_uuid uuid NOT NULL,
  expires_at   bigint NOT NULL
);

-- citus: SELECT create_reference_table('console_sessions');
-- citus: SELECT create_reference_table('console_codes');

CREATE INDEX console_sessions_of_partner ON console_sessions (partner_uuid, created_at);

-- The commands of all sites, newest first, for the operator.
CREATE INDEX commands_of_all_sites ON commands (created_at DESC, command_uuid DESC);

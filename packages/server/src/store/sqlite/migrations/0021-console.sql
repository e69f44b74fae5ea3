-- Browsers that are signed in to the console. `session_id` is the base64url of the SHA-256 of the cookie's value.
CREATE TABLE console_sessions (
  session_id   TEXT PRIMARY KEY,
  partner_uuid TEXT NOT NULL,
  secret_id    TEXT, -- null: opened by a one-time link
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  address      TEXT NOT NULL,
  agent        TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX console_sessions_of_partner ON console_sessions (partner_uuid, created_at);

-- One-time links to the console. `code_id` is the base64url of the SHA-256 of the code.
CREATE TABLE console_codes (
  code_id      TEXT PRIMARY KEY,
  partner_uuid TEXT NOT NULL,
  expires_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The commands of all sites, newest first, for the operator.
CREATE INDEX commands_of_all_sites ON commands (created_at DESC, command_uuid DESC);

-- Calls of each partner to each endpoint of version 1, by status class.
CREATE TABLE v1_usage (
  partner_uuid TEXT NOT NULL,
  path         TEXT NOT NULL,
  status_class INTEGER NOT NULL, -- 2 for 200 to 299
  calls        INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  PRIMARY KEY (partner_uuid, path, status_class)
) STRICT, WITHOUT ROWID;

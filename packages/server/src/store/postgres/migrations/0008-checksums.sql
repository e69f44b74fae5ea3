-- A CRC-32 of each row's key and cells, verified on every read: lib/row-checksum.ts. Rows written by earlier releases have none until
-- background maintenance has added it; the partial indexes find these rows and are empty afterwards.
ALTER TABLE rollup_days ADD COLUMN checksum integer;
ALTER TABLE rollup_months ADD COLUMN checksum integer;
ALTER TABLE rollup_quarters ADD COLUMN checksum integer;

CREATE INDEX rollup_days_unchecked ON rollup_days (site_uuid) WHERE checksum IS NULL;
CREATE INDEX rollup_months_unchecked ON rollup_months (site_uuid) WHERE checksum IS NULL;
CREATE INDEX rollup_quarters_unchecked ON rollup_quarters (site_uuid) WHERE checksum IS NULL;

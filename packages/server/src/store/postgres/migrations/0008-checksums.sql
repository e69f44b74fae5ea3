-- Whether every rollup of the site has been given a checksum, which is stored behind its cells (checksummed-cells.ts). Rows of earlier
-- releases have none until maintenance has added it.
ALTER TABLE site_state ADD COLUMN has_checksums boolean NOT NULL DEFAULT false;

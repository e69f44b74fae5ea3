-- Whether every rollup of the site has a checksum, which is stored after its cells (checksummed-cells.ts). Rows of
-- earlier releases have none until maintenance has added it.
ALTER TABLE site_state ADD COLUMN has_checksums boolean NOT NULL DEFAULT false;

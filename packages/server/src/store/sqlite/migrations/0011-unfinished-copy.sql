-- Present while another installation is being copied into this store: the source, and the last row that was written.
CREATE TABLE unfinished_copy (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  source   TEXT NOT NULL,
  position TEXT -- JSON
) STRICT;

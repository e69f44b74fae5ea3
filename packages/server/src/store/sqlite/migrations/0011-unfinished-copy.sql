-- There while another installation is being copied into this store: from which, and the last row that is here.
CREATE TABLE unfinished_copy (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  source   TEXT NOT NULL,
  position TEXT -- JSON
) STRICT;

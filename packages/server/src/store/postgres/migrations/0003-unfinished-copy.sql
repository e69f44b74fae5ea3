-- Present while another installation is being copied into this store: the source, and the last row that was written.
CREATE TABLE unfinished_copy (
  id       integer PRIMARY KEY CHECK (id = 1),
  source   text NOT NULL,
  position text -- JSON
);

-- citus: SELECT create_reference_table('unfinished_copy');

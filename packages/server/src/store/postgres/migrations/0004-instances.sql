-- What several servers on one database have in common.

-- What one of them does for all, until held_until: then another may take it. On Citus the coordinator alone has it.
CREATE TABLE leases (
  name       text COLLATE "C" PRIMARY KEY,
  holder     uuid NOT NULL,
  held_until bigint NOT NULL
);

-- How partners want the devices of a sandbox to behave. Whoever plays them has heard of it when heard has reached asked.
CREATE TABLE simulations (
  site_uuid     uuid NOT NULL,
  device_uuid   uuid NOT NULL,
  mode          text, -- null until somebody chose
  delay_seconds integer,
  asked         integer NOT NULL DEFAULT 0,
  heard         integer NOT NULL DEFAULT 0,
  PRIMARY KEY (site_uuid, device_uuid)
);

-- How often something was used lately; see count_uses. Not worth a log: after a crash all begin anew. Rewritten with every
-- request: the room left in its pages keeps its index as it is.
CREATE UNLOGGED TABLE limit_counts (
  key        text COLLATE "C" PRIMARY KEY,
  state      bigint[] NOT NULL,
  expires_at bigint NOT NULL
) WITH (fillfactor = 50);

-- A pure function, so that counting is one statement on one row: from what was known to what is. A state is how many of the
-- last uses were counted, the instant they were judged at, and for each window start, current and previous
-- (limit/buckets.ts). The instances' clocks differ a little: the time of a key never goes back, unless it was more than a
-- window ahead. Fewer than no uses are given back.
CREATE FUNCTION count_uses(known bigint[], limits bigint[], lengths bigint[], at bigint, uses bigint) RETURNS bigint[]
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  windows bigint[] := '{}';
  start bigint;
  current bigint;
  previous bigint;
BEGIN
  FOR i IN 1 .. cardinality(lengths) LOOP
    IF known[3 * i] <= at + lengths[i] THEN
      at := greatest(at, known[3 * i]);
    END IF;
  END LOOP;
  FOR i IN 1 .. cardinality(lengths) LOOP
    start := at - at % lengths[i];
    current := CASE known[3 * i] WHEN start THEN known[3 * i + 1] ELSE 0 END;
    previous := CASE known[3 * i] WHEN start THEN known[3 * i + 2] WHEN start - lengths[i] THEN known[3 * i + 1] ELSE 0 END;
    IF uses > 0 THEN
      uses := greatest(0, least(uses, floor(limits[i] - (previous * (1 - (at - start) / lengths[i]::float8) + current))));
    END IF;
    windows := windows || ARRAY[start, current, previous];
  END LOOP;
  FOR i IN 1 .. cardinality(lengths) LOOP
    windows[3 * i - 1] := greatest(0, windows[3 * i - 1] + uses);
  END LOOP;
  RETURN ARRAY[uses, at] || windows;
END
$$;

-- citus: SELECT create_distributed_table('simulations', 'site_uuid', colocate_with => 'series');
-- citus: SELECT create_distributed_table('limit_counts', 'key');

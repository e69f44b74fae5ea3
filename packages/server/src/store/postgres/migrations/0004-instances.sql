-- State that several servers on one database share.

-- Leases for work that one server does for all; another may acquire a lease after held_until. On Citus, a table of the
-- coordinator.
CREATE TABLE leases (
  name       text COLLATE "C" PRIMARY KEY,
  holder     uuid NOT NULL,
  held_until bigint NOT NULL
);

-- Simulation requests of partners. The server that simulates the device has applied a request once heard has reached
-- asked.
CREATE TABLE simulations (
  site_uuid     uuid NOT NULL,
  device_uuid   uuid NOT NULL,
  mode          text, -- null until somebody chose
  delay_seconds integer,
  asked         integer NOT NULL DEFAULT 0,
  heard         integer NOT NULL DEFAULT 0,
  PRIMARY KEY (site_uuid, device_uuid)
);

-- Rate-limit counters; see count_uses. Unlogged: after a crash, all counters start at 0. Updated by every request: the
-- free space in its pages allows updates that leave the index unchanged (HOT).
CREATE UNLOGGED TABLE limit_counts (
  key        text COLLATE "C" PRIMARY KEY,
  state      bigint[] NOT NULL,
  expires_at bigint NOT NULL
) WITH (fillfactor = 50);

-- A pure function from the old state of a counter to the new one, so that counting is one statement on one row. A state
-- contains how many of the last uses were allowed, the time of that decision, and for each window start, current and
-- previous. The instances' clocks differ a little: the time of a key never goes back, unless it was more than a window
-- ahead. A negative number of uses is a refund.
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

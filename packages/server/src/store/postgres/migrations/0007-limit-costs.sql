-- count_uses with a cost: a use consumes `cost` units of every window, or none if one of them lacks room. The state of
-- a key has the same form as in count_uses, which remains for instances of the previous release that run beside this
-- one: how many of the last uses were allowed, the time of that decision, and for each window its start, current and
-- previous count in units. A negative number of uses is a refund.
CREATE FUNCTION consume_limits(known bigint[], limits bigint[], lengths bigint[], at bigint, uses bigint, cost bigint)
  RETURNS bigint[]
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
      uses := greatest(0, least(uses,
        floor((limits[i] - (previous * (1 - (at - start) / lengths[i]::float8) + current)) / cost)));
    END IF;
    windows := windows || ARRAY[start, current, previous];
  END LOOP;
  FOR i IN 1 .. cardinality(lengths) LOOP
    windows[3 * i - 1] := greatest(0, windows[3 * i - 1] + uses * cost);
  END LOOP;
  RETURN ARRAY[uses, at] || windows;
END
$$;

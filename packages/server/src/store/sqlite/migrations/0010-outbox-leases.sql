-- Lease expiry of a claimed message; null once its result is recorded.
ALTER TABLE outbox ADD COLUMN leased_until INTEGER;
-- Set if the device reconnected while the message was leased.
ALTER TABLE outbox ADD COLUMN is_woken INTEGER NOT NULL DEFAULT 0;

-- Who claimed a message has it until then, whatever becomes due meanwhile; null once its outcome is recorded.
ALTER TABLE outbox ADD COLUMN leased_until INTEGER;
-- The device came back while somebody had the message.
ALTER TABLE outbox ADD COLUMN is_woken INTEGER NOT NULL DEFAULT 0;

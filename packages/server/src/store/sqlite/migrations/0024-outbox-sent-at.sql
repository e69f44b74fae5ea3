-- When the message was last published. A device that reconnects does not receive it again while it may still respond.
ALTER TABLE outbox ADD COLUMN sent_at INTEGER;

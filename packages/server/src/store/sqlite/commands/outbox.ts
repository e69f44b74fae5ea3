import type { DatabaseSync } from 'node:sqlite'
import { LONGEST_WAIT_MS, type OutboxStore } from '../../../domain/control/command/store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { DUE } from './outbox-rows.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

export const sqliteOutbox = (reader: () => DatabaseSync, writes: BoundWrites<'outbox'>): OutboxStore =>
  withWrites<OutboxStore, 'outbox'>(writes, {
    // Called every second: the writer is used only if a message is due or expired.
    claim: async (now, leaseUntil, limit) => {
      const isDue = translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT 1 FROM outbox WHERE ${DUE} UNION ALL SELECT 1 FROM outbox WHERE expires_at <= ?1 LIMIT 1`,
        ).get(now, now + LONGEST_WAIT_MS),
      )
      return isDue ? writes.claim(now, leaseUntil, limit) : []
    },
  })

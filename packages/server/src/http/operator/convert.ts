import type { AuditEntry } from '@portico/wire/operator/audit'
import type { RejectedMessage } from '@portico/wire/operator/rejected'
import type { RecordedEntry } from '../../domain/identity/audit.ts'
import type { StoredRejection } from '../../domain/telemetry/ingest/rejected.ts'
import { isoInstant } from '../../kernel/clock.ts'

export const toWireEntry = (entry: RecordedEntry): AuditEntry => ({ ...entry, at: isoInstant(entry.at) })

export function toWireRejected(rejection: StoredRejection): RejectedMessage {
  const { id: _, ...message } = rejection
  return { ...message, at: isoInstant(message.at) }
}

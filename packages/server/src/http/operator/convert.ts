import type { AuditEntry } from '@portico/wire/operator/audit'
import type { Key } from '@portico/wire/operator/key'
import type { RejectedMessage } from '@portico/wire/operator/rejected'
import type { RecordedEntry } from '../../domain/identity/audit.ts'
import type { SigningKey } from '../../domain/identity/token/keys.ts'
import type { StoredRejection } from '../../domain/telemetry/ingest/rejected.ts'
import { isoInstant } from '../../kernel/clock.ts'

export const toWireEntry = (entry: RecordedEntry): AuditEntry => ({
  ...entry,
  at: isoInstant(entry.at),
  detail: toWireDetail(entry.detail),
})

/** Release 0.1.0 stored `expiresAt` in milliseconds. */
function toWireDetail(detail: RecordedEntry['detail']): AuditEntry['detail'] {
  const { expiresAt } = detail
  return typeof expiresAt === 'number' ? { ...detail, expiresAt: isoInstant(expiresAt) } : detail
}

export const toWireKey = ({ kid, algorithm, createdAt, retiredAt }: SigningKey): Key => ({
  kid,
  algorithm,
  createdAt: isoInstant(createdAt),
  retiredAt: retiredAt === null ? null : isoInstant(retiredAt),
})

export function toWireRejected(rejection: StoredRejection): RejectedMessage {
  const { id: _, ...message } = rejection
  return { ...message, at: isoInstant(message.at) }
}

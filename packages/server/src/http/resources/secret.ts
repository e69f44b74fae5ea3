import type { Secret as WireSecret } from '@portico/wire/operator/partner'
import { isoInstant } from '../../kernel/clock.ts'
import type { Secret } from '../../domain/identity/partner/secret.ts'

export const toWireSecret = (secret: Secret): WireSecret => ({
  secretId: secret.secretId,
  hint: secret.hint,
  createdAt: isoInstant(secret.createdAt),
  expiresAt: isoInstant(secret.expiresAt),
  lastUsedAt: secret.lastUsedAt === null ? null : isoInstant(secret.lastUsedAt),
})

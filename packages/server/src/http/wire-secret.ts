import type { Secret as WireSecret } from '@portico/wire/operator/partner'
import type { Secret } from '../domain/identity/partner/secret.ts'
import { isoInstant } from '../kernel/clock.ts'

/** A secret without its value, as the operator and its owner see it. */
export const toWireSecret = (secret: Secret): WireSecret => ({
  secretId: secret.secretId,
  hint: secret.hint,
  createdAt: isoInstant(secret.createdAt),
  expiresAt: isoInstant(secret.expiresAt),
  lastUsedAt: secret.lastUsedAt === null ? null : isoInstant(secret.lastUsedAt),
})

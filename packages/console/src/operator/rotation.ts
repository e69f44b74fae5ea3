import type { PartnerWithSecrets } from '@portico/sdk/operator'

type Secret = PartnerWithSecrets['secrets'][number]

const DAY_MS = 86_400_000
const SOON_MS = 30 * DAY_MS

export function toExpiry(expiresAt: string, now: number): 'expired' | 'soon' | 'later' {
  const leftMs = Date.parse(expiresAt) - now
  if (leftMs <= 0) return 'expired'
  return leftMs < SOON_MS ? 'soon' : 'later'
}

/** Where a partner is in the replacement of its secret: 1 with one secret, 2 until the newest is used, then 3. */
export function findStep(secrets: readonly Secret[], now: number): 1 | 2 | 3 {
  const valid = secrets
    .filter(({ expiresAt }) => Date.parse(expiresAt) > now)
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
  const newest = valid.at(-1)
  if (valid.length < 2 || !newest) return 1
  return newest.lastUsedAt === null ? 2 : 3
}

import type { AuditEntry } from '../audit.ts'
import { toSeconds } from '../../../kernel/clock.ts'
import { losesOperatorRights, type Partner, type PartnerChanges } from './partner.ts'
import type { StoredSecret } from './secret.ts'
import type { ChangePartnerOutcome } from './store.ts'

/** What a store has loaded about the partner to be changed. */
export interface PartnerState {
  before: Partner | undefined
  /** Those of the sites to be granted that do not exist. */
  unknownSites: string[]
  /** Whether another enabled partner has the role Operator. Only needed if `removesOperator`. */
  hasOtherOperator: boolean
}

/** A refusal, or everything that a store writes for the change. */
export type PartnerChangeDecision =
  | Exclude<ChangePartnerOutcome, { outcome: 'changed' }>
  | {
      outcome: 'changed'
      partner: Partner
      /** The sites that replace those granted before; undefined if they stay. */
      grants: readonly string[] | undefined
      audit: AuditEntry[]
    }

/** Whether the change takes the rights of an operator away from an enabled partner that has them. */
export const removesOperator = (before: Partner, changes: PartnerChanges): boolean =>
  losesOperatorRights(before, { ...before, ...changes })

export function decidePartnerChange(
  { before, unknownSites, hasOtherOperator }: PartnerState,
  changes: PartnerChanges,
  entry: AuditEntry,
): PartnerChangeDecision {
  if (!before) return { outcome: 'unknown-partner' }
  if (unknownSites.length > 0) return { outcome: 'unknown-sites', siteUuids: unknownSites }
  if (removesOperator(before, changes) && !hasOtherOperator) return { outcome: 'last-operator' }
  const partner: Partner = { ...before, ...changes, updatedAt: entry.at }
  // Tokens carry whole seconds: those issued in the second of the change end too.
  if (before.enabled && !partner.enabled) partner.tokensNotBefore = toSeconds(entry.at) + 1
  return { outcome: 'changed', partner, grants: changes.sites, audit: [entry] }
}

/** What a store has loaded about the partner that gets a secret. */
export interface SecretState {
  isKnown: boolean
  /** The expiry of each of its secrets. */
  expiries: readonly number[]
}

export type SecretAddDecision =
  | { outcome: 'unknown-partner' | 'too-many' }
  | { outcome: 'added'; secret: StoredSecret; audit: AuditEntry[] }

export function decideSecretAdd(
  { isKnown, expiries }: SecretState,
  secret: StoredSecret,
  { maxLive }: { maxLive: number },
  entry: AuditEntry,
): SecretAddDecision {
  if (!isKnown) return { outcome: 'unknown-partner' }
  const live = expiries.filter((expiresAt) => expiresAt > secret.createdAt)
  if (live.length >= maxLive) return { outcome: 'too-many' }
  return { outcome: 'added', secret, audit: [entry] }
}

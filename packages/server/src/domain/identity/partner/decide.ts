import { isDeepStrictEqual } from 'node:util'
import type { AuditEntry } from '../audit.ts'
import { toSeconds } from '../../../kernel/clock.ts'
import { losesOperatorRights, type Partner, type PartnerChanges } from './partner.ts'
import type { StoredSecret } from './secret.ts'
import type { ChangePartnerOutcome } from './store.ts'

/** The state that a store loads before it changes a partner. */
export interface PartnerState {
  before: Partner | undefined
  /** The sites to be granted that do not exist. */
  unknownSites: string[]
  /** Whether another enabled partner has the role Operator. Needed only if `removesOperator`. */
  hasOtherOperator: boolean
}

/** An outcome that writes nothing, or everything that a store writes for the change. */
export type PartnerChangeDecision =
  | Exclude<ChangePartnerOutcome, { outcome: 'changed' }>
  | {
      outcome: 'changed'
      partner: Partner
      /** The sites that replace the granted ones; undefined if the grants do not change. */
      grants: readonly string[] | undefined
      audit: AuditEntry[]
    }

/** Whether the change removes the operator rights of an enabled partner. */
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
  const { sites, grantSites, revokeSites, ...rest } = changes
  const grants = sites || grantSites || revokeSites ? changeSites(before.sites, changes) : undefined
  const after: Partner = { ...before, ...rest, sites: grants ?? before.sites }
  if (isSamePartner(before, after)) return { outcome: 'unchanged', partner: before }
  const partner: Partner = { ...after, updatedAt: entry.at }
  // Token times are whole seconds: tokens issued in the second of the change are revoked too.
  if (before.enabled && !partner.enabled) partner.tokensNotBefore = toSeconds(entry.at) + 1
  return { outcome: 'changed', partner, grants, audit: [entry] }
}

/** Whether two states of a partner differ in nothing but the order of its sites and roles. */
const isSamePartner = (a: Partner, b: Partner): boolean => isDeepStrictEqual(withSets(a), withSets(b))

const withSets = (partner: Partner) => ({
  ...partner,
  roles: new Set(partner.roles),
  sites: new Set(partner.sites),
})

function changeSites(before: readonly string[], changes: PartnerChanges): string[] {
  const { sites = before, grantSites = [], revokeSites = [] } = changes
  return [...new Set([...sites, ...grantSites])].filter((site) => !revokeSites.includes(site))
}

/** The state that a store loads before it adds a secret. */
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

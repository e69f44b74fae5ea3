import type { AuditEntry } from '../audit.ts'
import type { Partner, PartnerChanges } from './partner.ts'
import type { Secret, StoredSecret } from './secret.ts'

/** A partner with everything needed to check its credentials. */
export interface Client extends Partner {
  secrets: readonly StoredSecret[]
}

export type AddPartnerOutcome = { outcome: 'added' } | { outcome: 'client-id-taken' } | UnknownSites

export type ChangePartnerOutcome =
  | { outcome: 'changed'; partner: Partner }
  /** The partner already was as requested: nothing was written, and there is no audit entry. */
  | { outcome: 'unchanged'; partner: Partner }
  | { outcome: 'unknown-partner' }
  /** No other enabled partner has the role Operator: nothing was changed. */
  | { outcome: 'last-operator' }
  | UnknownSites

interface UnknownSites {
  outcome: 'unknown-sites'
  siteUuids: string[]
}

export interface ExpiringSecret extends Pick<Secret, 'secretId' | 'hint' | 'expiresAt'> {
  partnerUuid: string
  partnerName: string
}

/** Partners belong to the installation, not to a site. Each write and its audit entry are one transaction. */
export interface PartnerStore {
  /** Ordered by `partnerUuid`, after the given one. */
  list(page: { after: string | undefined; limit: number }): Promise<Partner[]>
  get(partnerUuid: string): Promise<Partner | undefined>
  findClient(clientId: string): Promise<Client | undefined>
  secrets(partnerUuid: string): Promise<Secret[]>
  /** Live secrets of enabled partners that expire by an instant, the next one first. */
  expiringSecrets(times: { now: number; until: number }, limit: number): Promise<ExpiringSecret[]>

  add(partner: Partner, secret: StoredSecret, entry: AuditEntry): Promise<AddPartnerOutcome>
  /**
   * Disabling also raises `tokensNotBefore` to the second after `entry.at`. The last enabled operator keeps its role
   * and stays enabled, even if two operators are changed at the same time.
   */
  change(partnerUuid: string, changes: PartnerChanges, entry: AuditEntry): Promise<ChangePartnerOutcome>
  addSecret(
    partnerUuid: string,
    secret: StoredSecret,
    limit: { maxLive: number },
    entry: AuditEntry,
  ): Promise<'added' | 'unknown-partner' | 'too-many'>
  removeSecret(partnerUuid: string, secretId: string, entry: AuditEntry): Promise<'removed' | 'unknown'>
  recordUse(uses: readonly { secretId: string; at: number }[]): Promise<void>
}

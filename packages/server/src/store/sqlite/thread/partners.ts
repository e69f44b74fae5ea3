import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../../domain/identity/audit.ts'
import {
  decidePartnerChange,
  decideSecretAdd,
  removesOperator,
} from '../../../domain/identity/partner/decide.ts'
import {
  findGrantedSites,
  type Partner,
  type PartnerChanges,
} from '../../../domain/identity/partner/partner.ts'
import type { StoredSecret } from '../../../domain/identity/partner/secret.ts'
import type { AddPartnerOutcome, ChangePartnerOutcome } from '../../../domain/identity/partner/store.ts'
import { recordAudit } from '../identity/record-audit.ts'
import { prepareOnce } from '../connect.ts'
import { findPartner, secretRows } from '../identity/partner-rows.ts'
import { integer } from '../row.ts'

const hasOtherOperator = (db: DatabaseSync, partnerUuid: string): boolean =>
  prepareOnce(
    db,
    `SELECT 1 FROM partners
     WHERE enabled = 1 AND ' ' || roles || ' ' LIKE '% Operator %' AND partner_uuid <> ? LIMIT 1`,
  ).get(partnerUuid) !== undefined

const unknownSites = (db: DatabaseSync, siteUuids: readonly string[]): string[] =>
  siteUuids.filter((site) => !prepareOnce(db, 'SELECT 1 FROM sites WHERE site_uuid = ?').get(site))

const grantSites = (db: DatabaseSync, partnerUuid: string, siteUuids: readonly string[]): void => {
  prepareOnce(db, 'DELETE FROM partner_sites WHERE partner_uuid = ?').run(partnerUuid)
  const grant = prepareOnce(db, 'INSERT INTO partner_sites (partner_uuid, site_uuid) VALUES (?, ?)')
  for (const site of siteUuids) grant.run(partnerUuid, site)
}

const insertSecret = (db: DatabaseSync, partnerUuid: string, secret: StoredSecret): void => {
  prepareOnce(
    db,
    `INSERT INTO partner_secrets (secret_id, partner_uuid, hash, hint, created_at, expires_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    secret.secretId,
    partnerUuid,
    secret.hash,
    secret.hint,
    secret.createdAt,
    secret.expiresAt,
    secret.lastUsedAt,
  )
}

export const partnerWrites = {
  add(db: DatabaseSync, partner: Partner, secret: StoredSecret, entry: AuditEntry): AddPartnerOutcome {
    const unknown = unknownSites(db, partner.sites)
    if (unknown.length > 0) return { outcome: 'unknown-sites', siteUuids: unknown }
    const { changes } = prepareOnce(
      db,
      `INSERT INTO partners
         (partner_uuid, client_id, name, enabled, roles, tokens_not_before, created_at, updated_at, rate_limits)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (client_id) DO NOTHING`,
    ).run(
      partner.partnerUuid,
      partner.clientId,
      partner.name,
      partner.enabled ? 1 : 0,
      partner.roles.join(' '),
      partner.tokensNotBefore,
      partner.createdAt,
      partner.updatedAt,
      JSON.stringify(partner.rateLimits),
    )
    if (changes === 0) return { outcome: 'client-id-taken' }
    grantSites(db, partner.partnerUuid, partner.sites)
    insertSecret(db, partner.partnerUuid, secret)
    recordAudit(db, entry)
    return { outcome: 'added' }
  },

  change(
    db: DatabaseSync,
    partnerUuid: string,
    changes: PartnerChanges,
    entry: AuditEntry,
  ): ChangePartnerOutcome {
    const before = findPartner(db, partnerUuid)
    const decision = decidePartnerChange(
      {
        before,
        unknownSites: unknownSites(db, findGrantedSites(changes)),
        hasOtherOperator:
          before !== undefined && removesOperator(before, changes) && hasOtherOperator(db, partnerUuid),
      },
      changes,
      entry,
    )
    if (decision.outcome !== 'changed') return decision
    const { partner, grants, audit } = decision
    prepareOnce(
      db,
      `UPDATE partners SET name = ?, enabled = ?, roles = ?, tokens_not_before = ?, updated_at = ?, rate_limits = ?
       WHERE partner_uuid = ?`,
    ).run(
      partner.name,
      partner.enabled ? 1 : 0,
      partner.roles.join(' '),
      partner.tokensNotBefore,
      partner.updatedAt,
      JSON.stringify(partner.rateLimits),
      partnerUuid,
    )
    if (grants) grantSites(db, partnerUuid, grants)
    for (const one of audit) recordAudit(db, one)
    return { outcome: 'changed', partner }
  },

  addSecret(
    db: DatabaseSync,
    partnerUuid: string,
    secret: StoredSecret,
    limit: { maxLive: number },
    entry: AuditEntry,
  ): 'added' | 'unknown-partner' | 'too-many' {
    const state = {
      isKnown: findPartner(db, partnerUuid) !== undefined,
      expiries: secretRows(db, partnerUuid).map((row) => integer(row, 'expires_at')),
    }
    const decision = decideSecretAdd(state, secret, limit, entry)
    if (decision.outcome !== 'added') return decision.outcome
    insertSecret(db, partnerUuid, decision.secret)
    for (const one of decision.audit) recordAudit(db, one)
    return 'added'
  },

  removeSecret(
    db: DatabaseSync,
    partnerUuid: string,
    secretId: string,
    entry: AuditEntry,
  ): 'removed' | 'unknown' {
    const { changes } = prepareOnce(
      db,
      'DELETE FROM partner_secrets WHERE partner_uuid = ? AND secret_id = ?',
    ).run(partnerUuid, secretId)
    if (changes === 0) return 'unknown'
    recordAudit(db, entry)
    return 'removed'
  },

  recordUse(db: DatabaseSync, uses: readonly { secretId: string; at: number }[]): void {
    const update = prepareOnce(
      db,
      'UPDATE partner_secrets SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE secret_id = ?',
    )
    for (const { secretId, at } of uses) update.run(at, secretId)
  },
}

import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../audit/audit.ts'
import { decidePartnerChange, decideSecretAdd, removesOperator } from '../../partner/decide.ts'
import { isRole, type Partner, type PartnerChanges } from '../../partner/partner.ts'
import type { Secret, StoredSecret } from '../../partner/secret.ts'
import type { AddPartnerOutcome, ChangePartnerOutcome, PartnerStore } from '../../partner/store.ts'
import { recordAudit } from './audit.ts'
import { prepared } from './connect.ts'
import { translateErrors } from './failure.ts'
import { blob, flag, integer, integerOrNull, type Row, text } from './row.ts'
import type { Writer } from './writer.ts'

const COLUMNS = `partners.*, (SELECT json_group_array(site_uuid) FROM partner_sites
  WHERE partner_sites.partner_uuid = partners.partner_uuid) AS sites`

const fromRow = (row: Row): Partner => ({
  partnerUuid: text(row, 'partner_uuid'),
  clientId: text(row, 'client_id'),
  name: text(row, 'name'),
  enabled: flag(row, 'enabled'),
  roles: text(row, 'roles').split(' ').filter(isRole),
  sites: JSON.parse(text(row, 'sites')) as string[],
  tokensNotBefore: integer(row, 'tokens_not_before'),
  createdAt: integer(row, 'created_at'),
  updatedAt: integer(row, 'updated_at'),
  rateLimits: JSON.parse(text(row, 'rate_limits')) as Partner['rateLimits'],
})

const secretFromRow = (row: Row): Secret => ({
  secretId: text(row, 'secret_id'),
  hint: text(row, 'hint'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integer(row, 'expires_at'),
  lastUsedAt: integerOrNull(row, 'last_used_at'),
})

const storedSecretFromRow = (row: Row): StoredSecret => ({ ...secretFromRow(row), hash: blob(row, 'hash') })

const find = (db: DatabaseSync, partnerUuid: string): Partner | undefined => {
  const row = prepared(db, `SELECT ${COLUMNS} FROM partners WHERE partner_uuid = ?`).get(partnerUuid)
  return row && fromRow(row)
}

const secretRows = (db: DatabaseSync, partnerUuid: string): Row[] =>
  prepared(db, 'SELECT * FROM partner_secrets WHERE partner_uuid = ? ORDER BY created_at, secret_id').all(
    partnerUuid,
  )

const hasOtherOperator = (db: DatabaseSync, partnerUuid: string): boolean =>
  prepared(
    db,
    `SELECT 1 FROM partners
     WHERE enabled = 1 AND ' ' || roles || ' ' LIKE '% Operator %' AND partner_uuid <> ? LIMIT 1`,
  ).get(partnerUuid) !== undefined

const unknownSites = (db: DatabaseSync, siteUuids: readonly string[]): string[] =>
  siteUuids.filter((site) => !prepared(db, 'SELECT 1 FROM sites WHERE site_uuid = ?').get(site))

const grantSites = (db: DatabaseSync, partnerUuid: string, siteUuids: readonly string[]): void => {
  prepared(db, 'DELETE FROM partner_sites WHERE partner_uuid = ?').run(partnerUuid)
  const grant = prepared(db, 'INSERT INTO partner_sites (partner_uuid, site_uuid) VALUES (?, ?)')
  for (const site of siteUuids) grant.run(partnerUuid, site)
}

const insertSecret = (db: DatabaseSync, partnerUuid: string, secret: StoredSecret): void => {
  prepared(
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
  addPartner(db: DatabaseSync, partner: Partner, secret: StoredSecret, entry: AuditEntry): AddPartnerOutcome {
    const unknown = unknownSites(db, partner.sites)
    if (unknown.length > 0) return { outcome: 'unknown-sites', siteUuids: unknown }
    const { changes } = prepared(
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

  changePartner(
    db: DatabaseSync,
    partnerUuid: string,
    changes: PartnerChanges,
    entry: AuditEntry,
  ): ChangePartnerOutcome {
    const before = find(db, partnerUuid)
    const decision = decidePartnerChange(
      {
        before,
        unknownSites: unknownSites(db, changes.sites ?? []),
        hasOtherOperator:
          before !== undefined && removesOperator(before, changes) && hasOtherOperator(db, partnerUuid),
      },
      changes,
      entry,
    )
    if (decision.outcome !== 'changed') return decision
    const { partner, grants, audit } = decision
    prepared(
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
      isKnown: find(db, partnerUuid) !== undefined,
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
    const { changes } = prepared(
      db,
      'DELETE FROM partner_secrets WHERE partner_uuid = ? AND secret_id = ?',
    ).run(partnerUuid, secretId)
    if (changes === 0) return 'unknown'
    recordAudit(db, entry)
    return 'removed'
  },

  recordUse(db: DatabaseSync, uses: readonly { secretId: string; at: number }[]): void {
    const update = prepared(
      db,
      'UPDATE partner_secrets SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE secret_id = ?',
    )
    for (const { secretId, at } of uses) update.run(at, secretId)
  },
}

export const sqlitePartners = (reader: () => DatabaseSync, writer: Writer): PartnerStore => ({
  list: async ({ after, limit }) =>
    translateErrors(() =>
      prepared(
        reader(),
        `SELECT ${COLUMNS} FROM partners WHERE partner_uuid > ? ORDER BY partner_uuid LIMIT ?`,
      )
        .all(after ?? '', limit)
        .map(fromRow),
    ),
  get: async (partnerUuid) => translateErrors(() => find(reader(), partnerUuid)),
  findClient: async (clientId) =>
    translateErrors(() => {
      const row = prepared(reader(), `SELECT ${COLUMNS} FROM partners WHERE client_id = ?`).get(clientId)
      if (!row) return undefined
      const partner = fromRow(row)
      return { ...partner, secrets: secretRows(reader(), partner.partnerUuid).map(storedSecretFromRow) }
    }),
  secrets: async (partnerUuid) => translateErrors(() => secretRows(reader(), partnerUuid).map(secretFromRow)),

  add: (partner, secret, entry) => writer.run('addPartner', partner, secret, entry),
  change: (partnerUuid, changes, entry) => writer.run('changePartner', partnerUuid, changes, entry),
  addSecret: (partnerUuid, secret, limit, entry) =>
    writer.run('addSecret', partnerUuid, secret, limit, entry),
  removeSecret: (partnerUuid, secretId, entry) => writer.run('removeSecret', partnerUuid, secretId, entry),
  recordUse: (uses) => writer.run('recordUse', uses),
})

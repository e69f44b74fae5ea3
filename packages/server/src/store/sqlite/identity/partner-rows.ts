import type { DatabaseSync } from 'node:sqlite'
import { isRole, type Partner } from '../../../domain/identity/partner/partner.ts'
import type { Secret, StoredSecret } from '../../../domain/identity/partner/secret.ts'
import { prepareOnce } from '../connect.ts'
import { blob, flag, integer, integerOrNull, type Row, text } from '../row.ts'

export const PARTNER_COLUMNS = `partners.*, (SELECT json_group_array(site_uuid) FROM partner_sites
  WHERE partner_sites.partner_uuid = partners.partner_uuid) AS sites`

export const partnerFrom = (row: Row): Partner => ({
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

export const secretFrom = (row: Row): Secret => ({
  secretId: text(row, 'secret_id'),
  hint: text(row, 'hint'),
  createdAt: integer(row, 'created_at'),
  expiresAt: integer(row, 'expires_at'),
  lastUsedAt: integerOrNull(row, 'last_used_at'),
})

export const storedSecretFrom = (row: Row): StoredSecret => ({ ...secretFrom(row), hash: blob(row, 'hash') })

export const findPartner = (db: DatabaseSync, partnerUuid: string): Partner | undefined => {
  const row = prepareOnce(db, `SELECT ${PARTNER_COLUMNS} FROM partners WHERE partner_uuid = ?`).get(
    partnerUuid,
  )
  return row && partnerFrom(row)
}

export const secretRows = (db: DatabaseSync, partnerUuid: string): Row[] =>
  prepareOnce(db, 'SELECT * FROM partner_secrets WHERE partner_uuid = ? ORDER BY created_at, secret_id').all(
    partnerUuid,
  )

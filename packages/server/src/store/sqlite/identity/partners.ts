import type { DatabaseSync } from 'node:sqlite'
import type { PartnerStore } from '../../../domain/identity/partner/store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import {
  findPartner,
  PARTNER_COLUMNS,
  partnerFrom,
  secretFrom,
  secretRows,
  storedSecretFrom,
} from './partner-rows.ts'
import { integer, text } from '../row.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

export const sqlitePartners = (reader: () => DatabaseSync, writes: BoundWrites<'partners'>): PartnerStore =>
  withWrites<PartnerStore, 'partners'>(writes, {
    list: async ({ after, limit }) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT ${PARTNER_COLUMNS} FROM partners WHERE partner_uuid > ? ORDER BY partner_uuid LIMIT ?`,
        )
          .all(after ?? '', limit)
          .map(partnerFrom),
      ),
    get: async (partnerUuid) => translateErrors(() => findPartner(reader(), partnerUuid)),
    findClient: async (clientId) =>
      translateErrors(() => {
        const row = prepareOnce(reader(), `SELECT ${PARTNER_COLUMNS} FROM partners WHERE client_id = ?`).get(
          clientId,
        )
        if (!row) return undefined
        const partner = partnerFrom(row)
        return { ...partner, secrets: secretRows(reader(), partner.partnerUuid).map(storedSecretFrom) }
      }),
    expiringSecrets: async ({ now, until }, limit) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT partner_uuid, name, secret_id, hint, expires_at FROM partner_secrets JOIN partners USING (partner_uuid)
           WHERE enabled = 1 AND expires_at > ? AND expires_at <= ? ORDER BY expires_at, secret_id LIMIT ?`,
        )
          .all(now, until, limit)
          .map((row) => ({
            partnerUuid: text(row, 'partner_uuid'),
            partnerName: text(row, 'name'),
            secretId: text(row, 'secret_id'),
            hint: text(row, 'hint'),
            expiresAt: integer(row, 'expires_at'),
          })),
      ),
    secrets: async (partnerUuid) => translateErrors(() => secretRows(reader(), partnerUuid).map(secretFrom)),
  })

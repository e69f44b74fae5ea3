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
    secrets: async (partnerUuid) => translateErrors(() => secretRows(reader(), partnerUuid).map(secretFrom)),
  })

import type { DatabaseSync } from 'node:sqlite'
import type { Gateway, StoredGateway } from '../../../domain/estate/gateway/gateway.ts'
import type { GatewayStore } from '../../../domain/estate/gateway/store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { blob, integer, type Row, text, textOrNull } from '../row.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

const fromRow = (row: Row): Gateway => ({
  siteUuid: text(row, 'site_uuid'),
  gatewayUuid: text(row, 'gateway_uuid'),
  name: text(row, 'name'),
  mqttUsername: text(row, 'mqtt_username'),
  createdAt: integer(row, 'created_at'),
})

const fromStoredRow = (row: Row): StoredGateway => ({
  ...fromRow(row),
  passwordHash: blob(row, 'password_hash'),
  mosquittoHash: textOrNull(row, 'mosquitto_hash'),
})

export const sqliteGateways = (reader: () => DatabaseSync, writes: BoundWrites<'gateways'>): GatewayStore =>
  withWrites<GatewayStore, 'gateways'>(writes, {
    list: async (siteUuid) =>
      translateErrors(() =>
        prepareOnce(reader(), 'SELECT * FROM gateways WHERE site_uuid = ? ORDER BY created_at, gateway_uuid')
          .all(siteUuid)
          .map(fromRow),
      ),
    accounts: async () =>
      translateErrors(() =>
        prepareOnce(reader(), 'SELECT * FROM gateways ORDER BY site_uuid, created_at, gateway_uuid')
          .all()
          .map(fromStoredRow),
      ),
    findAccount: async (mqttUsername) =>
      translateErrors(() => {
        const row = prepareOnce(reader(), 'SELECT * FROM gateways WHERE mqtt_username = ?').get(mqttUsername)
        return row && fromStoredRow(row)
      }),
  })

import type { Gateway, StoredGateway } from '../../../domain/estate/gateway/gateway.ts'
import type { GatewayStore } from '../../../domain/estate/gateway/store.ts'
import { recordAudit } from '../identity/audit.ts'
import { type Database, canBeStored } from '../pool/connect.ts'
import { unknownSites } from './sites.ts'

interface Row {
  site_uuid: string
  gateway_uuid: string
  name: string
  mqtt_username: string
  password_hash: Uint8Array
  mosquitto_hash: string | null
  created_at: number
}

const fromRow = (row: Row): Gateway => ({
  siteUuid: row.site_uuid,
  gatewayUuid: row.gateway_uuid,
  name: row.name,
  mqttUsername: row.mqtt_username,
  createdAt: row.created_at,
})

const fromStoredRow = (row: Row): StoredGateway => ({
  ...fromRow(row),
  passwordHash: row.password_hash,
  mosquittoHash: row.mosquitto_hash,
})

export const postgresGateways = (db: Database): GatewayStore => ({
  list: (siteUuid) =>
    db.read(async (sql) => {
      const rows = await sql<Row[]>`
        SELECT * FROM gateways WHERE site_uuid = ${siteUuid} ORDER BY created_at, gateway_uuid`
      return rows.map(fromRow)
    }),
  accounts: () =>
    db.read(async (sql) => {
      const rows = await sql<Row[]>`SELECT * FROM gateways ORDER BY site_uuid, created_at, gateway_uuid`
      return rows.map(fromStoredRow)
    }),
  findAccount: async (mqttUsername) => {
    if (!canBeStored(mqttUsername)) return undefined
    return db.read(async (sql) => {
      const [row] = await sql<Row[]>`SELECT * FROM gateways WHERE mqtt_username = ${mqttUsername}`
      return row && fromStoredRow(row)
    })
  },
  add: (siteUuid, gateway, entry) =>
    db.write(async (sql) => {
      if ((await unknownSites(sql, [siteUuid])).length > 0) return 'unknown-site'
      const added = await sql`
        INSERT INTO gateways (gateway_uuid, site_uuid, name, mqtt_username, password_hash, mosquitto_hash, created_at)
        VALUES (${gateway.gatewayUuid}, ${siteUuid}, ${gateway.name}, ${gateway.mqttUsername},
          ${gateway.passwordHash}, ${gateway.mosquittoHash}, ${gateway.createdAt})
        ON CONFLICT DO NOTHING`
      if (added.count === 0) return 'uuid-taken'
      await recordAudit(sql, entry)
      return 'added'
    }),
  remove: (siteUuid, gatewayUuid, entry) =>
    db.write(async (sql) => {
      const removed = await sql`
        DELETE FROM gateways WHERE site_uuid = ${siteUuid} AND gateway_uuid = ${gatewayUuid}`
      if (removed.count === 0) return 'unknown'
      await recordAudit(sql, entry)
      return 'removed'
    }),
})

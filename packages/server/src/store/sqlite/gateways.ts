import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../audit/audit.ts'
import type { Gateway, StoredGateway } from '../../gateway/gateway.ts'
import type { GatewayStore } from '../../gateway/store.ts'
import { recordAudit } from './audit.ts'
import { prepared } from './connect.ts'
import { translateErrors } from './failure.ts'
import { blob, integer, type Row, text, textOrNull } from './row.ts'
import type { Writer } from './writer.ts'

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

export const gatewayWrites = {
  addGateway(
    db: DatabaseSync,
    gateway: StoredGateway,
    entry: AuditEntry,
  ): 'added' | 'unknown-site' | 'uuid-taken' {
    if (!prepared(db, 'SELECT 1 FROM sites WHERE site_uuid = ?').get(gateway.siteUuid)) return 'unknown-site'
    const { changes } = prepared(
      db,
      `INSERT INTO gateways (site_uuid, gateway_uuid, name, mqtt_username, password_hash, mosquitto_hash, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ).run(
      gateway.siteUuid,
      gateway.gatewayUuid,
      gateway.name,
      gateway.mqttUsername,
      gateway.passwordHash,
      gateway.mosquittoHash,
      gateway.createdAt,
    )
    if (changes === 0) return 'uuid-taken'
    recordAudit(db, entry)
    return 'added'
  },

  removeGateway(
    db: DatabaseSync,
    siteUuid: string,
    gatewayUuid: string,
    entry: AuditEntry,
  ): 'removed' | 'unknown' {
    const { changes } = prepared(db, 'DELETE FROM gateways WHERE site_uuid = ? AND gateway_uuid = ?').run(
      siteUuid,
      gatewayUuid,
    )
    if (changes === 0) return 'unknown'
    recordAudit(db, entry)
    return 'removed'
  },
}

export const sqliteGateways = (reader: () => DatabaseSync, writer: Writer): GatewayStore => ({
  list: async (siteUuid) =>
    translateErrors(() =>
      prepared(reader(), 'SELECT * FROM gateways WHERE site_uuid = ? ORDER BY created_at, gateway_uuid')
        .all(siteUuid)
        .map(fromRow),
    ),
  accounts: async () =>
    translateErrors(() =>
      prepared(reader(), 'SELECT * FROM gateways ORDER BY site_uuid, created_at, gateway_uuid')
        .all()
        .map(fromStoredRow),
    ),
  findAccount: async (mqttUsername) =>
    translateErrors(() => {
      const row = prepared(reader(), 'SELECT * FROM gateways WHERE mqtt_username = ?').get(mqttUsername)
      return row && fromStoredRow(row)
    }),
  add: (_siteUuid, gateway, entry) => writer.run('addGateway', gateway, entry),
  remove: (siteUuid, gatewayUuid, entry) => writer.run('removeGateway', siteUuid, gatewayUuid, entry),
})

import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../../domain/identity/audit.ts'
import type { StoredGateway } from '../../../domain/estate/gateway/gateway.ts'
import { recordAudit } from '../identity/record-audit.ts'
import { prepareOnce } from '../connect.ts'

export const gatewayWrites = {
  add(
    db: DatabaseSync,
    siteUuid: string,
    gateway: StoredGateway,
    entry: AuditEntry,
  ): 'added' | 'unknown-site' | 'uuid-taken' {
    if (!prepareOnce(db, 'SELECT 1 FROM sites WHERE site_uuid = ?').get(siteUuid)) return 'unknown-site'
    const { changes } = prepareOnce(
      db,
      `INSERT INTO gateways (site_uuid, gateway_uuid, name, mqtt_username, password_hash, mosquitto_hash, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ).run(
      siteUuid,
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

  remove(db: DatabaseSync, siteUuid: string, gatewayUuid: string, entry: AuditEntry): 'removed' | 'unknown' {
    const { changes } = prepareOnce(db, 'DELETE FROM gateways WHERE site_uuid = ? AND gateway_uuid = ?').run(
      siteUuid,
      gatewayUuid,
    )
    if (changes === 0) return 'unknown'
    recordAudit(db, entry)
    return 'removed'
  },
}

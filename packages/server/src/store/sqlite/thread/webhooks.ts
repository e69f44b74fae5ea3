import type { DatabaseSync } from 'node:sqlite'
import type { AuditEntry } from '../../../domain/identity/audit.ts'
import type { Webhook, WebhookFields } from '../../../domain/webhook/webhook.ts'
import { recordAudit } from '../identity/record-audit.ts'
import { prepareOnce } from '../connect.ts'
import { integer } from '../row.ts'
import { addPositions, findWebhook, insertWebhook, updateWebhook } from '../webhooks/webhook-rows.ts'
import { deliveryWrites } from './deliveries.ts'

export const webhookWrites = {
  ...deliveryWrites,

  add(
    db: DatabaseSync,
    webhook: Webhook,
    siteUuids: readonly string[],
    { max }: { max: number },
    entry: AuditEntry,
  ): 'added' | 'too-many' {
    const row = prepareOnce(db, 'SELECT count(*) AS count FROM webhooks WHERE partner_uuid = ?').get(
      webhook.partnerUuid,
    )
    if (integer(row ?? {}, 'count') >= max) return 'too-many'
    insertWebhook(db, webhook)
    addPositions(db, webhook.webhookUuid, siteUuids)
    recordAudit(db, entry)
    return 'added'
  },

  update(
    db: DatabaseSync,
    webhookUuid: string,
    expected: WebhookFields,
    changes: WebhookFields,
    entry?: AuditEntry,
  ): Webhook | undefined {
    if (!updateWebhook(db, webhookUuid, expected, changes)) return undefined
    if (entry) recordAudit(db, entry)
    return findWebhook(db, webhookUuid)
  },

  remove(db: DatabaseSync, webhookUuid: string, entry: AuditEntry): boolean {
    const { changes } = prepareOnce(db, 'DELETE FROM webhooks WHERE webhook_uuid = ?').run(webhookUuid)
    if (changes === 0) return false
    for (const table of ['delivery_attempts', 'deliveries'])
      prepareOnce(
        db,
        `DELETE FROM ${table} WHERE webhook_uuid = ?1
           AND site_uuid IN (SELECT site_uuid FROM webhook_positions WHERE webhook_uuid = ?1)`,
      ).run(webhookUuid)
    prepareOnce(db, 'DELETE FROM webhook_positions WHERE webhook_uuid = ?').run(webhookUuid)
    recordAudit(db, entry)
    return true
  },

  addPositions(db: DatabaseSync, webhookUuid: string, siteUuids: readonly string[]): void {
    addPositions(db, webhookUuid, siteUuids)
  },
}

import assert from 'node:assert/strict'
import type { V2Client } from '../clients/v2-client.ts'
import { asArray, asObject, asString, type JsonObject } from '../json.ts'

/** Networks of receivers in tests. */
export const LOOPBACK = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }

export interface AddedWebhook {
  webhookUuid: string
  secret: string
  json: JsonObject
}

export async function addWebhook(
  client: V2Client,
  url: string,
  more: Record<string, unknown> = {},
): Promise<AddedWebhook> {
  const answer = await client.post('/webhooks', { url, ...more })
  assert.equal(answer.status, 201, answer.text)
  const { webhookUuid, secret } = answer.json
  return { webhookUuid: asString(webhookUuid), secret: asString(secret), json: answer.json }
}

export const getWebhook = (client: V2Client, webhookUuid: string): Promise<JsonObject> =>
  client.get(`/webhooks/${webhookUuid}`)

export const listDeliveries = async (
  client: V2Client,
  webhookUuid: string,
  query = '',
): Promise<JsonObject[]> =>
  asArray((await client.get(`/webhooks/${webhookUuid}/deliveries${query}`))['data']).map(asObject)

export async function testWebhook(client: V2Client, webhookUuid: string): Promise<JsonObject> {
  const answer = await client.post(`/webhooks/${webhookUuid}/test`, undefined)
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

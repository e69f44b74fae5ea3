import { lastDays, memoryCache, NotFoundError, Portico, verifyWebhook, WebhookError } from '@portico/sdk'
import { PorticoOperator } from '@portico/sdk/operator'

/** A scenario that runs on every runtime. Prints its results as JSON. */
const requests = { tokens: 0 }
const counted = (input, init) => {
  if (String(input).endsWith('/token')) requests.tokens += 1
  return fetch(input, init)
}
const portico = new Portico({ fetch: counted, cache: memoryCache() })
const site = portico.site()

const pages = []
for await (const page of site.spaces.list({ limit: 30 }).pages()) pages.push(page.data.length)
const [space] = await site.spaces.list({ metricType: 'electricity' }).toArray()
const reads = await Promise.all(
  Array.from({ length: 50 }, () => site.spaces.hourly(space.spaceUuid, 'electricity', lastDays(2))),
)
const [valve] = await site.devices.list({ deviceType: 'trv', status: 'online' }).toArray()
const command = await site.devices.schedule(valve.deviceUuid, { type: 'resume' })
const { state } = await site.commands.wait(command)

const missing = await site.devices.get('00000000-0000-4000-8000-000000000000').catch((error) => error)
const aborted = await portico.account({ signal: AbortSignal.abort('gone') }).catch((error) => error)

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"type":"webhook.test"}'
const key = await crypto.subtle.importKey(
  'raw',
  Uint8Array.from(atob(secret.slice(6)), (character) => character.charCodeAt(0)),
  { name: 'HMAC', hash: 'SHA-256' },
  false,
  ['sign'],
)
const timestamp = String(Math.floor(Date.now() / 1000))
const content = new TextEncoder().encode(`msg_1.${timestamp}.${body}`)
const signature = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', key, content))))
const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': timestamp,
  'webhook-signature': `v1,${signature}`,
}
const event = await verifyWebhook(body, headers, secret)
const forged = await verifyWebhook(`${body} `, headers, secret).catch((/** @type {unknown} */ error) => error)

const { webhookUuid } = await portico.webhooks.create({
  url: 'https://example.com/hooks',
  eventTypes: ['day.closed'],
})
await portico.webhooks.remove(webhookUuid)
const removed = await portico.webhooks.get(webhookUuid).catch((error) => error)

const operator = new PorticoOperator()
const sites = await operator.sites.list().toArray()
async function* readings() {}
const { accepted } = await operator.readings.push(readings())

console.log(
  JSON.stringify({
    pages,
    hours: reads[0].timeSeries.length,
    tokens: requests.tokens,
    state,
    missing: missing instanceof NotFoundError && missing.name,
    aborted,
    event: event.type,
    forged: forged instanceof WebhookError && forged.code,
    removed: removed.name,
    sites: sites.length,
    accepted,
  }),
)

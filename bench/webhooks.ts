import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { EVENT_TYPE_NAMES, type NewEvent } from '@portico/server/domain/event/event'
import { SERVER } from '@portico/server/domain/identity/audit'
import { createDeliverer, type Deliverer } from '@portico/server/domain/webhook/deliver'
import { createSender } from '@portico/server/domain/webhook/send'
import { HEALTHY, type Webhook } from '@portico/server/domain/webhook/webhook'
import { createAddressFilter } from '@portico/server/kernel/address-filter'
import { systemClock } from '@portico/server/kernel/clock'
import { createLog } from '@portico/server/kernel/log'
import { createOutgoingHttp } from '@portico/server/kernel/outgoing-http'
import { openSqliteStore } from '@portico/server/store/sqlite/store'
import type { Store } from '@portico/server/store/store'
import { atLeast, atMost, type Benchmark, times } from './benchmark.ts'
import { measureCorrectionCosts } from './support/correction-costs.ts'
import { measureEventCosts } from './support/event-costs.ts'

const DEVICES = 50
const WITHIN_MS = 120_000

const devices = Array.from({ length: DEVICES }, () => randomUUID())

/** Events of the devices in turn. */
const createEvents = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    eventUuid: randomUUID(),
    type: 'device.online',
    at: Date.now(),
    recordedAt: Date.now(),
    deviceUuid: devices[index % DEVICES] ?? null,
    spaceUuid: null,
    data: { deviceName: 'Valve', sentAt: performance.now() },
  }))

/** Receives events and records when each arrived. */
async function startEndpoint() {
  const latenciesMs: number[] = []
  const server = createServer((request, response) => {
    const arrivedAt = performance.now()
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      const { data } = JSON.parse(body) as { data: { sentAt: number } }
      latenciesMs.push(arrivedAt - data.sentAt)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    latenciesMs,
    close: () => server.close(),
  }
}

async function addWebhook(
  store: Store,
  url: string,
  siteUuid: string,
  changes: Partial<Webhook> = {},
): Promise<Webhook> {
  const now = Date.now()
  const webhook: Webhook = {
    webhookUuid: randomUUID(),
    partnerUuid: randomUUID(),
    url,
    description: null,
    eventTypes: null,
    siteUuids: null,
    heartbeat: false,
    state: 'enabled',
    reason: null,
    ...HEALTHY,
    secretNumber: 1,
    previousEndsAt: null,
    nextHeartbeatAt: null,
    createdAt: now,
    updatedAt: now,
    ...changes,
  }
  const entry = { at: now, actor: SERVER, action: 'webhook.added', target: webhook.webhookUuid, detail: {} }
  await store.webhooks.add(webhook, [siteUuid], { max: 20 }, entry)
  return webhook
}

/** A store with one site, whose events are delivered to an endpoint. */
interface Site {
  store: Store
  siteUuid: string
  webhook: Webhook
  deliverer: Deliverer
}

async function openSite(path: string, url: string): Promise<Site> {
  const store = openSqliteStore(path)
  await store.migrate()
  const siteUuid = randomUUID()
  const webhook = await addWebhook(store, url, siteUuid)
  return { store, siteUuid, webhook, deliverer: startDelivery(store, siteUuid) }
}

/** Adds events that wait for another webhook, whose endpoint is down. */
async function addBacklog(
  { store, siteUuid, webhook: { webhookUuid }, deliverer }: Site,
  count: number,
): Promise<void> {
  const now = Date.now()
  await addWebhook(store, 'http://127.0.0.1:1/', siteUuid, { failingSince: now, probeAt: now + 86_400_000 })
  await store.webhooks.update(webhookUuid, {}, { state: 'paused', updatedAt: now })
  for (let sent = 0; sent < count; sent += 10_000)
    await store.events.append(siteUuid, createEvents(Math.min(10_000, count - sent)))
  await store.webhooks.skipToEnd(webhookUuid)
  await store.webhooks.update(webhookUuid, {}, { state: 'enabled', updatedAt: Date.now() })
  deliverer.notify()
}

const startDelivery = (store: Store, siteUuid: string): Deliverer =>
  createDeliverer({
    store: store.webhooks,
    sender: createSender({
      outgoing: createOutgoingHttp(
        createAddressFilter([{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }]),
      ),
      installationKey: () => Uint8Array.of(1),
      publicUrl: 'https://api.example.com',
      clock: systemClock,
    }),
    findStanding: () => ({ isActive: true, siteUuids: [siteUuid], types: EVENT_TYPE_NAMES }),
    clock: systemClock,
    log: createLog('silent'),
    random: () => 0.5,
    onResult() {},
    isShared: false,
  })

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

async function waitFor(count: number, values: readonly unknown[]): Promise<void> {
  for (const end = Date.now() + WITHIN_MS; values.length < count; await delay(2))
    if (Date.now() > end) throw new Error(`only ${values.length} of ${count} events arrived`)
}

export const webhooks: Benchmark = {
  name: 'webhooks',
  about:
    'Events of 50 devices on the embedded store, delivered to a receiver on the same machine: the time from before the commit of an event to its first byte at the receiver, sustained deliveries, and the effect of a backlog behind a webhook whose endpoint is down. Then, on a server with 100 devices: processor time of events, reads while a webhook catches up, idle streams, and what closed days and their corrections cost the storing of readings.',
  async run({ isSmoke }) {
    const [rounds, probes, burst, backlog] = isSmoke ? [2, 10, 200, 2_000] : [20, 50, 5_000, 1_000_000]
    const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'))
    const endpoint = await startEndpoint()
    const alone = await openSite(join(folder, 'alone.db'), endpoint.url)
    const behind = await openSite(join(folder, 'behind.db'), endpoint.url)
    try {
      const append = async ({ store, siteUuid, deliverer }: Site, count: number): Promise<void> => {
        await store.events.append(siteUuid, createEvents(count))
        deliverer.notify()
      }
      /** Latencies of single events, one after another. */
      const measure = async (site: Site): Promise<number[]> => {
        endpoint.latenciesMs.length = 0
        for (let n = 1; n <= probes; n += 1) {
          await append(site, 1)
          await waitFor(n, endpoint.latenciesMs)
        }
        return [...endpoint.latenciesMs]
      }
      await addBacklog(behind, backlog)
      const latencies: { alone: number[]; behind: number[] } = { alone: [], behind: [] }
      for (let round = 0; round <= rounds; round += 1) {
        // In turns, so that other load on the machine affects both alike.
        const measured = { alone: await measure(alone), behind: await measure(behind) }
        // The first round compiles code and fills caches.
        if (round === 0) continue
        latencies.alone.push(...measured.alone)
        latencies.behind.push(...measured.behind)
      }
      endpoint.latenciesMs.length = 0
      const startedAt = performance.now()
      for (let sent = 0; sent < burst; sent += DEVICES) await append(alone, DEVICES)
      await waitFor(burst, endpoint.latenciesMs)
      const perSecond = burst / ((performance.now() - startedAt) / 1_000)
      const [p50, p99] = [percentile(latencies.alone, 0.5), percentile(latencies.alone, 0.99)]
      const p99Behind = percentile(latencies.behind, 0.99)
      const ratio = p99Behind / p99
      return [
        { label: 'Commit to first byte, p50', value: `${p50.toFixed(1)} ms`, ...atMost(50, p50, ' ms') },
        { label: 'Commit to first byte, p99', value: `${p99.toFixed(1)} ms`, ...atMost(500, p99, ' ms') },
        { label: 'Deliveries per second', value: perSecond.toFixed(0), ...atLeast(500, perSecond) },
        {
          label: `p99 with a backlog of ${backlog.toLocaleString('en')} events behind a dead webhook`,
          value: times(ratio),
          ...atMost(1.2, ratio, ' x'),
          detail: `${p99Behind.toFixed(1)} ms, relative to the p99 without the backlog, measured in turns`,
        },
        ...(await measureEventCosts(isSmoke)),
        ...(await measureCorrectionCosts(isSmoke)),
      ]
    } finally {
      for (const { deliverer } of [alone, behind]) await deliverer.close()
      endpoint.close()
      for (const { store } of [alone, behind]) await store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { EVENT_TYPE_NAMES, type NewEvent } from '@portico/server/domain/event/event'
import { SERVER } from '@portico/server/domain/identity/audit'
import { createDeliverer } from '@portico/server/domain/webhook/deliver'
import { createSender } from '@portico/server/domain/webhook/send'
import { HEALTHY, type Webhook } from '@portico/server/domain/webhook/webhook'
import { createAddressFilter } from '@portico/server/kernel/address-filter'
import { systemClock } from '@portico/server/kernel/clock'
import { createLog } from '@portico/server/kernel/log'
import { createOutgoingHttp } from '@portico/server/kernel/outgoing-http'
import { openSqliteStore } from '@portico/server/store/sqlite/store'
import type { Store } from '@portico/server/store/store'
import { atLeast, atMost, type Benchmark, times } from './benchmark.ts'

const DEVICES = 50
const WITHIN_MS = 120_000

const createEvents = (deviceUuids: readonly string[]): NewEvent[] =>
  deviceUuids.map((deviceUuid) => ({
    eventUuid: randomUUID(),
    type: 'device.online',
    at: Date.now(),
    recordedAt: Date.now(),
    deviceUuid,
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

const startDelivery = (store: Store, siteUuid: string) =>
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
    'Events of 50 devices on the embedded store, delivered to a receiver on the same machine: the time from before the commit of an event to its first byte at the receiver, sustained deliveries, and the effect of a backlog behind a webhook whose endpoint is down.',
  async run({ isSmoke }) {
    const [probes, burst, backlog] = isSmoke ? [20, 200, 2_000] : [300, 5_000, 1_000_000]
    const folder = mkdtempSync(join(tmpdir(), 'portico-bench-'))
    const store = openSqliteStore(join(folder, 'portico.db'))
    const endpoint = await startEndpoint()
    const siteUuid = randomUUID()
    const devices = Array.from({ length: DEVICES }, () => randomUUID())
    const pick = (count: number): string[] =>
      Array.from({ length: count }, (_, index) => devices[index % DEVICES] ?? '')
    try {
      await store.migrate()
      await addWebhook(store, endpoint.url, siteUuid)
      const deliverer = startDelivery(store, siteUuid)
      const append = async (deviceUuids: string[]): Promise<void> => {
        await store.events.append(siteUuid, createEvents(deviceUuids))
        deliverer.notify()
      }
      /** Latencies of single events, one after another. */
      const measure = async (): Promise<number[]> => {
        endpoint.latenciesMs.length = 0
        for (let n = 1; n <= probes; n += 1) {
          await append(pick(1))
          await waitFor(n, endpoint.latenciesMs)
        }
        return [...endpoint.latenciesMs]
      }
      await measure()
      const alone = await measure()
      endpoint.latenciesMs.length = 0
      const startedAt = performance.now()
      for (let sent = 0; sent < burst; sent += DEVICES) await append(pick(DEVICES))
      await waitFor(burst, endpoint.latenciesMs)
      const perSecond = burst / ((performance.now() - startedAt) / 1_000)
      await deliverer.close()
      // The backlog is behind another webhook, whose endpoint is down.
      const now = Date.now()
      await addWebhook(store, 'http://127.0.0.1:1/', siteUuid, {
        failingSince: now,
        probeAt: now + 86_400_000,
      })
      const [first] = await store.webhooks.list()
      for (let sent = 0; sent < backlog; sent += 10_000)
        await store.events.append(siteUuid, createEvents(pick(Math.min(10_000, backlog - sent))))
      if (first) await store.webhooks.skipToEnd(first.webhookUuid)
      const again = startDelivery(store, siteUuid)
      const appendAgain = async (): Promise<void> => {
        await store.events.append(siteUuid, createEvents(pick(1)))
        again.notify()
      }
      const behind: number[] = []
      for (let round = 0; round < 2; round += 1) {
        endpoint.latenciesMs.length = 0
        for (let n = 1; n <= probes; n += 1) {
          await appendAgain()
          await waitFor(n, endpoint.latenciesMs)
        }
        if (round === 1) behind.push(...endpoint.latenciesMs)
      }
      await again.close()
      const [p50, p99] = [percentile(alone, 0.5), percentile(alone, 0.99)]
      const ratio = percentile(behind, 0.99) / p99
      return [
        { label: 'Commit to first byte, p50', value: `${p50.toFixed(1)} ms`, ...atMost(50, p50, ' ms') },
        { label: 'Commit to first byte, p99', value: `${p99.toFixed(1)} ms`, ...atMost(500, p99, ' ms') },
        { label: 'Deliveries per second', value: perSecond.toFixed(0), ...atLeast(500, perSecond) },
        {
          label: `p99 with a backlog of ${backlog.toLocaleString('en')} events behind a dead webhook`,
          value: times(ratio),
          ...atMost(1.2, ratio, ' x'),
          detail: 'relative to the p99 without the backlog',
        },
      ]
    } finally {
      endpoint.close()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

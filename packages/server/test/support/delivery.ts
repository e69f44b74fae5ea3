import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { EVENT_TYPE_NAMES } from '../../src/domain/event/event.ts'
import { createDeliverer, type Deliverer } from '../../src/domain/webhook/deliver.ts'
import { createSender } from '../../src/domain/webhook/send.ts'
import type { Standing } from '../../src/domain/webhook/standing.ts'
import { createAddressFilter } from '../../src/kernel/address-filter.ts'
import { createOutgoingHttp } from '../../src/kernel/outgoing-http.ts'
import type { Store } from '../../src/store/store.ts'
import type { SetClock } from './clock.ts'
import { createLog } from '../../src/kernel/log.ts'

interface Received {
  id: string
  number: number
  deviceUuid: string
  headers: IncomingHttpHeaders
}

/** Responds to a request: with a status, with headers too, or not at all. */
type Respond = (request: Received, response: ServerResponse) => void

export interface Endpoint {
  url: string
  /** Requests in the order of their arrival. */
  requests: Received[]
  /** Numbers of the requests that were answered with 2xx, in this order. */
  accepted: number[]
  respond: Respond
  /** Most requests of one device at the same time. */
  mostPerLane: number
}

export const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (_request, response) =>
    void response.writeHead(code, headers).end()

export async function startEndpoint(t: TestContext): Promise<Endpoint> {
  const running = new Map<string, number>()
  const endpoint: Endpoint = { url: '', requests: [], accepted: [], respond: status(200), mostPerLane: 0 }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      const { number, deviceUuid } = JSON.parse(body) as { number: number; deviceUuid: string }
      const received = {
        id: String(request.headers['webhook-id']),
        number,
        deviceUuid,
        headers: request.headers,
      }
      endpoint.requests.push(received)
      const count = (running.get(deviceUuid) ?? 0) + 1
      running.set(deviceUuid, count)
      endpoint.mostPerLane = Math.max(endpoint.mostPerLane, count)
      response.on('close', () => running.set(deviceUuid, (running.get(deviceUuid) ?? 1) - 1))
      response.on('finish', () => {
        if (response.statusCode < 300) endpoint.accepted.push(number)
      })
      endpoint.respond(received, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return endpoint
}

export interface DeliveryOptions {
  store: Store
  clock: SetClock
  siteUuid: string
  standing?: () => Standing
  isShared?: boolean
}

export function startDelivery(t: TestContext, options: DeliveryOptions): Deliverer {
  const { store, clock, siteUuid } = options
  const everything: Standing = { isActive: true, siteUuids: [siteUuid], types: EVENT_TYPE_NAMES }
  const filter = createAddressFilter([{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }])
  const deliverer = createDeliverer({
    store: store.webhooks,
    sender: createSender({
      outgoing: createOutgoingHttp(filter),
      installationKey: () => Uint8Array.of(1),
      publicUrl: 'https://api.example.com',
      clock,
    }),
    findStanding: options.standing ?? (() => everything),
    clock,
    log: createLog('silent'),
    random: () => 0.5,
    onResult() {},
    isShared: options.isShared ?? false,
  })
  t.after(() => deliverer.close())
  return deliverer
}

/** Waits for a condition; the deliverer polls for work in between. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  ...deliverers: Deliverer[]
): Promise<void> {
  for (const end = Date.now() + 60_000; ; ) {
    if (await condition()) return
    if (Date.now() > end) throw new Error(`It did not happen: ${what}`)
    for (const deliverer of deliverers) deliverer.notify()
    await delay(5)
  }
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Ledger, makeLedger, openLedger } from '../../durability/support/ledger.ts'
import { oneOff } from '../../support/control/bodies.ts'
import { eventually } from '../../support/eventually.ts'
import { type SmallSite, makeSmallSite } from '../../support/fixtures/small-site.ts'
import type { Installation } from '../../support/servers/installation.ts'
import { asString } from '../../support/json.ts'
import { toReadingsPayload } from '../../support/clients/mqtt.ts'
import { addMqttSite, valuesAt } from '../../support/fixtures/mqtt-site.ts'
import { type Answer, api, goodParameters, requestToken } from '../../support/clients/requests.ts'
import { write } from '../../support/clients/ingest-channels.ts'

export const KINDS = ['read', 'figures', 'token', 'readings', 'command'] as const
type Kind = (typeof KINDS)[number]

/** Partners, a device and an operator at work while the database fails and recovers. */
export interface Load {
  /** How often a kind of request had this status. Throws if a response was wrong. */
  count(kind: Kind, status: number): number
  /** How many messages of the device were acknowledged. */
  acknowledged(): number
  /** Stops the load and asserts that everything acknowledged is stored exactly once. */
  check(): Promise<void>
}

/** Words of the database or its driver that no response may contain. */
const WORDS_OF_THE_DATABASE = /postgres|econn|connect_|connection_|sqlstate|socket|terminat|57p|08006/i

/** Two sites: readings are sent to one, the other has the devices. */
export interface LoadedSites {
  ledger: Ledger
  house: SmallSite
}

export const newSites = (): LoadedSites => ({ ledger: makeLedger(50), house: makeSmallSite() })

export async function startLoad(
  installation: Installation,
  secret: Secret,
  { ledger, house }: LoadedSites = newSites(),
): Promise<Load> {
  const { portico, operator } = installation
  const reader = await (await openLedger(installation, ledger)).on(installation)
  const site = await addMqttSite(installation, house)
  const { partner } = site
  const over = new AbortController()
  const counts = new Map<string, number>()
  const delivered: number[] = []
  const references: string[] = []
  let published = 0

  const note = (kind: Kind, answer: Answer): Answer => {
    const { status, text, headers } = answer
    counts.set(`${kind} ${status}`, (counts.get(`${kind} ${status}`) ?? 0) + 1)
    assert.ok(status < 500 || status === 503, `${kind}: ${status} ${text}`)
    if (status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, kind)
    // A token's characters are random and may spell any word.
    if (status >= 400) assert.doesNotMatch(text, WORDS_OF_THE_DATABASE)
    return answer
  }
  /** Repeats a request until it succeeds, like a caller that follows Retry-After. */
  async function insist(kind: Kind, call: () => Promise<Answer>, done: number): Promise<boolean> {
    while (!over.signal.aborted) {
      const { status, text } = note(kind, await call())
      if (status === done) return true
      assert.equal(status, 503, `${kind}: ${text}`)
      await delay(100)
    }
    return false
  }
  async function repeat(work: (number: number) => Promise<unknown>): Promise<void> {
    for (let number = 0; !over.signal.aborted; number += 1) {
      await work(number)
      await delay(20)
    }
  }

  const gateway = await site.connect()
  const topic = site.topic(house.meter, 'readings')
  const toTime = (number: number): string => new Date(Date.UTC(2026, 3, 1) + number * 1000).toISOString()
  const range = 'fromDateTime=2025-01-01&toDateTime=2025-01-08'
  const spaceUuid = asString(ledger.document.spaces[0]?.['spaceUuid'])
  const now = Date.now()
  const work = [
    repeat(() => insist('read', () => reader.send('/spaces'), 200)),
    repeat(() =>
      insist('figures', () => reader.send(`/spaces/${spaceUuid}/aggregate/electricity/daily?${range}`), 200),
    ),
    repeat(() =>
      insist('token', () => requestToken(portico, goodParameters(secret.clientId, secret.clientSecret)), 200),
    ),
    repeat(async (number) => {
      const body = write(ledger.delivery(number), 'ndjson')
      const headers = { 'content-type': 'application/x-ndjson' }
      const post = () =>
        api(portico, '/operator/readings', { method: 'POST', token: operator, body, headers })
      if (await insist('readings', post, 200)) delivered.push(number)
    }),
    repeat(async (number) => {
      const clientReference = `order ${number}`
      const hours: [number, number] = [(number + 1) * 3600, (number + 1) * 3600 + 1800]
      const body = oneOff(now, hours, 20, { clientReference })
      const headers = { 'Idempotency-Key': randomUUID() }
      const post = () => partner.post(`/devices/${house.trv}/schedule`, body, headers)
      if (await insist('command', post, 202)) references.push(clientReference)
    }),
    repeat(async (number) => {
      await gateway.publish(topic, toReadingsPayload(['electricity', toTime(number), number]))
      published = number + 1
    }),
  ]
  const ended = Promise.all(work)
  let failure: { error: unknown } | undefined
  ended.catch((error: unknown) => {
    failure = { error }
    over.abort()
  })

  return {
    count(kind, status) {
      if (failure) throw failure.error
      return counts.get(`${kind} ${status}`) ?? 0
    },
    acknowledged: () => published,
    async check() {
      over.abort()
      await ended
      for (const number of delivered) await ledger.assertThere(reader, number)
      const stored = await valuesAt(partner, house.meter, '2026-04-01')
      assert.deepEqual(
        stored.slice(0, published),
        Array.from({ length: published }, (_, number) => number),
      )
      const listed = await eventually(() => partner.listAll(`/devices/${house.trv}/commands`))
      const seen = listed.map(({ clientReference }) => asString(clientReference))
      assert.deepEqual(seen.toSorted(), [...new Set(seen)].toSorted(), 'none was made twice')
      assert.deepEqual(
        references.filter((reference) => !seen.includes(reference)),
        [],
        'each that was accepted is there',
      )
      await gateway.end()
    },
  }
}

interface Secret {
  clientId: string
  clientSecret: string
}

/** Waits until every kind of work has succeeded since this call. */
export async function everythingWorks(load: Load): Promise<void> {
  const counted = (): number[] => KINDS.map((kind) => load.count(kind, kind === 'command' ? 202 : 200))
  const before = { requests: counted(), messages: load.acknowledged() }
  await eventually(async () => {
    for (const [index, count] of counted().entries())
      assert.ok(count > (before.requests[index] ?? 0), `no ${KINDS[index]} was answered well`)
    assert.ok(load.acknowledged() > before.messages, 'no message was acknowledged')
  })
}

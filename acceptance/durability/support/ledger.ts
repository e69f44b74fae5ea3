import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { device, type InventoryDocument, space } from '../../support/fixtures/small-site.ts'
import { addClient, applyInventory, type Installation } from '../../support/servers/installation.ts'
import { tokenFor } from '../../support/clients/requests.ts'
import { getReadings, getSeries, millionths, type Reading } from '../../support/clients/series.ts'
import { type V2Client, v2Client } from '../../support/clients/v2-client.ts'
import type { ReadingRecord } from '../../support/clients/ingest-channels.ts'

const firstDay = Temporal.PlainDate.from('2025-01-01')
const meterCount = 4

/** A site with numbered deliveries: each is some minutes of one meter on a separate day. */
export interface Ledger {
  document: InventoryDocument
  /** The readings of a delivery. A different edition corrects every one of them. */
  delivery(number: number, edition?: number): ReadingRecord[]
  /** Asserts that every reading of the delivery is stored once, and no other on its day. */
  assertThere(client: V2Client, number: number, edition?: number): Promise<void>
  /** The readings of the day. A delivery that was never acknowledged may be stored in part. */
  readReadings(client: V2Client, number: number): Promise<Reading[]>
  /** Asserts each meter's consumption from its first to its last reading after the first `count` deliveries. */
  assertTotals(client: V2Client, count: number): Promise<void>
}

export function makeLedger(size: number): Ledger {
  const [siteUuid, buildingUuid, spaceUuid] = [randomUUID(), randomUUID(), randomUUID()]
  const meters = Array.from({ length: meterCount }, () => randomUUID())
  const getMeter = (number: number): string => meters[number % meterCount] ?? ''
  const toDate = (number: number): Temporal.PlainDate =>
    firstDay.add({ days: Math.floor(number / meterCount) })
  const toValue = (number: number, index: number, edition: number): number =>
    Math.floor(number / meterCount) * 1000 + index * 0.25 + edition * 0.125

  const delivery = (number: number, edition = 0): ReadingRecord[] => {
    const midnight = toDate(number).toZonedDateTime('UTC').epochMilliseconds
    return Array.from({ length: size }, (_, index) => ({
      deviceUuid: getMeter(number),
      metricType: 'electricity',
      timestamp: Temporal.Instant.fromEpochMilliseconds(midnight + index * 60_000).toString(),
      value: toValue(number, index, edition),
    }))
  }
  const readReadings = (client: V2Client, number: number): Promise<Reading[]> => {
    const day = toDate(number)
    const range = { fromDateTime: day.toString(), toDateTime: day.add({ days: 1 }).toString() }
    return getReadings(client, getMeter(number), 'electricity', range)
  }
  return {
    document: {
      site: { siteUuid, siteName: 'Ledger', timeZone: 'UTC' },
      buildings: [{ buildingUuid, buildingName: 'House' }],
      spaces: [space(spaceUuid, 'studio', { buildingUuid })],
      devices: meters.map((meter) =>
        device(meter, 'electricityMeter', spaceUuid, { metrics: { electricity: { kind: 'register' } } }),
      ),
    },
    delivery,
    readReadings,
    assertThere: async (client, number, edition = 0) => {
      const expected = delivery(number, edition).map(({ timestamp, value }) => ({
        at: Date.parse(timestamp),
        value,
      }))
      assert.deepEqual(await readReadings(client, number), expected, `delivery ${number}`)
    },
    assertTotals: async (client, count) => {
      const days = Math.ceil(count / meterCount) + 1
      const range = { fromDateTime: '2025-01-01', toDateTime: firstDay.add({ days }).toString() }
      for (const [index, meter] of meters.entries()) {
        const last = count - 1 - ((count - 1 - index) % meterCount)
        const counted = toValue(last, size - 1, 0) - toValue(index, 0, 0)
        for (const interval of ['P1D', 'P1M']) {
          const path = `/devices/${meter}/consumption/electricity`
          const { summary } = await getSeries(client, path, { interval, ...range })
          assert.equal(millionths([Number(summary['total'])]), millionths([counted]), `${meter} ${interval}`)
        }
      }
    },
  }
}

/** A partner that may read the ledger, on any server of its store. */
export interface Reader {
  on(installation: Installation): Promise<V2Client>
}

/** Applies the ledger's document and creates a partner for it. */
export async function openLedger(installation: Installation, { document }: Ledger): Promise<Reader> {
  await applyInventory(installation, document)
  const siteUuid = String(document.site['siteUuid'])
  const { partner } = await addClient(installation, [siteUuid])
  return {
    on: async ({ portico }) =>
      v2Client(portico, await tokenFor(portico, partner.clientId, partner.clientSecret), siteUuid),
  }
}

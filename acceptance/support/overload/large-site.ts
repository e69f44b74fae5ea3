import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { eventually } from '../eventually.ts'
import { device, type InventoryDocument, space } from '../fixtures/small-site.ts'
import { addClient, applyInventory, type Installation } from '../servers/installation.ts'
import { asArray, asInteger, asObject } from '../json.ts'
import { readMetrics } from '../clients/metrics.ts'
import type { NewPartner } from '../clients/operator.ts'
import type { V2Client } from '../clients/v2-client.ts'

const DAY_MS = 86_400_000
const LINES_PER_REQUEST = 100_000

export interface LargeSite {
  client: V2Client & { partner: NewPartner }
  spaces: string[]
  /** The identifier in version 1. */
  legacyId(uuid: string): number
}

/**
 * A site with many spaces of one type, all in one cluster. The first `measuredCount` of them have a meter that is read
 * every 20 days, so that `days` of history take few readings, and a sensor that reports `reportsPerDay` times a day
 * during the last month. Resolves when all closed days are rolled up.
 */
export async function makeLargeSite(
  installation: Installation,
  spaceCount: number,
  measuredCount: number,
  days: number,
  reportsPerDay = 8,
): Promise<LargeSite> {
  const [siteUuid, buildingUuid, clusterUuid] = [randomUUID(), randomUUID(), randomUUID()]
  const spaces = Array.from({ length: spaceCount }, () => randomUUID())
  const measured = spaces.slice(0, measuredCount)
  const meters = measured.map(() => randomUUID())
  const sensors = measured.map(() => randomUUID())
  const flat = { buildingUuid, floorNumber: 0, clusterUuid, clusterName: 'All', areaM2: 20, capacity: 2 }
  const document: InventoryDocument = {
    site: { siteUuid, siteName: 'Large site', timeZone: 'Europe/London' },
    buildings: [{ buildingUuid, buildingName: 'Tower' }],
    spaces: spaces.map((uuid, index) => space(uuid, 'studio', { ...flat, spaceName: `Studio ${index}` })),
    devices: measured.flatMap((uuid, index) => [
      device(meters[index] ?? '', 'electricityMeter', uuid, {
        metrics: { electricity: { kind: 'register' } },
      }),
      device(sensors[index] ?? '', 'multiSensor', uuid, {
        metrics: { temperature: { kind: 'gauge' }, occupancy: { kind: 'gauge' } },
      }),
    ]),
  }
  await applyInventory(installation, document)
  await deliver(installation, toLines(meters, sensors, days, reportsPerDay))
  await eventually(async () => {
    assert.match(await readMetrics(installation.portico), /^portico_rollup_queue_entries 0$/m)
  }, 1_200_000)
  const client = await addClient(installation, [siteUuid])
  const { data } = await client.get('/migration/id-map')
  const ids = new Map(
    asArray(data)
      .map(asObject)
      .map(({ uuid, id }) => [uuid, asInteger(id)]),
  )
  return { client, spaces, legacyId: (uuid) => ids.get(uuid) ?? 0 }
}

function* toLines(
  meters: readonly string[],
  sensors: readonly string[],
  days: number,
  reportsPerDay: number,
): Generator<string> {
  const now = Date.now()
  const line = (uuid: string, metric: string, at: number, value: number): string =>
    `${uuid},${metric},${new Date(at).toISOString()},${value}\n`
  for (const [index, meter] of meters.entries()) {
    for (let at = now - days * DAY_MS, step = 0; at < now; at += 20 * DAY_MS, step += 1)
      yield line(meter, 'electricity', at, step * (80 + (index % 37)))
  }
  for (const [index, sensor] of sensors.entries()) {
    for (let at = now - 32 * DAY_MS, step = 0; at < now; at += DAY_MS / reportsPerDay, step += 1) {
      yield line(sensor, 'temperature', at, 18 + ((index + step) % 50) / 10)
      yield line(sensor, 'occupancy', at, (index + step) % 3)
    }
  }
}

async function deliver({ portico, operator }: Installation, lines: Iterable<string>): Promise<void> {
  const post = async (body: string): Promise<void> => {
    const response = await fetch(`${portico.origin}/operator/readings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator}`, 'content-type': 'text/csv' },
      body: `deviceUuid,metricType,timestamp,value\n${body}`,
    })
    assert.equal(response.status, 200, await response.text())
  }
  let some: string[] = []
  for (const line of lines) {
    some.push(line)
    if (some.length < LINES_PER_REQUEST) continue
    await post(some.join(''))
    some = []
  }
  if (some.length > 0) await post(some.join(''))
}

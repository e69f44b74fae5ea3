import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { device, type InventoryDocument, space } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { asArray, asObject, type JsonObject } from '../support/json.ts'
import { fillIds, parseLinks, v1Client } from '../support/clients/v1.ts'
import { postReadings, type ReadingRecord, write } from '../support/clients/ingest-channels.ts'

const installation = await startInstallation()
after(() => installation.stop())
const { portico, operator } = installation

const siteUuid = randomUUID()
const [oldHouse, newHouse] = [randomUUID(), randomUUID()]
/** Rooms, one of them without a capacity. */
const rooms = [2, 2, 2, 2, 2, null].map((capacity, index) => ({
  spaceUuid: randomUUID(),
  meter: randomUUID(),
  sensor: randomUUID(),
  legacyId: 101 + index,
  capacity,
}))
const [archivedMeter, archivedRoom, movedMeter, , , silent] = rooms
const [buildingId, otherBuildingId, siteId] = [11, 12, 7]

const document: InventoryDocument = {
  site: { siteUuid, siteName: 'Departures', timeZone: 'Europe/London', legacyId: siteId },
  buildings: [
    { buildingUuid: oldHouse, buildingName: 'Old', legacyId: buildingId },
    { buildingUuid: newHouse, buildingName: 'New', legacyId: otherBuildingId },
  ],
  spaces: [
    ...rooms.map(({ spaceUuid, legacyId, capacity }) =>
      space(spaceUuid, 'bedroom', { buildingUuid: oldHouse, legacyId, capacity }),
    ),
    space(randomUUID(), 'studio', { buildingUuid: newHouse, legacyId: 201, capacity: 9 }),
  ],
  devices: rooms.flatMap(({ spaceUuid, meter, sensor }) => [
    device(meter, 'electricityMeter', spaceUuid, { metrics: { electricity: { kind: 'register' } } }),
    device(sensor, 'multiSensor', spaceUuid, { metrics: { occupancy: { kind: 'gauge' } } }),
  ]),
}
await applyInventory(installation, document)

const today = Temporal.Now.plainDateISO('Europe/London')
const [first, last] = [today.subtract({ days: 6 }), today.subtract({ days: 3 })]
const range = `from=${first.toString()}&to=${last.toString()}`
const start = first.toZonedDateTime('Europe/London').epochMilliseconds
const hours = Array.from({ length: 73 }, (_, hour) => new Date(start + hour * 3_600_000).toISOString())
const readings = rooms.flatMap(({ meter, sensor }, room) =>
  hours.flatMap((timestamp, hour): ReadingRecord[] => [
    { deviceUuid: meter, metricType: 'electricity', timestamp, value: hour * (1 + room / 10) },
    { deviceUuid: sensor, metricType: 'occupancy', timestamp, value: (hour + room) % 3 },
  ]),
)
await postReadings({ portico, operator }, 'ndjson', write(readings, 'ndjson'))

const client = await addClient(installation, [siteUuid])
const v1 = v1Client(client)
const ids = (spaceId = 0) => ({ spaceId, buildingId, siteId })
const ask = (path: string, spaceId?: number): Promise<JsonObject> => v1.get(fillIds(path, ids(spaceId)))
const rows = (answer: JsonObject): JsonObject[] => asArray(answer['data']).map(asObject)

const past = () =>
  Promise.all([
    ask(`/spaces/utilities/{spaceId}/history?${range}`, archivedMeter?.legacyId),
    ask(`/spaces/utilities/{spaceId}/history?${range}`, movedMeter?.legacyId),
    ask(`/spaces/multiSensor/{spaceId}/history?${range}`, archivedMeter?.legacyId),
    ask(`/buildings/occupancy/{buildingId}/history?${range}`),
    ask(`/sites/occupancy/{siteId}/history?${range}`),
    client.get(
      `/spaces/${archivedMeter?.spaceUuid}/aggregate/performance/daily?fromDateTime=${first.toString()}&toDateTime=${last.toString()}`,
    ),
  ])

describe('a removed resource', () => {
  test('keeps its history: devices archived or moved, and a whole room archived', async () => {
    const before = await past()
    const [, , , occupancy, , performance] = before
    assert.equal(asObject(asArray(asObject(performance)['timeSeries'])[0])['quality'], 'measured')
    // Six rooms, of which five have a capacity of two.
    assert.equal(rows(occupancy)[0]?.['capacity'], 10)

    const left = structuredClone(document)
    left.spaces = left.spaces.filter(({ spaceUuid }) => spaceUuid !== archivedRoom?.spaceUuid)
    left.devices = left.devices
      .filter(
        ({ deviceUuid, spaceUuid }) =>
          spaceUuid !== archivedRoom?.spaceUuid &&
          deviceUuid !== archivedMeter?.meter &&
          deviceUuid !== archivedMeter?.sensor,
      )
      .map((one) =>
        one['spaceUuid'] === movedMeter?.spaceUuid
          ? { ...one, spaceUuid: left.spaces.at(-1)?.['spaceUuid'] }
          : one,
      )
    await applyInventory(installation, left)
    assert.deepEqual(await past(), before)
  })

  test('appears in the links of histories, not in those of current values', async () => {
    const linked = async (path: string): Promise<boolean> => {
      const answer = await v1.send(fillIds(path, ids(archivedMeter?.legacyId)))
      return parseLinks(answer).some(({ address }) => address.includes('/electricity/'))
    }
    assert.equal(await linked(`/spaces/utilities/{spaceId}/history?${range}`), true)
    assert.equal(await linked('/spaces/utilities/{spaceId}/monthly'), true)
    assert.equal(await linked('/spaces/utilities/{spaceId}'), false)
  })

  test('does not add people to the building it moved to for the time before', async () => {
    const answer = await v1.get(`/buildings/occupancy/${otherBuildingId}/history?${range}`)
    for (const row of rows(answer)) assert.deepEqual([row['occupied'], row['capacity']], [null, null])
  })
})

test('a share covers only spaces with a known capacity', async () => {
  const history = rows(await ask(`/buildings/occupancy/{buildingId}/history?${range}`))
  const people = (hour: number) => rooms.map((_, room) => (hour + room) % 3)
  history.slice(0, 5).forEach((row, hour) => {
    const counts = people(hour)
    const all = counts.reduce((sum, count) => sum + count, 0)
    assert.deepEqual(row['occupied'], all)
    assert.deepEqual(row['percentage'], (all - (counts.at(-1) ?? 0)) * 10)
  })
})

test('meters that went silent have no last hour: null, not an old one', async () => {
  assert.deepEqual(await ask('/spaces/utilities/{spaceId}', silent?.legacyId), {
    spaceId: silent?.legacyId,
    timestamp: null,
    electricity: { value: null, unit: 'kWh' },
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { asArray, asInteger, asObject, asString, asUuid, type JsonObject } from '../support/json.ts'
import { readDemoData } from '../support/oracles/demo-data.ts'
import { assertNoCors } from '../support/oracles/problem.ts'
import { asNumber, toEpoch, getReadings, getSeries } from '../support/clients/series.ts'
import {
  brickClasses,
  derived,
  deviceFields,
  deviceTypes,
  environment,
  metricTypes,
  overviewFields,
  spaceFields,
  spaceTypes,
  units,
  utilities,
} from '../support/fixtures/spec-enums.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const demo = await shareDemo()

const { client, portico } = demo
const spaces = await client.list('/spaces')
const devices = await client.list('/devices')
const { metrics } = await readDemoData(demo)
const strings = (value: unknown): string[] => asArray(value).map(asString)
const sorted = (values: string[]): string[] => values.toSorted()
const measured = (value: unknown): void => {
  for (const name of strings(value)) assert.ok([...utilities, ...environment].includes(name), name)
}

function assertFields(record: JsonObject, fields: string[]): void {
  assert.deepEqual(sorted(Object.keys(record)), sorted(fields))
}

describe('every response', () => {
  test('has its version, request id and media type, and no CORS headers', async () => {
    for (const path of ['/sites', '/metric-types', '/spaces', '/devices', '/nothing']) {
      const { headers } = await client.send(path)
      assert.equal(headers.get('api-version'), '2')
      asUuid(headers.get('x-request-id'))
      assert.match(headers.get('content-type') ?? '', /^application\/(problem\+)?json\b/)
      assertNoCors(headers)
    }
  })
})

describe('GET /metric-types', () => {
  test('describes every metric type with its unit, group, aggregation, Brick class and Haystack tags', async () => {
    const records = await client.list('/metric-types')
    assert.deepEqual(sorted(records.map((record) => asString(record['metricType']))), sorted(metricTypes))
    for (const record of records) {
      const metricType = asString(record['metricType'])
      assert.match(asString(record['unit']), units[metricType] ?? /never/, metricType)
      assert.notEqual(asString(record['aggregation']), '')
      assert.equal(record['brickClass'], brickClasses[metricType], metricType)
      assert.ok(Object.keys(record).some((name) => /haystack/i.test(name)))
    }
  })

  test('has three groups: utilities, environment and derived metrics', async () => {
    const records = await client.list('/metric-types')
    const groups = Map.groupBy(records, (record) => asString(record['group']))
    const members = [...groups.values()].map((group) =>
      sorted(group.map((record) => asString(record['metricType']))),
    )
    assert.equal(members.length, 3)
    for (const group of [utilities, environment, derived]) {
      assert.ok(
        members.some((found) => found.join() === sorted(group).join()),
        JSON.stringify(members),
      )
    }
  })
})

describe('GET /spaces', () => {
  test('lists all spaces of the site with exactly the fields of a space', () => {
    assert.ok(spaces.length >= 50, `${spaces.length} spaces`)
    assert.equal(new Set(spaces.map((space) => asUuid(space['spaceUuid']))).size, spaces.length)
    for (const space of spaces) {
      assertFields(space, spaceFields)
      assert.notEqual(asString(space['spaceName']), '')
      assert.ok(spaceTypes.includes(asString(space['spaceType'])))
      assert.equal(space['siteUuid'], portico.demoEnv.SITE_ID)
      asUuid(space['buildingUuid'])
      assert.notEqual(asString(space['buildingName']), '')
      if (space['floorNumber'] !== null) asInteger(space['floorNumber'])
      if (space['clusterUuid'] === null) assert.equal(space['clusterName'], null)
      else asUuid(space['clusterUuid'])
      if (space['areaM2'] !== null) assert.ok(asNumber(space['areaM2']) > 0)
      if (space['capacity'] !== null) assert.ok(asInteger(space['capacity']) >= 0)
      measured(space['metricTypes'])
    }
  })

  test('a space has the time zone of its site', async () => {
    const [site = {}] = await client.list('/sites')
    for (const space of spaces) assert.equal(space['timeZone'], site['timeZone'])
  })

  test('a cluster is a flat: bedrooms and a shared room in one building under one identifier', () => {
    const clusters = Map.groupBy(
      spaces.filter((space) => space['clusterUuid'] !== null),
      (space) => asString(space['clusterUuid']),
    )
    assert.ok(clusters.size > 0)
    for (const members of clusters.values()) {
      assert.ok(members.length > 1)
      assert.equal(new Set(members.map((space) => space['clusterName'])).size, 1)
      assert.equal(new Set(members.map((space) => space['buildingUuid'])).size, 1)
    }
  })

  test('deviceCount and metricTypes of a space are those of the devices in it', () => {
    for (const space of spaces) {
      const inside = devices.filter((device) => device['spaceUuid'] === space['spaceUuid'])
      assert.equal(space['deviceCount'], inside.length)
      const counting = metrics.filter(
        ({ spaceUuid, countsInSpace }) => spaceUuid === space['spaceUuid'] && countsInSpace,
      )
      const names = new Set(counting.map(({ metricType }) => metricType).filter((name) => name !== 'battery'))
      assert.deepEqual(sorted(strings(space['metricTypes'])), sorted([...names]))
    }
  })
})

describe('GET /devices', () => {
  test('lists all devices of the site with exactly the fields of a device', () => {
    assert.ok(devices.length >= 150, `${devices.length} devices`)
    assert.equal(new Set(devices.map((device) => asUuid(device['deviceUuid']))).size, devices.length)
    for (const device of devices) {
      assertFields(device, deviceFields)
      assert.notEqual(asString(device['deviceName']), '')
      assert.ok(deviceTypes.includes(asString(device['deviceType'])))
      for (const name of ['manufacturer', 'model', 'serialNumber', 'firmwareVersion']) {
        if (device[name] !== null) asString(device[name])
      }
      measured(device['metricTypes'])
      assert.ok(['online', 'offline', 'unknown'].includes(asString(device['status'])))
      if (device['status'] !== 'unknown') toEpoch(device['lastSeenAt'])
      if (device['batteryPercent'] !== null) assert.ok(asNumber(device['batteryPercent']) <= 100)
      if (device['installedAt'] !== null) asString(device['installedAt'])
    }
  })

  test('a device is in a listed space and has its building and floor', () => {
    for (const device of devices) {
      const space = spaces.find((candidate) => candidate['spaceUuid'] === device['spaceUuid']) ?? {}
      for (const name of ['siteUuid', 'buildingUuid', 'floorNumber', 'spaceName', 'clusterUuid']) {
        assert.equal(device[name], space[name], name)
      }
    }
  })

  test('capabilities describe what a device can do, and a meter can do nothing', () => {
    assert.ok(devices.some((device) => device['deviceType'] === 'trv'))
    for (const device of devices) {
      const { schedule, setpoint } = asObject(device['capabilities'])
      if (asString(device['deviceType']).endsWith('Meter')) assert.equal(device['controllable'], false)
      if (device['controllable'] !== true) continue
      const { types, execution, minuteStep, maxPeriodsPerDay } = asObject(schedule)
      assert.ok(strings(types).length > 0)
      assert.ok(execution === 'device' || execution === 'server')
      assert.ok(asInteger(minuteStep) > 0 && asInteger(maxPeriodsPerDay) > 0)
      if (setpoint === undefined) continue
      const { min, max, step, unit } = asObject(setpoint)
      assert.ok(asNumber(min) < asNumber(max) && asNumber(step) > 0)
      assert.equal(unit, 'degC')
    }
  })
})

test('GET /devices/{deviceuuid} returns the record of the list', async () => {
  for (const device of devices.filter((_, index) => index % 25 === 0)) {
    const shown = await client.get(`/devices/${asString(device['deviceUuid'])}`)
    // Its status may change at any moment.
    const { status, lastSeenAt, batteryPercent, warnings } = shown
    assert.deepEqual(shown, { ...device, status, lastSeenAt, batteryPercent, warnings })
  }
})

describe('GET /spaces/{spaceuuid}/overview', () => {
  const clustered = spaces.find(
    (space) => space['clusterUuid'] !== null && asInteger(space['deviceCount']) > 2,
  )
  const single = spaces.find((space) => space['clusterUuid'] === null && asInteger(space['deviceCount']) > 2)
  for (const [name, space = {}] of [
    ['in a cluster', clustered],
    ['of its own', single],
  ] as const) {
    const path = `/spaces/${String(space['spaceUuid'])}`

    test(`a space ${name}: the record of the list, and the fields of an overview`, async () => {
      const overview = await client.get(`${path}/overview`)
      assertFields(overview, overviewFields)
      for (const field of spaceFields) assert.deepEqual(overview[field], space[field], field)
      assert.equal(overview['consumptionScope'], name === 'in a cluster' ? 'cluster' : 'space')
      for (const row of asArray(overview['utilities']).map(asObject)) {
        assertFields(row, ['metricType', 'unit', 'today', 'yesterday', 'monthToDate', 'lastUpdated'])
        assert.match(asString(row['unit']), units[asString(row['metricType'])] ?? /never/)
        assert.ok(utilities.includes(asString(row['metricType'])))
      }
      for (const row of asArray(overview['environment']).map(asObject)) {
        assertFields(row, ['metricType', 'unit', 'value', 'timestamp', 'stale'])
        assert.match(asString(row['unit']), units[asString(row['metricType'])] ?? /never/)
        assert.equal(typeof row['stale'], 'boolean')
      }
    })

    test(`a space ${name}: its devices are those of the list`, async () => {
      const rows = asArray((await client.get(`${path}/overview`))['devices']).map(asObject)
      for (const row of rows) assertFields(row, ['deviceUuid', 'deviceType', 'status'])
      const inside = devices.filter((device) => device['spaceUuid'] === space['spaceUuid'])
      const key = (row: JsonObject): string => `${String(row['deviceUuid'])} ${String(row['deviceType'])}`
      assert.deepEqual(sorted(rows.map(key)), sorted(inside.map(key)))
    })

    test(`a space ${name}: today, yesterday and the month are those of the daily series`, async () => {
      await eventually(async () => {
        const overview = await client.get(`${path}/overview`)
        const rows = asArray(overview['utilities']).map(asObject)
        assert.ok(rows.length > 0)
        for (const row of rows) {
          const scope = asString(overview['consumptionScope'])
          const series = `${path}/aggregate/${asString(row['metricType'])}/daily`
          const days = await getSeries(client, series, { scope })
          const months = await getSeries(client, series, { scope, interval: 'P1M' })
          assert.equal(row['today'], days.points.at(-1)?.value)
          assert.equal(row['yesterday'], days.points.at(-2)?.value)
          assert.equal(row['monthToDate'], months.points.at(-1)?.value)
        }
        // A reading may arrive between the requests: then everything is read again.
        assert.deepEqual((await client.get(`${path}/overview`))['utilities'], overview['utilities'])
      })
    })
  }

  test('the environment shows the newest reading of the space', async () => {
    const overview = await client.get(`/spaces/${String(single?.['spaceUuid'])}/overview`)
    const inside = devices.filter((device) => device['spaceUuid'] === single?.['spaceUuid'])
    const rows = asArray(overview['environment']).map(asObject)
    assert.ok(rows.length > 0)
    for (const row of rows) {
      const metricType = asString(row['metricType'])
      const sources = inside.filter((device) => strings(device['metricTypes']).includes(metricType))
      if (sources.length !== 1 || row['timestamp'] === null) continue
      const at = toEpoch(row['timestamp'])
      const range = {
        fromDateTime: Temporal.Instant.fromEpochMilliseconds(at - 3_600_000).toString(),
        toDateTime: Temporal.Instant.fromEpochMilliseconds(at + 1_000).toString(),
      }
      const newest = (await getReadings(client, sources[0]?.['deviceUuid'], metricType, range)).at(-1)
      assert.deepEqual(newest, { at, value: row['value'] })
    }
  })
})

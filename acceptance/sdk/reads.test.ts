import assert from 'node:assert/strict'
import { before, describe, mock, test } from 'node:test'
import { buffer, text } from 'node:stream/consumers'
import {
  BadRequestError,
  CredentialsError,
  ForbiddenError,
  lastDays,
  memoryCache,
  NotFoundError,
  type Portico,
  type Site,
} from '../../packages/sdk/src/index.ts'
import { asObject, parseJson } from '../support/json.ts'
import { queryParquet } from '../support/oracles/parquet.ts'
import { type Demo } from '../support/servers/installation.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'
import { demoClient } from './clients.ts'
import { startProxy } from './proxy.ts'

let demo: Demo
let portico: Portico
let site: Site
before(async () => {
  demo = await shareDemo()
  portico = demoClient(demo.portico.demoEnv)
  site = portico.site()
})

/** A day whose readings are complete. */
const DAY = { from: lastDays(4).from, to: lastDays(3).from }

describe('reads', () => {
  test('a list has the records of the API, whatever the size of its pages', async () => {
    const all = await site.devices.list().toArray()
    const raw = await demo.client.listAll('/devices')
    assert.deepEqual(
      all.map(({ deviceUuid }) => deviceUuid),
      raw.map((device) => device['deviceUuid']),
    )
    const { data, nextCursor } = await site.devices.list({ limit: 100 }).page()
    assert.equal(data.length, 100)
    assert.notEqual(nextCursor, null)
    const pages: number[] = []
    for await (const page of site.devices.list({ limit: 100 }).pages()) pages.push(page.data.length)
    assert.equal(
      pages.reduce((sum, length) => sum + length, 0),
      all.length,
    )
  })

  test('filters, overview, series, batch and latest values agree', async () => {
    const [space] = await site.spaces.list({ spaceType: 'studio', metricType: 'electricity' }).toArray()
    assert.ok(space)
    const { spaceUuid } = space
    assert.equal((await site.spaces.overview(spaceUuid)).spaceName, space.spaceName)
    const hours = await site.spaces.hourly(spaceUuid, 'electricity', DAY)
    assert.ok(hours.timeSeries.length >= 23)
    const days = await site.spaces.daily(spaceUuid, 'electricity', DAY)
    assert.equal(days.timeSeries.length, 1)
    const query = {
      metricTypes: ['electricity', 'temperature'],
      spaceUuids: [spaceUuid],
      ...DAY,
    } as const
    const rows = [...(await site.aggregate.hourly(query)).rows()]
    assert.deepEqual(
      rows.map((row) => [row.spaceUuid, row.metricType]),
      [
        [spaceUuid, 'electricity'],
        [spaceUuid, 'temperature'],
      ],
    )
    assert.deepEqual(rows[0]?.points, hours.timeSeries)
    const [latest] = await site.latest({ spaceUuids: [spaceUuid], metricTypes: ['temperature'] })
    assert.equal(latest?.environment[0]?.metricType, 'temperature')
  })

  test('rows of a batch have the identifier of their group', async () => {
    const query = { metricTypes: ['electricity'], groupBy: 'building', ...DAY } as const
    const rows = [...(await site.aggregate.daily(query)).rows()]
    assert.ok(rows.length >= 2)
    for (const { buildingUuid, points } of rows) {
      assert.match(buildingUuid, /^[0-9a-f-]{36}$/)
      assert.equal(points.length, 1)
    }
  })

  test('devices have series, readings and a batch', async () => {
    const [meter] = await site.devices.list({ deviceType: 'electricityMeter', limit: 1 }).toArray()
    assert.ok(meter)
    const { deviceUuid } = meter
    assert.deepEqual((await site.devices.get(deviceUuid)).deviceName, meter.deviceName)
    const windows = await site.devices.consumption(deviceUuid, 'electricity', {
      interval: 'PT1H',
      ...DAY,
    })
    const query = { metricTypes: ['electricity'], deviceUuids: [deviceUuid], ...DAY } as const
    const [row] = (await site.consumption.hourly(query)).rows()
    assert.deepEqual(row?.points, windows.timeSeries)
    const readings = await site.devices.readings(deviceUuid, 'electricity', DAY).toArray()
    assert.ok(readings.length >= 40)
    assert.equal((await site.devices.currentSchedule(deviceUuid)).deviceUuid, deviceUuid)
  })

  test('an export has the readings of single reads, and is complete when its stream ends', async () => {
    const [meter] = await site.devices.list({ deviceType: 'electricityMeter', limit: 1 }).toArray()
    const { deviceUuid } = meter ?? assert.fail()
    const query = { metricTypes: ['electricity'], deviceUuids: [deviceUuid], ...DAY } as const
    const readings = await site.devices.readings(deviceUuid, 'electricity', DAY).toArray()
    const lines = (await text(await site.export.readings(query))).trimEnd().split('\n')
    const records = lines.map((line) => asObject(parseJson(line)))
    assert.deepEqual(records.pop(), { end: true, records: readings.length })
    assert.deepEqual(
      records.map((record) => [
        record['deviceUuid'],
        Date.parse(String(record['timestamp'])),
        record['value'],
      ]),
      readings.map(({ timestamp, value }) => [deviceUuid, Date.parse(timestamp), value]),
    )
    const file = await buffer(await site.export.readings({ ...query, format: 'parquet' }))
    assert.deepEqual(
      await queryParquet(file, 'SELECT value FROM file'),
      readings.map(({ value }) => [value]),
    )
  })

  test('the account, sites, metrics and version 1 ids', async () => {
    const account = await portico.account()
    assert.equal(account.clientId, demo.portico.demoEnv.CLIENT_ID)
    assert.deepEqual(
      (await portico.sites().toArray()).map(({ siteUuid }) => siteUuid),
      account.sites.map(({ siteUuid }) => siteUuid),
    )
    assert.ok((await site.metricTypes()).some(({ metricType }) => metricType === 'electricity'))
    assert.ok((await site.migration.idMap(['building']).toArray()).length >= 2)
    assert.ok(Array.isArray(await site.migration.usage().toArray()))
  })

  test('a call that the SDK does not know', async () => {
    const { data, requestId } = await portico
      .request<{ data: unknown[] }>('GET', '/spaces', { siteId: site.siteId, query: { limit: 2 } })
      .withResponse()
    assert.equal(data.data.length, 2)
    assert.match(requestId ?? '', /^[0-9a-f-]{36}$/)
  })
})

describe('errors of the server', () => {
  const MISSING = '00000000-0000-4000-8000-000000000000'

  test('have a class, a code and the id of the request', async () => {
    await assert.rejects(site.spaces.overview(MISSING), (error) => {
      assert.ok(error instanceof NotFoundError)
      assert.equal(error.code, 'not-found')
      assert.ok(error.requestId !== undefined && error.message.endsWith(`(request ${error.requestId})`))
      return true
    })
    await assert.rejects(portico.site(MISSING).spaces.list().page(), ForbiddenError)
  })

  test('name the invalid fields', async () => {
    const wrong = site.spaces.list({ limit: 100_000 }).page()
    await assert.rejects(
      wrong,
      (error) => error instanceof BadRequestError && error.errors[0]?.field === 'limit',
    )
  })

  test('of wrong credentials have the number of the issuer', async () => {
    const stranger = demoClient(demo.portico.demoEnv, { clientSecret: 'not-the-secret' })
    await assert.rejects(
      stranger.account(),
      (error) => error instanceof CredentialsError && error.aadsts === 7000215 && error.status === 401,
    )
  })
})

describe('through a counting proxy', () => {
  test('200 reads at once on a new client make one token request', async () => {
    await using proxy = await startProxy(demo.portico.origin)
    const client = demoClient(demo.portico.demoEnv, { warnBeforeExpiry: false }, proxy.url)
    await Promise.all(Array.from({ length: 200 }, () => client.site().spaces.list({ limit: 1 }).page()))
    const tokens = proxy.passed.filter(({ path }) => path.endsWith('/oauth2/v2.0/token'))
    assert.equal(tokens.length, 1)
    assert.equal(proxy.passed.length, 201)
  })

  test('a read whose connection is cut is repeated, unless retries are off', async () => {
    await using proxy = await startProxy(demo.portico.origin)
    const client = demoClient(demo.portico.demoEnv, { warnBeforeExpiry: false }, proxy.url)
    proxy.cutNext(({ url }) => url === '/v2/account')
    await client.account()
    const reads = (): number => proxy.passed.filter(({ path }) => path === '/v2/account').length
    assert.equal(reads(), 2)
    proxy.cutNext(({ url }) => url === '/v2/account')
    await assert.rejects(client.account({ maxRetries: 0 }))
    assert.equal(reads(), 3)
  })

  test('an unchanged response comes from the cache', async () => {
    await using proxy = await startProxy(demo.portico.origin)
    const options = { warnBeforeExpiry: false, cache: memoryCache() }
    const client = demoClient(demo.portico.demoEnv, options, proxy.url).site()
    const [space] = (await client.spaces.list({ metricType: 'electricity', limit: 1 }).page()).data
    const read = () => client.spaces.daily(space?.spaceUuid ?? '', 'electricity', DAY)
    assert.deepEqual(await read(), await read())
    assert.deepEqual(
      proxy.passed.slice(-2).map(({ status }) => status),
      [200, 304],
    )
  })
})

test('a clock that is wrong by ten minutes does not matter', async () => {
  const real = Date.now
  for (const offset of [-600_000, 600_000]) {
    const mocked = mock.method(Date, 'now', () => real() + offset)
    try {
      // With another spelling of the address, the client gets a separate token.
      const client = demoClient(demo.portico.demoEnv, {}, demo.portico.origin)
      assert.ok((await client.site().spaces.list({ limit: 1 }).page()).data.length === 1)
    } finally {
      mocked.mock.restore()
    }
  }
})

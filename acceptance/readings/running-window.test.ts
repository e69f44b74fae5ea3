import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { computeEdges } from '../support/histories/edges.ts'
import { type SeriesOfDevice, windowsOfDevice } from '../support/histories/oracle.ts'
import { zones } from '../support/histories/zones.ts'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, type Installation } from '../support/servers/installation.ts'
import { getSeries, type Point } from '../support/clients/series.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { ingestChannels } from '../support/clients/ingest-channels.ts'
import { type Interval, computeWindows } from '../support/oracles/windows.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const minuteMs = 60_000
const intervals: Interval[] = ['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M']
const kinds = { electricity: 'register', water: 'delta', temperature: 'gauge' } as const
const metricTypes = ['electricity', 'water', 'temperature'] as const

let installation: Installation

before(async () => {
  installation = await shareDemo()
})

/** The edges of the current window, and possibly of some later ones. */
function runningEdges(interval: Interval, timeZone: string): number[] {
  const now = Temporal.Now.zonedDateTimeISO(timeZone)
  if (interval.startsWith('PT')) {
    const at = now.epochMilliseconds
    return computeWindows(at, at + 1, interval, timeZone).edges
  }
  const today = now.toPlainDate()
  return computeEdges({ first: today, end: today.add({ days: 1 }) }, interval, timeZone)
}

/** The last window, requested while it is current; the next may begin while the request is in flight. */
async function runningWindow(
  client: V2Client,
  path: string,
  interval: Interval,
  timeZone: string,
): Promise<{ point: Point; edges: number[] }> {
  for (;;) {
    const edges = runningEdges(interval, timeZone)
    const { points } = await getSeries(client, path, { interval })
    const point = points.at(-1)
    assert.ok(point)
    if (edges[0] === runningEdges(interval, timeZone)[0]) return { point, edges: edges.slice(0, 2) }
  }
}

test('the current window is partial with what has been measured so far, in every zone and at every interval', async () => {
  for (const timeZone of zones) {
    const house = makeSmallSite({ timeZone })
    const deviceUuid = randomUUID()
    const metrics = Object.fromEntries(metricTypes.map((name) => [name, { kind: kinds[name] }]))
    house.document.devices.push(device(deviceUuid, 'electricityMeter', house.studio, { metrics }))
    await applyInventory(installation, house.document)
    const client = await addClient(installation, [house.siteUuid])

    const now = Math.floor(Date.now() / minuteMs) * minuteMs
    const instants = Array.from({ length: 300 }, (_, index) => now - (300 - index) * 11 * minuteMs)
    instants.push(now - 2 * minuteMs, now)
    const readings = instants.map((at, index) => ({ at, value: index * 0.001 }))
    for (const metricType of metricTypes) {
      const sent = readings.map(({ at, value }) => ({
        deviceUuid,
        metricType,
        timestamp: new Date(at).toISOString(),
        value,
      }))
      await ingestChannels(installation)[0]?.send(sent)
      const series: SeriesOfDevice = {
        deviceUuid,
        deviceType: 'multiSensor',
        metricType,
        spec: { kind: kinds[metricType] },
        stays: [],
        readings,
      }
      for (const interval of intervals) {
        const path = `/devices/${deviceUuid}/consumption/${metricType}`
        const { point, edges } = await runningWindow(client, path, interval, timeZone)
        const about = `${timeZone} ${metricType} ${interval} ${JSON.stringify(point.json)}`
        const [expected] = windowsOfDevice(series, edges)
        assert.equal(point.at, edges[0], about)
        assert.ok(expected)
        if (expected.value === null) {
          assert.deepEqual([point.value, point.quality], [null, 'missing'], about)
          continue
        }
        assert.equal(point.quality, 'partial', about)
        assert.ok(Math.abs((point.value ?? Number.NaN) - expected.value) < 1.001e-6, about)
        // A delta may cover minutes in the future, which do not count as covered yet.
        assert.ok(point.coverage <= expected.coverage + 1e-4, about)
        if (metricType === 'electricity') assert.ok(point.coverage >= expected.coverage - 1e-4, about)
      }
    }
  }
})

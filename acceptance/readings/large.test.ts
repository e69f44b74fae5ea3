import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { device, makeSmallSite } from '../support/fixtures/small-site.ts'
import {
  addClient,
  applyInventory,
  type Installation,
  startInstallation,
} from '../support/servers/installation.ts'
import { asObject } from '../support/json.ts'
import { getSeries, millionths } from '../support/clients/series.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { readReport } from '../support/clients/ingest-channels.ts'

const seriesCount = 1000
const steps = 400
const stepMs = 15 * 60_000
const start = Date.UTC(2026, 0, 1)
// Lines are padded with spaces: the request's text alone exceeds the server's memory limit.
const padding = ' '.repeat(1_700)
const mostMegabytes = 640

const house = makeSmallSite({ timeZone: 'UTC' })
const meters = Array.from({ length: seriesCount }, () => randomUUID())
for (const meter of meters) {
  const metrics = { electricity: { kind: 'register' } }
  house.document.devices.push(device(meter, 'electricityMeter', house.studio, { metrics }))
}

let installation: Installation
let client: V2Client

before(async () => {
  installation = await startInstallation({ LOG_LEVEL: 'error' })
  await applyInventory(installation, house.document)
  client = await addClient(installation, [house.siteUuid])
})
after(() => installation.stop())

/** All meters at one instant, then all at the next, as a building sends them. */
function* lines(): Generator<Buffer> {
  for (let step = 0; step < steps; step += 1) {
    const timestamp = new Date(start + step * stepMs).toISOString()
    const text = meters.map(
      (deviceUuid, index) =>
        `{"deviceUuid":"${deviceUuid}","metricType":"electricity",${padding}"timestamp":"${timestamp}","value":${index + step * 0.25}}\n`,
    )
    yield Buffer.from(text.join(''))
  }
}

/** Repeats the request on 503, as clients do: the database may not answer in time on a busy machine. */
async function deliver(): Promise<ReturnType<typeof readReport>> {
  const response = await fetch(`${installation.portico.origin}/operator/readings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${installation.operator}`, 'content-type': 'application/x-ndjson' },
    body: Readable.toWeb(Readable.from(lines())) as ReadableStream,
    duplex: 'half',
  })
  const body = asObject(await response.json())
  if (response.status === 503) return deliver()
  assert.equal(response.status, 200, JSON.stringify(body))
  return readReport(body)
}

/** Peak memory of the server, in megabytes. */
function mostMemory(): number {
  const status = readFileSync(`/proc/${installation.portico.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024
}

describe('400,000 readings of a thousand meters in one request', () => {
  const count = seriesCount * steps

  test('are all accepted, in bounded memory', async (context) => {
    // A request that was repeated finds a part of the readings stored.
    const { accepted, unchanged, ...others } = await deliver()
    assert.equal(accepted + unchanged, count)
    assert.deepEqual(others, { replaced: 0, refusedCount: 0 })
    context.diagnostic(`${Math.round(mostMemory())} MB at most`)
    assert.ok(mostMemory() < mostMegabytes, `${mostMemory()} MB`)
  })

  test('are read back as sent', async () => {
    const last = new Date(start + (steps - 1) * stepMs).toISOString()
    const range = { fromDateTime: '2026-01-01', toDateTime: last }
    for (const meter of meters.filter((_, index) => index % 97 === 0)) {
      for (const interval of ['PT1H', 'P1D', 'P1M']) {
        const path = `/devices/${meter}/consumption/electricity`
        const { summary } = await getSeries(client, path, { interval, ...range })
        assert.equal(millionths([Number(summary['total'])]), millionths([(steps - 1) * 0.25]), interval)
      }
    }
  })

  test('are all unchanged when sent again, still in bounded memory', async (context) => {
    assert.deepEqual(await deliver(), { accepted: 0, replaced: 0, unchanged: count, refusedCount: 0 })
    context.diagnostic(`${Math.round(mostMemory())} MB at most`)
    assert.ok(mostMemory() < mostMegabytes, `${mostMemory()} MB`)
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, type Installation } from '../support/servers/installation.ts'
import { asArray, asObject } from '../support/json.ts'
import { tokenFor } from '../support/clients/requests.ts'
import { getReadings } from '../support/clients/series.ts'
import { makeStore } from '../support/servers/store.ts'
import { v2Client, type V2Client } from '../support/clients/v2-client.ts'
import { postReadings, type ReadingRecord, write } from '../support/clients/ingest-channels.ts'

const house = makeSmallSite()
const store = await makeStore()
let installation: Installation
let credentials: { clientId: string; clientSecret: string }

const dayMs = 86_400_000
const today = Temporal.Now.plainDateISO('UTC')
const old = today.subtract({ days: 60 })
const quarterHour = 900_000

/** A week of a meter, sixty days ago. */
const history: ReadingRecord[] = Array.from({ length: 7 * 96 + 1 }, (_, index) => ({
  deviceUuid: house.meter,
  metricType: 'electricity',
  timestamp: new Date(Date.parse(`${old.toString()}T00:07Z`) + index * quarterHour).toISOString(),
  value: Math.round(index * index * 37) / 1000,
}))

const client = async (): Promise<V2Client> =>
  v2Client(
    installation.portico,
    await tokenFor(installation.portico, credentials.clientId, credentials.clientSecret),
    house.siteUuid,
  )

/** Every window of those days, at every interval, for the device and for its space. */
async function windows(): Promise<unknown[]> {
  const partner = await client()
  const answers: unknown[] = []
  for (const interval of ['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M']) {
    const range = `interval=${interval}&fromDateTime=${old.toString()}&toDateTime=${old.add({ days: 8 }).toString()}`
    const kind = interval.startsWith('PT') ? 'hourly' : 'daily'
    answers.push(await partner.get(`/devices/${house.meter}/consumption/electricity?${range}`))
    answers.push(await partner.get(`/spaces/${house.bedroom}/aggregate/electricity/${kind}?${range}`))
  }
  return answers
}

before(async () => {
  installation = await store.start()
  await applyInventory(installation, house.document)
  const { partner } = await addClient(installation, [house.siteUuid])
  credentials = partner
  const report = await postReadings(installation, 'ndjson', write(history, 'ndjson'))
  assert.equal(report['accepted'], history.length)
})
after(async () => {
  await installation.stop()
  await store.remove()
})

test('with RAW_RETENTION older readings are deleted, closed windows do not change, and later arrivals are too old', async () => {
  const expected = await windows()
  await installation.portico.stop()
  installation = await store.start({ env: { RAW_RETENTION: 'P30D' } })
  await eventually(async () => {
    const range = { fromDateTime: old.toString(), toDateTime: old.add({ days: 1 }).toString() }
    assert.deepEqual(await getReadings(await client(), house.meter, 'electricity', range), [])
  })
  assert.deepEqual(await windows(), expected)

  const [late] = history
  assert.ok(late)
  const fresh = { ...late, timestamp: new Date(Date.now() - 29 * dayMs).toISOString(), value: 9_999 }
  const report = await postReadings(installation, 'ndjson', write([late, fresh], 'ndjson'))
  assert.equal(report['accepted'], 1)
  assert.deepEqual(
    asArray(report['refused']).map((one) => asObject(one)['code']),
    ['too-old'],
  )
})

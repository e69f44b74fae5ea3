import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { device, space } from '../support/fixtures/small-site.ts'
import {
  addClient,
  applyInventory,
  exportInventory,
  type Installation,
  startInstallation,
} from '../support/servers/installation.ts'
import { asInteger, asObject, type JsonObject } from '../support/json.ts'
import { asNumber, getSeries, type Series } from '../support/clients/series.ts'
import { postReadings, type ReadingRecord, write } from '../support/clients/ingest-channels.ts'
import { v1Client } from '../support/clients/v1.ts'
import type { V2Client } from '../support/clients/v2-client.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const at = (date: string): number => Date.parse(`${date}T00:00Z`)

let installation: Installation
before(async () => {
  installation = await startInstallation()
})
after(() => installation.stop())

async function deliver(records: readonly ReadingRecord[]): Promise<void> {
  const report = await postReadings(installation, 'ndjson', write(records, 'ndjson'))
  assert.equal(report['refusedCount'], 0)
}

/** A register, read at some instants, of a meter whose consumption per hour is given by a function. */
function register(
  deviceUuid: string,
  instants: number[],
  perHour: (instant: number) => number,
): ReadingRecord[] {
  let value = 0
  return instants.map((instant, index) => {
    const before = instants[index - 1] ?? instant
    value += ((instant - before) / hourMs) * perHour(before)
    return { deviceUuid, metricType: 'electricity', timestamp: new Date(instant).toISOString(), value }
  })
}

const every = (stepMs: number, from: number, to: number): number[] =>
  Array.from({ length: Math.floor((to - from) / stepMs) + 1 }, (_, index) => from + index * stepMs)

const comparisonOf = ({ summary }: Series): JsonObject => asObject(summary['comparison'])

function assertNear(actual: unknown, expected: number, tolerance: number): void {
  assert.ok(Math.abs(asNumber(actual) - expected) <= tolerance, `${String(actual)} is not ${expected}`)
}

const electricity = (more: JsonObject = {}): JsonObject => ({
  metrics: { electricity: { kind: 'register', ...more } },
})

describe('compared with the past', () => {
  const [siteUuid, buildingUuid, room, meter] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const monthStart = Temporal.Now.plainDateISO('UTC').with({ day: 1 })
  const startedAt = at(monthStart.toString())
  let client: V2Client

  const compare = (params: Record<string, string>, granularity = 'daily'): Promise<Series> =>
    getSeries(client, `/spaces/${room}/aggregate/electricity/${granularity}`, params)

  before(async () => {
    await applyInventory(installation, {
      site: { siteUuid, siteName: 'Past', timeZone: 'UTC' },
      buildings: [{ buildingUuid, buildingName: 'House' }],
      spaces: [space(room, 'studio', { buildingUuid, targets: { electricity: { perDay: 36 } } })],
      devices: [device(meter, 'electricityMeter', room, electricity({ maxPerHour: 100 }))],
    })
    client = await addClient(installation, [siteUuid])
    // In 2025, as much an hour as the number of the month; 1 before this month and 2 since.
    const jumpAt = at('2025-05-13') + 12 * hourMs
    await deliver([
      ...register(meter, every(hourMs, at('2025-01-01'), at('2025-06-01')), (instant) =>
        instant === jumpAt ? 5_000 : new Date(instant).getUTCMonth() + 1,
      ),
      ...register(
        meter,
        [...every(dayMs, at(monthStart.subtract({ months: 1 }).toString()), startedAt), Date.now()],
        (instant) => (instant < startedAt ? 1 : 2),
      ).map((reading) => ({ ...reading, value: reading.value + 100_000 })),
    ])
  })

  test('months are compared with as many whole months before', async () => {
    const march = { interval: 'P1M', fromDateTime: '2025-03-01', toDateTime: '2025-04-01' }
    const { value, changePercent, coverage } = comparisonOf(
      await compare({ ...march, compareTo: 'previousPeriod' }),
    )
    assert.deepEqual([value, coverage], [2 * 24 * 28, 1])
    assertNear(changePercent, 100 * ((3 * 31) / (2 * 28) - 1), 1e-3)
    const two = { interval: 'P1M', fromDateTime: '2025-03-01', toDateTime: '2025-05-01' }
    assert.equal(
      comparisonOf(await compare({ ...two, compareTo: 'previousPeriod' }))['value'],
      24 * (31 + 2 * 28),
    )
    const own = await getSeries(client, `/devices/${meter}/consumption/electricity`, {
      ...march,
      compareTo: 'previousPeriod',
    })
    assert.deepEqual(comparisonOf(own), { value, changePercent, coverage })
  })

  test('weeks and days are compared with as many before', async () => {
    const week = { interval: 'P1W', fromDateTime: '2025-03-03', toDateTime: '2025-03-10' }
    assert.equal(
      comparisonOf(await compare({ ...week, compareTo: 'previousPeriod' }))['value'],
      24 * (5 * 2 + 2 * 3),
    )
    const days = { fromDateTime: '2025-03-02', toDateTime: '2025-03-05' }
    assert.equal(
      comparisonOf(await compare({ ...days, compareTo: 'previousPeriod' }))['value'],
      24 * (2 * 2 + 3),
    )
  })

  test('a base with gaps is shown with its coverage, and without a change if it has too many', async () => {
    const months = { interval: 'P1M', fromDateTime: '2025-02-01', toDateTime: '2025-04-01' }
    assert.deepEqual(comparisonOf(await compare({ ...months, compareTo: 'previousPeriod' })), {
      value: 24 * 31,
      changePercent: null,
      coverage: 0.5,
    })
  })

  test('the current month is compared with the same elapsed part of the month before', async () => {
    const month = { interval: 'P1M', fromDateTime: monthStart.toString(), compareTo: 'previousPeriod' }
    const earliest = Date.now()
    const { value } = comparisonOf(await compare(month))
    const longest = startedAt - at(monthStart.subtract({ months: 1 }).toString())
    const [low, high] = [earliest, Date.now()].map((now) => Math.min(now - startedAt, longest) / hourMs)
    assert.ok(asNumber(value) >= (low ?? 0) - 1e-5 && asNumber(value) <= (high ?? 0) + 1e-5, String(value))
  })

  test('the total says how much of it is suspect, and comparisons leave it and its counterpart out', async () => {
    const days = { fromDateTime: '2025-05-11', toDateTime: '2025-05-16' }
    const series = await compare({ ...days, compareTo: 'previousPeriod' })
    const jumped = 23 * 5 + 5_000
    assert.equal(series.summary['suspectTotal'], jumped)
    assert.equal(series.summary['total'], 4 * 24 * 5 + jumped)
    assert.deepEqual(comparisonOf(series), { value: 4 * 24 * 5, changePercent: 0, coverage: 1 })
    // The suspect day is among those compared with.
    const after5 = await compare({
      fromDateTime: '2025-05-16',
      toDateTime: '2025-05-21',
      compareTo: 'previousPeriod',
    })
    assert.equal(after5.summary['suspectTotal'], undefined)
    assert.deepEqual(comparisonOf(after5), { value: 4 * 24 * 5, changePercent: 0, coverage: 1 })
    // A suspect window is longer than the days that the comparison leaves out.
    const month = await compare({
      interval: 'P1M',
      fromDateTime: '2025-05-01',
      toDateTime: '2025-06-01',
      compareTo: 'previousPeriod',
    })
    assert.equal(month.summary['suspectTotal'], month.summary['total'])
    const { value, changePercent } = comparisonOf(month)
    assert.equal(value, 29 * 24 * 4)
    assertNear(changePercent, 100 * ((30 * 5) / (29 * 4) - 1), 1e-3)
    const target = comparisonOf(await compare({ ...days, compareTo: 'target' }))
    assert.deepEqual([target['value'], target['coverage']], [4 * 36, 1])
    assertNear(target['changePercent'], 100 * ((24 * 5) / 36 - 1), 1e-3)
    const hours = await compare(
      { fromDateTime: '2025-05-13', toDateTime: '2025-05-14', compareTo: 'previousPeriod' },
      'hourly',
    )
    assert.equal(hours.summary['suspectTotal'], 5_000)
    assert.deepEqual(comparisonOf(hours), { value: 23 * 5, changePercent: 0, coverage: 1 })
  })

  test('a suspect day has no score', async () => {
    const { points } = await getSeries(client, `/spaces/${room}/aggregate/performance/daily`, {
      fromDateTime: '2025-03-12',
      toDateTime: '2025-03-14',
    })
    const may = await getSeries(client, `/spaces/${room}/aggregate/performance/daily`, {
      fromDateTime: '2025-05-12',
      toDateTime: '2025-05-15',
    })
    assert.deepEqual(
      points.map(({ value }) => value),
      [0, 0],
    )
    assert.deepEqual(
      may.points.map(({ value }) => value),
      [0, null, 0],
    )
  })
})

describe('compared with peers', () => {
  const [siteUuid, buildingUuid] = [randomUUID(), randomUUID()]
  /** The meter of each bedroom counts as much an hour as its number, those of the kitchens 1 each. */
  const flats = [1, 2, 3, 4, 5, 6].map((perHour) => ({
    perHour,
    clusterUuid: randomUUID(),
    bedroom: randomUUID(),
    kitchen: randomUUID(),
    meter: randomUUID(),
    kitchenMeter: randomUUID(),
  }))
  const [first = assert.fail(), second = assert.fail()] = flats
  const studios = [1, 2, 3].map(() => ({ uuid: randomUUID(), meter: randomUUID() }))
  const february = { fromDateTime: '2025-02-01', toDateTime: '2025-02-11' }
  let client: V2Client

  const compare = async (
    spaceUuid: string,
    scope: string,
    compareTo: string,
    range = february,
    metric = 'electricity',
  ): Promise<JsonObject> =>
    comparisonOf(
      await getSeries(client, `/spaces/${spaceUuid}/aggregate/${metric}/daily`, {
        ...range,
        scope,
        compareTo,
      }),
    )

  const monthStart = at(Temporal.Now.plainDateISO('UTC').with({ day: 1 }).toString())

  before(async () => {
    const perDay = (target: number, flat: (typeof flats)[number]): JsonObject =>
      flat === first ? { targets: { electricity: { perDay: target } } } : {}
    await applyInventory(installation, {
      site: { siteUuid, siteName: 'Peers', timeZone: 'UTC' },
      buildings: [{ buildingUuid, buildingName: 'House' }],
      spaces: [
        ...flats.flatMap((flat, index) => {
          const more = { buildingUuid, clusterUuid: flat.clusterUuid, clusterName: `Flat ${index}` }
          return [
            space(flat.bedroom, 'bedroom', { ...more, ...perDay(24, flat) }),
            space(flat.kitchen, 'livingKitchenDining', { ...more, ...perDay(12, flat) }),
          ]
        }),
        ...studios.map(({ uuid }) => space(uuid, 'studio', { buildingUuid })),
      ],
      devices: [
        ...flats.flatMap(({ bedroom, kitchen, meter, kitchenMeter }) => [
          device(meter, 'electricityMeter', bedroom, electricity({ maxPerHour: 100 })),
          device(kitchenMeter, 'electricityMeter', kitchen, electricity()),
        ]),
        ...studios.map(({ uuid, meter }) => device(meter, 'electricityMeter', uuid, electricity())),
      ],
    })
    client = await addClient(installation, [siteUuid])
    const days = every(dayMs, at('2025-02-01'), at('2025-03-01'))
    const jumpAt = at('2025-02-20')
    const now = Date.now()
    await deliver([
      ...flats.flatMap(({ meter, kitchenMeter, perHour }) => [
        // The sixth meter jumps on one day of February, and is all wrong this month.
        ...register(meter, days, (instant) => (perHour === 6 && instant === jumpAt ? 1_000 : perHour)),
        ...register(meter, [monthStart, now], () => (perHour === 6 ? 1_000 : perHour)).map((reading) => ({
          ...reading,
          value: reading.value + 1_000_000,
        })),
        ...register(kitchenMeter, days, () => 1),
      ]),
      ...studios.flatMap(({ meter }) => register(meter, days, () => 1)),
    ])
  })

  test('siteAverage is the mean of the spaces of the type, and needs three others', async () => {
    const average = await compare(second.bedroom, 'space', 'siteAverage')
    assert.deepEqual(average, { value: 3.5 * 240, changePercent: -42.8571, percentile: 33.3333, coverage: 1 })
    assert.deepEqual(await compare(studios[0]?.uuid ?? '', 'space', 'siteAverage'), {
      value: null,
      changePercent: null,
      percentile: null,
      coverage: 0,
    })
  })

  test('a suspect day of a peer does not count, and its coverage says so', async () => {
    const days = { fromDateTime: '2025-02-20', toDateTime: '2025-02-22' }
    const { value, coverage } = await compare(second.bedroom, 'space', 'siteAverage', days)
    assertNear(value, (48 * (1 + 2 + 3 + 4 + 5) + 24 * 6) / 6, 1e-5)
    assertNear(coverage, 5.5 / 6, 1e-4)
    // Days on which the space itself is suspect are left out of all spaces.
    const sixth = flats[5] ?? assert.fail()
    const own = await compare(sixth.bedroom, 'space', 'siteAverage', days)
    assert.deepEqual(own, { value: 3.5 * 24, changePercent: 71.4286, percentile: 100, coverage: 1 })
  })

  test('scope=cluster compares the cluster with clusters, and with the sum of the targets of its spaces', async () => {
    for (const uuid of [second.bedroom, second.kitchen])
      assert.deepEqual(await compare(uuid, 'cluster', 'siteAverage'), {
        value: 4.5 * 240,
        changePercent: -33.3333,
        percentile: 33.3333,
        coverage: 1,
      })
    assert.deepEqual(await compare(first.kitchen, 'cluster', 'target'), {
      value: 360,
      changePercent: 33.3333,
      coverage: 1,
    })
    assert.equal((await compare(second.bedroom, 'cluster', 'target'))['value'], null)
  })

  test('performance of a cluster is the score of its totals', async () => {
    const scores = async (uuid: string, scope: string): Promise<unknown> =>
      (
        await getSeries(client, `/spaces/${uuid}/aggregate/performance/daily`, {
          ...february,
          scope,
        })
      ).summary['mean']
    assertNear(await scores(first.bedroom, 'cluster'), 100 * (1 - 48 / 72), 1e-5)
    assertNear(await scores(first.bedroom, 'space'), 50, 1e-5)
    // The median of 2, 3, 4, 5, 6 and 7 an hour.
    assertNear(await scores(second.kitchen, 'cluster'), 100 * (1 - 3 / 9), 1e-5)
    assertNear(await scores(second.bedroom, 'space'), 100 * (1 - 2 / 7), 1e-5)
    const { value, percentile } = await compare(
      second.bedroom,
      'cluster',
      'siteAverage',
      february,
      'performance',
    )
    const all = [100 * (1 - 48 / 72), ...[3, 4, 5, 6, 7].map((use) => 100 * (1 - use / 9))]
    assertNear(value, all.reduce((sum, score) => sum + score, 0) / 6, 1e-4)
    assertNear(percentile, 100, 1e-4)
  })

  test('rank of version 1 leaves suspect days out', async () => {
    const exported = await exportInventory(installation, siteUuid)
    const rank = async (uuid: string): Promise<JsonObject> => {
      const id = asInteger(exported.spaces.find(({ spaceUuid }) => spaceUuid === uuid)?.['legacyId'])
      return asObject((await v1Client(client).get(`/spaces/utilities/rank/${id}`))['electricity'])
    }
    const { position, peers } = await rank(second.bedroom)
    assert.deepEqual([position, peers], [2, 5])
    const own = await rank(flats[5]?.bedroom ?? '')
    assert.deepEqual([own['position'], own['value']], [null, null])
  })
})

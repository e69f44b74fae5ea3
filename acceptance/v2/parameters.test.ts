import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { invalidDateTimes } from '../support/fixtures/invalid-date-times.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { asArray, asObject, asString } from '../support/json.ts'
import { assertFieldRefused, assertProblem } from '../support/oracles/problem.ts'
import type { Answer } from '../support/clients/requests.ts'
import { toEpoch } from '../support/clients/series.ts'
import { query } from '../support/clients/v2-client.ts'
import { metricTypes } from '../support/fixtures/spec-enums.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

const installation = await shareDemo()
const { portico } = installation

const house = makeSmallSite()
await applyInventory(installation, house.document)
const client = await addClient(installation, [house.siteUuid])

const space = `/spaces/${house.bedroom}/aggregate`
const hourly = `${space}/electricity/hourly`
const daily = `${space}/electricity/daily`
const consumption = `/devices/${house.meter}/consumption/electricity`
const everySeries = [hourly, daily, consumption]

/** The range in the response body, in UTC. */
async function readRange(path: string, search: string): Promise<[string, string]> {
  const json = await client.get(`${path}?${search}`)
  const shown = [json['fromDateTime'], json['toDateTime']].map((value) =>
    new Date(toEpoch(value)).toISOString(),
  )
  return [shown[0] ?? '', shown[1] ?? '']
}

function assertNames(answer: Answer, ...words: string[]): void {
  assertProblem(portico, answer, 400)
  const { detail, errors } = answer.json
  const text = JSON.stringify([detail, errors])
  for (const word of words) assert.ok(text.includes(word), `${word} is not named: ${text}`)
}

describe('fromDateTime and toDateTime', () => {
  test('a fromDateTime after the default end of the range is 400, and says that toDateTime is absent', async () => {
    for (const path of everySeries) {
      const answer = await client.send(`${path}?fromDateTime=2099-01-01`)
      assertNames(answer, 'fromDateTime must be before the end of the range', 'toDateTime is absent')
    }
  })

  const readable: [name: string, from: string, to: string, range: [string, string]][] = [
    ['dates, in winter', '2026-01-05', '2026-01-06', ['2026-01-05T00:00', '2026-01-06T00:00']],
    ['dates, in summer', '2026-07-05', '2026-07-06', ['2026-07-04T23:00', '2026-07-05T23:00']],
    [
      'without an offset',
      '2026-07-05T10:00:00',
      '2026-07-05T12:00:00',
      ['2026-07-05T09:00', '2026-07-05T11:00'],
    ],
    ['without seconds', '2026-07-05T10:00', '2026-07-05T12:00', ['2026-07-05T09:00', '2026-07-05T11:00']],
    ['UTC', '2026-07-05T10:00:00Z', '2026-07-05T12:00:00Z', ['2026-07-05T10:00', '2026-07-05T12:00']],
    [
      'fractions',
      '2026-07-05T10:00:00.000Z',
      '2026-07-05T12:00:00.000Z',
      ['2026-07-05T10:00', '2026-07-05T12:00'],
    ],
    [
      'an offset',
      '2026-07-05T10:00:00+05:00',
      '2026-07-05T12:00:00+05:00',
      ['2026-07-05T05:00', '2026-07-05T07:00'],
    ],
    [
      'west',
      '2026-07-05T10:00:00-05:00',
      '2026-07-05T12:00:00-05:00',
      ['2026-07-05T15:00', '2026-07-05T17:00'],
    ],
    ['a mixture', '2026-07-05', '2026-07-05T12:00:00Z', ['2026-07-04T23:00', '2026-07-05T12:00']],
    ['the first year', '1970-01-02', '1970-01-03', ['1970-01-01T23:00', '1970-01-02T23:00']],
  ]
  for (const [name, from, to, range] of readable) {
    test(`${name}: ${from} to ${to}`, async () => {
      for (const path of [hourly, consumption]) {
        const search = query({ fromDateTime: from, toDateTime: to }).slice(1)
        assert.deepEqual(
          await readRange(path, search),
          range.map((minute) => `${minute}:00.000Z`),
        )
      }
    })
  }

  test('a plus sign that is not percent-encoded never changes the instant', async () => {
    const bare = 'fromDateTime=2026-07-05T10:00:00+05:00&toDateTime=2026-07-05T12:00:00+05:00'
    const answer = await client.send(`${hourly}?${bare}`)
    if (answer.status !== 200) assertFieldRefused(portico, answer, 'fromDateTime')
    else assert.deepEqual(await readRange(hourly, bare), await readRange(hourly, bare.replaceAll('+', '%2B')))
  })

  for (const text of invalidDateTimes) {
    test(`${JSON.stringify(text)} is 400 naming the parameter`, async () => {
      for (const path of everySeries) {
        const from = await client.send(`${path}${query({ fromDateTime: text, toDateTime: '2026-01-08' })}`)
        assertFieldRefused(portico, from, 'fromDateTime')
        const to = await client.send(`${path}${query({ fromDateTime: '2026-01-05', toDateTime: text })}`)
        assertFieldRefused(portico, to, 'toDateTime')
      }
    })
  }

  test('an end that is not after the start is 400', async () => {
    for (const [from, to] of [
      ['2026-01-06', '2026-01-05'],
      ['2026-01-05', '2026-01-05'],
      ['2026-07-05T01:00:00+01:00', '2026-07-05T00:00:00Z'],
    ] as const) {
      for (const path of everySeries) {
        assertProblem(
          portico,
          await client.send(`${path}${query({ fromDateTime: from, toDateTime: to })}`),
          400,
        )
      }
    }
  })

  test('a repeated parameter is 400', async () => {
    for (const path of everySeries) {
      const twice = `${path}?fromDateTime=2026-01-05&fromDateTime=2026-01-06&toDateTime=2026-01-08`
      assertProblem(portico, await client.send(twice), 400)
      assertProblem(portico, await client.send(`${path}?fromDateTime[]=2026-01-05`), 400)
    }
  })
})

describe('the longest ranges', () => {
  const rows: [path: string, interval: string, from: string, to: string, beyond: string, bound: string][] = [
    [hourly, 'PT1H', '2026-01-01', '2026-02-01', '2026-02-02', '31'],
    [hourly, 'PT15M', '2026-10-01', '2026-11-01', '2026-11-02', '31'],
    [hourly, 'PT30M', '2026-03-01', '2026-04-01', '2026-04-02', '31'],
    [daily, 'P1D', '2025-01-01', '2026-01-02', '2026-01-03', '366'],
    [daily, 'P1W', '2025-01-06', '2026-01-05', '2026-01-19', '366'],
    [daily, 'P1M', '2020-01-01', '2025-01-01', '2025-02-01', '60'],
    [consumption, 'raw', '2026-01-01', '2026-01-08', '2026-01-09', '7'],
  ]
  for (const [path, interval, from, to, beyond, bound] of rows) {
    test(`${interval} may span ${from} to ${to}, and more is 400 naming ${bound}`, async () => {
      const longest = await client.send(`${path}${query({ interval, fromDateTime: from, toDateTime: to })}`)
      assert.equal(longest.status, 200, longest.text)
      const longer = await client.send(
        `${path}${query({ interval, fromDateTime: from, toDateTime: beyond })}`,
      )
      assertNames(longer, bound)
      const huge = query({ interval, fromDateTime: '1970-01-02', toDateTime: '2200-01-01' })
      assertNames(await client.send(`${path}${huge}`), bound)
    })
  }

  test('a device has the same maximum ranges, at every interval', async () => {
    for (const interval of ['PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M']) {
      const huge = query({ interval, fromDateTime: '1970-01-02', toDateTime: '2026-01-01' })
      assertProblem(portico, await client.send(`${consumption}${huge}`), 400)
    }
  })
})

describe('interval', () => {
  const rows: [name: string, path: string, allowed: string[], refused: string[]][] = [
    ['hourly', hourly, ['PT15M', 'PT30M', 'PT1H'], ['P1D', 'P1W', 'raw']],
    ['daily', daily, ['P1D', 'P1W', 'P1M'], ['PT1H', 'P1Y', 'raw']],
    ['device', consumption, ['raw', 'PT15M', 'PT30M', 'PT1H', 'P1D', 'P1W', 'P1M'], ['P1Y']],
  ]
  for (const [name, path, allowed, refused] of rows) {
    test(`${name}: ${allowed.join(', ')} and no other`, async () => {
      const range = { fromDateTime: '2026-01-05', toDateTime: '2026-01-08' }
      for (const interval of allowed) {
        const body = await client.get(`${path}${query({ interval, ...range })}`)
        assert.equal(body['interval'], interval)
      }
      for (const interval of [...refused, '', 'pt1h', 'PT60M', 'PT2H', '1h', 'x', 'constructor']) {
        const answer = await client.send(`${path}${query({ interval, ...range })}`)
        assertFieldRefused(portico, answer, 'interval')
        assertNames(answer, ...allowed)
      }
    })
  }
})

describe('metrictype', () => {
  test('an unknown one is 400 listing the allowed ones', async () => {
    for (const name of [
      'nonsense',
      'Electricity',
      'battery',
      'power',
      '__proto__',
      'constructor',
      '%20',
      'a%2Fb',
    ]) {
      for (const path of [`${space}/${name}/hourly`, `${space}/${name}/daily`]) {
        assertNames(await client.send(path), ...metricTypes)
      }
      const answer = await client.send(`/devices/${house.meter}/consumption/${name}`)
      assertNames(answer, 'electricity', 'temperature')
    }
  })

  for (const name of metricTypes) {
    test(`${name} is known: 200 with its unit, measured here or not`, async () => {
      const described = (await client.list('/metric-types')).find((record) => record['metricType'] === name)
      const { aggregation, unit } = described ?? {}
      for (const path of [`${space}/${name}/hourly`, `${space}/${name}/daily`]) {
        const answer = await client.send(path)
        if (name === 'performance' && path.endsWith('/hourly')) {
          assertNames(answer, '/daily')
          continue
        }
        assert.equal(answer.status, 200, answer.text)
        const { metricType, hasData, timeSeries } = answer.json
        assert.deepEqual(
          [metricType, answer.json['unit'], answer.json['aggregation'], hasData],
          [name, unit, aggregation, false],
        )
        for (const point of asArray(timeSeries).map(asObject)) {
          assert.deepEqual([point['value'], point['quality']], [null, 'missing'])
        }
      }
    })
  }

  test('a device that does not measure it is 404, with a list of what it measures', async () => {
    for (const [device, metric, measured] of [
      [house.meter, 'gas', ['electricity', 'carbon']],
      [house.meter, 'performance', ['electricity', 'carbon']],
      [house.sensor, 'electricity', ['temperature', 'co2']],
      [house.sensor, 'carbon', ['temperature', 'co2']],
    ] as const) {
      for (const params of ['', '?interval=raw']) {
        const answer = await client.send(`/devices/${device}/consumption/${metric}${params}`)
        const { type, detail } = assertProblem(portico, answer, 404)
        assert.equal(type, `${portico.url}/errors/not-measured`)
        assert.ok(asString(detail).endsWith(`it measures ${measured.join(', ')}.`), answer.text)
      }
    }
  })

  test('the emissions of a device that measures electricity are found', async () => {
    const { metricType } = await client.get(`/devices/${house.meter}/consumption/carbon`)
    assert.equal(metricType, 'carbon')
  })
})

test('an unknown granularity is 404', async () => {
  for (const name of ['weekly', 'monthly', 'Hourly', 'hour', 'hourly%20', 'x', 'daily/x']) {
    assertProblem(portico, await client.send(`${space}/electricity/${name}`), 404)
  }
})

test('scope is space or cluster, and no other', async () => {
  for (const path of [hourly, daily]) {
    assert.equal((await client.get(path))['scope'], 'space')
    assert.equal((await client.get(`${path}?scope=space`))['scope'], 'space')
    assert.equal((await client.get(`${path}?scope=cluster`))['scope'], 'cluster')
    for (const scope of ['', 'site', 'Cluster']) {
      assertFieldRefused(portico, await client.send(`${path}?scope=${scope}`), 'scope')
    }
  }
})

test('compareTo is one of four, and no other', async () => {
  for (const path of [hourly, daily]) {
    for (const compareTo of ['previousPeriod', 'previousYear', 'siteAverage', 'target']) {
      const { comparison } = asObject((await client.get(`${path}?compareTo=${compareTo}`))['summary'])
      const fields = Object.keys(asObject(comparison)).filter((name) => name !== 'percentile')
      assert.deepEqual(fields.toSorted(), ['changePercent', 'coverage', 'value'])
    }
    for (const compareTo of ['', 'lastWeek', 'Target']) {
      const answer = await client.send(`${path}?compareTo=${compareTo}`)
      assertFieldRefused(portico, answer, 'compareTo')
    }
  }
})

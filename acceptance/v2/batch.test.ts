import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { randomFrom } from '../support/histories/random.ts'
import { assertSameSeries, compareWithSingles, parseTexts, readId } from '../support/oracles/batch.ts'
import { clockChanges, todayHere } from '../support/oracles/demo-series.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { environment, utilities } from '../support/fixtures/spec-enums.ts'
import { device, makeSmallSite, space } from '../support/fixtures/small-site.ts'
import { scale } from '../support/overload/scale.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'
import { postReadings } from '../support/clients/ingest-channels.ts'
import { query } from '../support/clients/v2-client.ts'
import { eventually } from '../support/eventually.ts'

const demo = await shareDemo()
const { client } = demo
const spaces = await client.listAll('/spaces')
const devices = await client.listAll('/devices')
const measured = [...new Set(spaces.flatMap((space) => asArray(space['metricTypes']).map(asString)))]

/** Its bedrooms are `largeSpaces`. */
const large = makeSmallSite()
const largeSpaces = Array.from({ length: 300 }, () => randomUUID())
for (const uuid of largeSpaces) {
  large.document.spaces.push(space(uuid, 'bedroom', { buildingUuid: large.buildingUuid, floorNumber: 2 }))
  const metrics = { electricity: { kind: 'register' }, water: { kind: 'register' } }
  large.document.devices.push(device(randomUUID(), 'electricityMeter', uuid, { metrics }))
}
await applyInventory(demo, large.document)

const past = (days: number): string => todayHere.subtract({ days }).toString()
const uuidsOf = (records: readonly JsonObject[], name: string): string[] =>
  records.map((record) => asString(record[name]))
const seriesIn = (batch: JsonObject): JsonObject[] => asArray(batch['series']).map(asObject)

describe('every number is that of the single read', () => {
  test('for all spaces that measure a metric', async () => {
    const range = { fromDateTime: past(1), toDateTime: past(0) }
    for (const metricTypes of ['electricity,temperature', 'humidity,heating,performance,carbon']) {
      const granularity = metricTypes.includes('performance') ? 'daily' : 'hourly'
      const batch = await compareWithSingles(client, '/aggregate', granularity, { metricTypes, ...range })
      const names = metricTypes.split(',')
      const expected = spaces.flatMap((space) =>
        asArray(space['metricTypes']).filter((name) => names.includes(asString(name))),
      )
      const own = seriesIn(batch).filter(({ metricType }) => measured.includes(asString(metricType)))
      assert.equal(own.length, expected.length)
    }
  })

  test('for random questions: metrics, intervals, ranges with clock changes and open windows', async () => {
    const random = randomFrom(20_261_117)
    for (let question = 0; question < scale(200, 1_000); question += 1) {
      const granularity = random.pick(['hourly', 'daily'] as const)
      const names = [
        ...utilities,
        ...environment,
        'carbon',
        ...(granularity === 'daily' ? ['performance'] : []),
      ]
      const metricTypes = random.shuffle(names).slice(0, 1 + random.below(4))
      const interval = random.pick(
        granularity === 'hourly' ? ['PT15M', 'PT30M', 'PT1H'] : ['P1D', 'P1W', 'P1M'],
      )
      const isClockChange = random.chance(0.3)
      const start = isClockChange
        ? random.pick(clockChanges).subtract({ days: 1 })
        : todayHere.subtract({ days: random.below(granularity === 'hourly' ? 10 : 60) })
      const range: Record<string, string> = random.chance(0.2) ? {} : { fromDateTime: start.toString() }
      if (Object.keys(range).length > 0 && (granularity === 'hourly' || isClockChange || random.chance(0.5)))
        range['toDateTime'] = start.add({ days: 1 + random.below(5) }).toString()
      const named = random
        .shuffle(uuidsOf(spaces, 'spaceUuid'))
        .slice(0, 1 + random.below(4))
        .join()
      await compareWithSingles(client, '/aggregate', granularity, {
        metricTypes: metricTypes.join(),
        interval,
        spaceUuids: named,
        ...range,
      })
    }
  })

  test('for devices, by type, space and name', async () => {
    const range = { fromDateTime: past(2), toDateTime: past(1) }
    for (const filter of [
      { deviceType: 'electricityMeter' },
      { spaceUuid: asString(spaces[3]?.['spaceUuid']) },
      { deviceUuids: uuidsOf(devices.slice(0, 5), 'deviceUuid').join() },
    ])
      for (const granularity of ['hourly', 'daily'] as const) {
        const params = { metricTypes: 'electricity,temperature', ...filter, ...range }
        const path = `/consumption/${granularity}${query(params)}`
        const batch = parseTexts((await client.send(path)).text)
        assert.ok(seriesIn(batch).length > 0)
        for (const series of seriesIn(batch)) {
          const interval = asString(batch['interval'])
          const single = await client.send(
            `/devices/${readId(series)}/consumption/${asString(series['metricType'])}${query({ interval, ...range })}`,
          )
          if (single.status === 404) assert.equal(series['hasData'], false)
          else assertSameSeries(batch, series, parseTexts(single.text))
        }
      }
  })

  test('for clusters, and for buildings of the same spaces', async () => {
    const range = { fromDateTime: past(3), toDateTime: past(1) }
    const bySpace = Map.groupBy(
      spaces.filter(({ clusterUuid }) => clusterUuid !== null),
      ({ clusterUuid }) => asString(clusterUuid),
    )
    const toPath = (series: JsonObject, granularity: string): string => {
      const [space] = bySpace.get(readId(series)) ?? []
      const metric = asString(series['metricType'])
      const params = query({ scope: 'cluster', ...range })
      return `/spaces/${asString(space?.['spaceUuid'])}/aggregate/${metric}/${granularity}${params}`
    }
    const params = { metricTypes: 'electricity,temperature,carbon', groupBy: 'cluster', ...range }
    for (const granularity of ['hourly', 'daily'] as const) {
      const batch = await compareWithSingles(client, '/aggregate', granularity, params, toPath)
      assert.ok(seriesIn(batch).length > bySpace.size)
      const [clusterUuid] = bySpace.keys()
      for (const groupBy of ['building', 'site']) {
        const path = `/aggregate/${granularity}${query({ ...params, groupBy, clusterUuid: clusterUuid ?? '' })}`
        const grouped = seriesIn(parseTexts((await client.send(path)).text))
        const own = seriesIn(batch).filter((series) => readId(series) === clusterUuid)
        const withoutId = ({ clusterUuid: _c, buildingUuid: _b, siteUuid: _s, ...rest }: JsonObject) => rest
        assert.deepEqual(grouped.map(withoutId), own.map(withoutId))
      }
    }
  })

  test('and a difference in one digit is seen', async () => {
    const params = { metricTypes: 'temperature', fromDateTime: past(2), toDateTime: past(1) }
    const batch = await compareWithSingles(client, '/aggregate', 'hourly', params)
    const [series] = seriesIn(batch)
    assert.ok(series)
    const metric = asString(series['metricType'])
    const { metricTypes: _, ...range } = params
    const single = parseTexts(
      (await client.send(`/spaces/${readId(series)}/aggregate/${metric}/hourly${query(range)}`)).text,
    )
    assertSameSeries(batch, series, single)
    for (const column of ['values', 'min', 'max', 'coverage']) {
      const texts = asArray(series[column]).map(String)
      const changed = texts.with(5, `${texts[5]}0`)
      assert.throws(() => assertSameSeries(batch, { ...series, [column]: changed }, single), column)
    }
  })
})

describe('representations', () => {
  const params = { metricTypes: 'electricity,temperature,carbon', fromDateTime: past(2), toDateTime: past(1) }
  const path = `/aggregate/hourly${query(params)}`

  test('NDJSON has a header, the series of JSON, and an end', async () => {
    const whole = (await client.send(path)).json
    const answer = await client.send(path, { headers: { accept: 'application/x-ndjson' } })
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => asObject(JSON.parse(line)))
    const { series, ...head } = whole
    assert.deepEqual(lines[0], head)
    assert.deepEqual(lines.slice(1, -1), series)
    assert.deepEqual(lines.at(-1), { end: true, series: asArray(series).length })
  })

  test('CSV has a row for each window of each series', async () => {
    const whole = parseTexts((await client.send(path)).text)
    const answer = await client.send(path, { headers: { accept: 'text/csv' } })
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
    const rows = answer.text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    assert.deepEqual(rows[0], 'spaceUuid,metricType,timestamp,value,min,max,quality,coverage'.split(','))
    const timestamps = asArray(whole['timestamps'])
    const text = (value: unknown): string => (typeof value === 'string' ? value : '')
    const expected = seriesIn(whole).flatMap((series) =>
      timestamps.map((timestamp, index) => [
        readId(series),
        asString(series['metricType']),
        asString(timestamp),
        ...['values', 'min', 'max', 'quality', 'coverage'].map((name) =>
          text((series[name] as unknown[] | undefined)?.[index]),
        ),
      ]),
    )
    assert.deepEqual(rows.slice(1), expected)
  })

  test('each has its own ETag, and its 304', async () => {
    const tags = new Set<string>()
    for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
      const first = await client.send(path, { headers: { accept } })
      const etag = asString(first.headers.get('etag'))
      tags.add(etag)
      const again = await client.send(path, { headers: { accept, 'if-none-match': etag } })
      assert.equal(again.status, 304)
      assert.equal(again.text, '')
    }
    assert.equal(tags.size, 3)
  })

  test('any other media type is 406', async () => {
    const answer = await client.send(path, { headers: { accept: 'image/png' } })
    assertProblem(demo.portico, answer, 406)
  })

  test('gzip and identity have the same content', async () => {
    const plain = await client.send(path, { headers: { 'accept-encoding': 'identity' } })
    const gzip = await client.send(path, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(gzip.headers.get('content-encoding'), 'gzip')
    assert.equal(gzip.text, plain.text)
  })
})

describe('pages', () => {
  test('joined together are the whole, with and without a range', async () => {
    const check = async (range: { fromDateTime?: string; toDateTime?: string }): Promise<void> => {
      const params = { metricTypes: 'electricity,temperature', ...range }
      const whole = parseTexts((await client.send(`/aggregate/hourly${query(params)}`)).text)
      const joined: JsonObject[] = []
      let path = `/aggregate/hourly${query({ ...params, limit: '37' })}`
      for (;;) {
        const answer = await client.send(path)
        assert.equal(answer.status, 200, answer.text)
        const page = parseTexts(answer.text)
        assert.ok(seriesIn(page).length <= 37)
        assert.deepEqual(page['timestamps'], whole['timestamps'])
        joined.push(...seriesIn(page))
        const { nextCursor, hasMore } = asObject(page['pagination'])
        assert.equal(hasMore, nextCursor !== null)
        const link = answer.headers.get('link')
        assert.equal(link !== null, hasMore)
        if (nextCursor === null) break
        assert.ok(asString(link).includes(`cursor=${asString(nextCursor)}`))
        path = `/aggregate/hourly${query({ ...params, limit: '37', cursor: asString(nextCursor) })}`
      }
      const ids = joined.map((one) => `${readId(one)} ${asString(one['metricType'])}`)
      assert.deepEqual(
        ids,
        seriesIn(whole).map((one) => `${readId(one)} ${asString(one['metricType'])}`),
      )
      if ('fromDateTime' in range) assert.deepEqual(joined, whole['series'])
    }
    await check({ fromDateTime: past(2), toDateTime: past(1) })
    // Again if a new hour begins meanwhile.
    await eventually(() => check({}))
  })

  test('end at 100,000 points', async () => {
    const params = {
      metricTypes: 'electricity,temperature',
      interval: 'PT15M',
      fromDateTime: past(31),
      toDateTime: past(0),
    }
    const page = (await client.send(`/aggregate/hourly${query(params)}`)).json
    const points = asArray(page['timestamps']).length
    assert.equal(asArray(page['series']).length, Math.floor(100_000 / points))
    assert.equal(asObject(page['pagination'])['hasMore'], true)
  })

  test('a cursor is bound to its parameters', async () => {
    const params = { metricTypes: 'electricity,temperature', limit: '1' }
    const page = (await client.send(`/aggregate/hourly${query(params)}`)).json
    const cursor = asString(asObject(page['pagination'])['nextCursor'])
    for (const path of [
      `/aggregate/hourly${query({ ...params, metricTypes: 'electricity', cursor })}`,
      `/aggregate/daily${query({ ...params, cursor })}`,
    ])
      assertProblem(demo.portico, await client.send(path), 400)
  })

  test('end earlier if their series take long to compute', async () => {
    const own = await addClient(demo, [large.siteUuid])
    // Each score is compared with those of 300 peers over five years.
    const params = { metricTypes: 'performance', interval: 'P1M', fromDateTime: past(1_800) }
    const path = `/aggregate/daily${query({ ...params, spaceUuids: largeSpaces.slice(0, 40).join() })}`
    const first = (await own.send(path)).json
    const { hasMore, nextCursor } = asObject(first['pagination'])
    assert.equal(hasMore, true)
    const count = asArray(first['series']).length
    assert.ok(count > 0 && count < 40, String(count))
    const second = (await own.send(`${path}&cursor=${asString(nextCursor)}`)).json
    assert.notEqual(readId(seriesIn(second)[0] ?? {}), readId(seriesIn(first).at(-1) ?? {}))
  })

  test('the longest legal request, with a cursor and encoded commas', async () => {
    const own = await addClient(demo, [large.siteUuid])
    const params = {
      metricTypes: 'electricity,gas,water,hotwater,heating,cooling,solar,temperature',
      buildingUuid: large.buildingUuid,
      spaceUuids: largeSpaces.slice(0, 200).join(),
      spaceType: 'bedroom',
      groupBy: 'space',
      interval: 'PT15M',
      fromDateTime: `${past(2)}T00:00:00.000+00:00`,
      toDateTime: `${past(1)}T00:00:00.000+00:00`,
      limit: '1000',
    }
    const page = (await own.send(`/aggregate/hourly${query(params)}`)).json
    const cursor = asString(asObject(page['pagination'])['nextCursor'])
    const path = `/aggregate/hourly${query({ ...params, cursor })}`
    assert.ok(path.includes('%2C'), 'the client encodes commas')
    const next = await own.send(path)
    assert.equal(next.status, 200, `${path.length} bytes: ${next.text.slice(0, 300)}`)
    assert.equal(asArray(page['series']).length + asArray(next.json['series']).length, 1_600)
  })
})

describe('the ETag', () => {
  test('changes if and only if a value of the batch changes', async () => {
    const site = makeSmallSite()
    await applyInventory(demo, site.document)
    const own = await addClient(demo, [site.siteUuid])
    const send = async (day: string, hour: string, value: number): Promise<void> => {
      const reading = {
        deviceUuid: site.sensor,
        metricType: 'temperature',
        timestamp: `${day}T${hour}:00:00Z`,
        value,
      }
      await postReadings(demo, 'ndjson', `${JSON.stringify(reading)}\n`)
    }
    const range = { fromDateTime: past(5), toDateTime: past(4) }
    const readTag = async (): Promise<string> => {
      const path = `/aggregate/hourly${query({ metricTypes: 'temperature,humidity', ...range })}`
      return asString((await own.send(path)).headers.get('etag'))
    }
    await send(past(5), '12', 20)
    const first = await readTag()
    await send(past(5), '12', 20)
    assert.equal(await readTag(), first, 'the same reading again')
    await send(past(2), '12', 25)
    assert.equal(await readTag(), first, 'a reading outside the range')
    await send(past(5), '12', 20.5)
    const second = await readTag()
    assert.notEqual(second, first, 'a corrected reading')
    await send(past(5), '12', 20)
    assert.equal(await readTag(), first, 'the correction taken back')
  })
})

describe('named spaces and devices', () => {
  test('are in the response without data', async () => {
    const space = spaces.find(({ metricTypes }) => !asArray(metricTypes).includes('solar'))
    const spaceUuid = asString(space?.['spaceUuid'])
    const params = { metricTypes: 'solar', spaceUuids: spaceUuid }
    const [series] = seriesIn((await client.send(`/aggregate/hourly${query(params)}`)).json)
    assert.equal(series?.['spaceUuid'], spaceUuid)
    assert.equal(series['hasData'], false)
    assert.ok(asArray(series['values']).every((value) => value === null))
  })

  test('that do not exist are 404, each with its index', async () => {
    const known = asString(spaces[0]?.['spaceUuid'])
    const params = { metricTypes: 'electricity', spaceUuids: [known, randomUUID(), randomUUID()].join() }
    for (const granularity of ['hourly', 'daily']) {
      const problem = assertProblem(
        demo.portico,
        await client.send(`/aggregate/${granularity}${query(params)}`),
        404,
      )
      const errors = asArray(problem['errors']).map(asObject)
      assert.deepEqual(
        errors.map(({ field, code }) => [field, code]),
        [
          ['spaceUuids[1]', 'not-found'],
          ['spaceUuids[2]', 'not-found'],
        ],
      )
    }
    const named = { metricTypes: 'electricity', deviceUuids: known }
    const problem = assertProblem(demo.portico, await client.send(`/consumption/hourly${query(named)}`), 404)
    assert.equal(asObject(asArray(problem['errors'])[0])['field'], 'deviceUuids[0]')
  })

  test('of another site are answered exactly like those that do not exist', async () => {
    const known = asString(spaces[0]?.['spaceUuid'])
    const knownDevice = asString(devices[0]?.['deviceUuid'])
    const cases = [
      ['/aggregate/hourly', { spaceUuids: `${known},ID` }, large.bedroom],
      ['/aggregate/daily', { spaceUuids: `${known},ID`, groupBy: 'site' }, large.bedroom],
      ['/latest', { spaceUuids: `${known},ID` }, large.bedroom],
      ['/consumption/hourly', { deviceUuids: `${knownDevice},ID` }, large.sensor],
      ['/aggregate/hourly', { buildingUuid: 'ID' }, large.buildingUuid],
      ['/aggregate/hourly', { clusterUuid: 'ID' }, large.clusterUuid],
      ['/consumption/daily', { spaceUuid: 'ID' }, large.bedroom],
    ] as const
    for (const [path, params, foreign] of cases) {
      const texts: string[] = []
      for (const id of [foreign, randomUUID()]) {
        const named = query({ metricTypes: 'temperature', ...params }).replaceAll('ID', id)
        const answer = await client.send(`${path}${named}`)
        assert.equal(
          answer.status,
          'spaceUuids' in params || 'deviceUuids' in params ? 404 : 200,
          answer.text,
        )
        texts.push(answer.text.replaceAll(id, '').replaceAll(/"traceId":"[^"]*"/g, ''))
      }
      assert.equal(texts[0], texts[1], path)
    }
  })
})

describe('400', () => {
  const known = asString(spaces[0]?.['spaceUuid'])
  const many = Array.from({ length: 201 }, () => randomUUID())
  const cases: [string, Record<string, string>, string][] = [
    ['no metric', {}, 'metricTypes'],
    ['an unknown metric', { metricTypes: 'electricity,love' }, 'metricTypes[1]'],
    ['an empty metric', { metricTypes: 'electricity,' }, 'metricTypes[1]'],
    ['a repeated metric', { metricTypes: 'gas,gas' }, 'metricTypes[1]'],
    [
      'nine metrics',
      { metricTypes: measured.concat(utilities, environment).slice(0, 9).join() },
      'metricTypes',
    ],
    ['201 identifiers', { metricTypes: 'gas', spaceUuids: many.join() }, 'spaceUuids'],
    [
      'a repeated identifier',
      { metricTypes: 'gas', spaceUuids: `${known},${known.toUpperCase()}` },
      'spaceUuids[1]',
    ],
    ['a malformed identifier', { metricTypes: 'gas', spaceUuids: `${known},x` }, 'spaceUuids[1]'],
    ['performance by the hour', { metricTypes: 'performance' }, 'metricTypes[0]'],
    ['a wrong limit', { metricTypes: 'gas', limit: '1001' }, 'limit'],
    ['an unknown group', { metricTypes: 'gas', groupBy: 'floor' }, 'groupBy'],
    ['an interval of days by the hour', { metricTypes: 'gas', interval: 'P1D' }, 'interval'],
    ['a range that is too long', { metricTypes: 'gas', fromDateTime: past(40) }, 'toDateTime'],
  ]
  for (const [name, params, field] of cases)
    test(`for ${name} names the field`, async () => {
      const problem = assertProblem(demo.portico, await client.send(`/aggregate/hourly${query(params)}`), 400)
      const [error] = asArray(problem['errors']).map(asObject)
      assert.equal(error?.['field'], field)
    })

  test('for emissions of more spaces and days than one request may compute', async () => {
    const own = await addClient(demo, [large.siteUuid])
    const range = { metricTypes: 'carbon', groupBy: 'site', interval: 'P1M' }
    const answer = await own.send(`/aggregate/daily${query({ ...range, fromDateTime: past(1_700) })}`)
    const [error] = asArray(assertProblem(demo.portico, answer, 400)['errors']).map(asObject)
    assert.deepEqual([error?.['field'], error?.['code']], ['toDateTime', 'range-too-long'])
    const within = await own.send(`/aggregate/daily${query({ ...range, fromDateTime: past(300) })}`)
    assert.equal(within.status, 200, within.text)
  })

  test('for performance with a group, and for devices', async () => {
    const grouped = { metricTypes: 'performance', groupBy: 'building' }
    const problem = assertProblem(demo.portico, await client.send(`/aggregate/daily${query(grouped)}`), 400)
    assert.equal(asObject(asArray(problem['errors'])[0])['field'], 'groupBy')
    const path = `/consumption/daily${query({ metricTypes: 'performance' })}`
    assertProblem(demo.portico, await client.send(path), 400)
    assertProblem(demo.portico, await client.send('/consumption/daily?metricTypes=gas&groupBy=space'), 400)
  })

  test('for anything else that is invalid, never 5xx', async () => {
    const random = randomFrom(7)
    const values = [
      '',
      ',',
      'gas',
      'gas,love',
      known,
      `${known},`,
      '%00',
      '-1',
      '1e9',
      'P1D',
      'PT1H',
      '2026-02-30',
    ]
    const names = [
      'metricTypes',
      'spaceUuids',
      'buildingUuid',
      'clusterUuid',
      'spaceType',
      'groupBy',
      'interval',
    ]
    names.push('fromDateTime', 'toDateTime', 'limit', 'cursor', 'deviceUuids', 'deviceType', 'spaceUuid', 'x')
    for (let count = 0; count < 400; count += 1) {
      const path = random.pick(['/aggregate/hourly', '/aggregate/daily', '/consumption/hourly', '/latest'])
      const chosen = random.shuffle(names).slice(0, random.below(5))
      const params = chosen.map((name) => `${name}=${random.pick(values)}`)
      const answer = await client.send(`${path}?${['metricTypes=gas', ...params].join('&')}`)
      assert.ok(answer.status < 500, `${path} ${params.join('&')}: ${answer.text}`)
    }
  })
})

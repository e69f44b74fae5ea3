import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { asArray, asObject, asString, type JsonObject } from '../support/json.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'
import { query } from '../support/clients/v2-client.ts'

const demo = await shareDemo()
const { client } = demo
const spaces = await client.listAll('/spaces')

const dataOf = (body: JsonObject): JsonObject[] => asArray(body['data']).map(asObject)

describe('GET /latest', () => {
  test('has the environment and the occupancy of every overview', async () => {
    // Readings arrive all the time: a space is compared until two reads show the same state.
    const named = spaces.slice(0, 12).map((space) => asString(space['spaceUuid']))
    for (const spaceUuid of named) {
      let same = false
      for (let attempt = 0; attempt < 20 && !same; attempt += 1) {
        const [latest] = dataOf(await client.get(`/latest${query({ spaceUuids: spaceUuid })}`))
        const { environment, occupancy } = await client.get(`/spaces/${spaceUuid}/overview`)
        same = JSON.stringify(latest) === JSON.stringify({ spaceUuid, environment, occupancy })
      }
      assert.ok(same, spaceUuid)
    }
  })

  test('has the chosen metrics of the spaces that measure one of them, by identifier', async () => {
    const data = dataOf(await client.get('/latest?metricTypes=temperature,co2'))
    const measuring = spaces.filter(({ metricTypes }) =>
      asArray(metricTypes).some((name) => name === 'temperature' || name === 'co2'),
    )
    assert.deepEqual(
      data.map(({ spaceUuid }) => spaceUuid),
      measuring.map(({ spaceUuid }) => asString(spaceUuid)).toSorted(),
    )
    for (const { environment } of data)
      for (const one of asArray(environment).map(asObject))
        assert.ok(['temperature', 'co2'].includes(asString(one['metricType'])))
  })

  test('pages joined together name every space once', async () => {
    const whole = dataOf(await client.get('/latest')).map(({ spaceUuid }) => spaceUuid)
    const joined: unknown[] = []
    for (let cursor = ''; ; ) {
      const page = await client.get(`/latest?limit=20${cursor}`)
      joined.push(...dataOf(page).map(({ spaceUuid }) => spaceUuid))
      const { nextCursor } = asObject(page['pagination'])
      if (nextCursor === null) break
      cursor = `&cursor=${asString(nextCursor)}`
    }
    assert.deepEqual(joined, whole)
  })

  test('is available as CSV and NDJSON', async () => {
    const csv = await client.send('/latest?metricTypes=temperature', { headers: { accept: 'text/csv' } })
    const [head, ...rows] = csv.text.trimEnd().split('\r\n')
    assert.equal(head, 'spaceUuid,metricType,unit,value,timestamp,stale,occupancy')
    assert.ok(rows.length > 1)
    const headers = { accept: 'application/x-ndjson' }
    const lines = (await client.send('/latest?metricTypes=temperature', { headers })).text
      .trimEnd()
      .split('\n')
    assert.deepEqual(JSON.parse(lines.at(-1) ?? ''), { end: true, spaces: lines.length - 2 })
  })

  test('a utility is 400, and a space that does not exist is 404', async () => {
    assertProblem(demo.portico, await client.send('/latest?metricTypes=electricity'), 400)
    const answer = await client.send(`/latest${query({ spaceUuids: randomUUID() })}`)
    const problem = assertProblem(demo.portico, answer, 404)
    assert.equal(asObject(asArray(problem['errors'])[0])['field'], 'spaceUuids[0]')
  })
})

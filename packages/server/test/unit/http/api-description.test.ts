import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { buildApiDocuments } from '../../../src/http/descriptions.ts'
import { loadConfig } from '../../../src/config/config.ts'

interface Node {
  [name: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const documents = buildApiDocuments(loadConfig({}, {}))

/** Every place of a document that must have a description, with its path. */
function* describable(value: unknown, path = ''): Generator<[path: string, node: Node]> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* describable(item, `${path}/${index}`)
  if (!isNode(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const here = `${path}/${name}`
    if (['example', 'examples', 'enum'].includes(name) && !path.endsWith('/properties')) continue
    if (name === 'properties' || name === 'headers' || name === 'responses') {
      for (const [key, item] of Object.entries(isNode(inner) ? inner : {}))
        if (isNode(item)) yield [`${here}/${key}`, item]
    }
    if (name === 'parameters' && Array.isArray(inner))
      for (const item of inner) if (isNode(item)) yield [`${here}/${String(item['name'])}`, item]
    yield* describable(inner, here)
  }
}

const isHeaderReference = (node: Node): boolean => String(node['$ref']).startsWith('#/components/headers/')

for (const [name, document] of documents) {
  test(`every property, parameter, response and header of ${name} is described`, () => {
    const places = [...describable(document)]
    assert.ok(places.length > 100)
    const silent = places
      .filter(([, node]) => !isHeaderReference(node))
      .filter(([, { description }]) => typeof description !== 'string' || description === '')
    assert.deepEqual(
      silent.map(([path]) => path),
      [],
    )
  })

  test(`every required parameter, body and JSON response of ${name} has an example`, () => {
    const missing: string[] = []
    for (const [path, item] of Object.entries((document as { paths: Record<string, Node> }).paths))
      for (const [method, operation] of Object.entries(item as Record<string, Node>)) {
        const {
          parameters = [],
          requestBody,
          responses,
        } = operation as {
          parameters?: Node[]
          requestBody?: Node
          responses: Record<string, Node>
        }
        for (const parameter of parameters)
          if (parameter['required'] === true && !('example' in parameter))
            missing.push(`${method} ${path} ${String(parameter['name'])}`)
        for (const [where, part] of Object.entries({ body: requestBody, ...responses }))
          for (const [type, media] of Object.entries((part?.['content'] ?? {}) as Record<string, Node>))
            if (type.endsWith('json') && !('example' in media) && !('examples' in media))
              missing.push(`${method} ${path} ${where} ${type}`)
      }
    assert.deepEqual(missing, [])
  })

  test(`every operation of ${name} has one media type for its success, and a described tag`, () => {
    const { paths, tags } = document as {
      paths: Record<string, Record<string, { tags: string[]; responses: Record<string, { content?: Node }> }>>
      tags: { name: string }[]
    }
    const known = new Set(tags.map((tag) => tag.name))
    for (const [path, item] of Object.entries(paths))
      for (const operation of Object.values(item)) {
        for (const tag of operation.tags)
          assert.ok(known.delete(tag) || tags.some((one) => one.name === tag), tag)
        for (const [status, { content = {} }] of Object.entries(operation.responses)) {
          const isImage = Object.keys(content).every((type) => type.startsWith('image/'))
          assert.ok(isImage || Object.keys(content).length === 1, `${path} ${status}`)
        }
      }
    assert.deepEqual([...known], [])
  })
}

type Paths = Record<
  string,
  Record<string, { responses: Record<string, { content?: Record<string, Media> }> }>
>

interface Media {
  example?: Node
  examples?: Record<string, { value: Node }>
}

const v2 = documents.get('v2') as {
  paths: Paths
  webhooks: Record<string, { post: { requestBody: { content: Record<string, Media> } } }>
}

/** The example of a success. */
function exampleOf(path: string, method = 'get'): Node {
  const { responses } = v2.paths[path]?.[method] ?? { responses: {} }
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const example = success?.[1].content?.['application/json']?.example
  assert.ok(example, `${method} ${path}`)
  return example
}

const total = (values: number[]): number => Number(values.reduce((sum, value) => sum + value, 0).toFixed(2))

interface Summary {
  total: number
  min: number
  max: number
}

for (const [granularity, interval, hours] of [
  ['hourly', 'PT1H', 1],
  ['daily', 'P1D', 24],
] as const) {
  const isWindows = (body: Node, starts: string[], values: number[], summary: Summary): void => {
    assert.equal(body['granularity'], granularity)
    assert.equal(body['interval'], interval)
    const times = [...starts, String(body['toDateTime'])].map((time) => Date.parse(time) / 3_600_000)
    assert.equal(starts[0], body['fromDateTime'])
    for (const [index, time] of times.slice(1).entries()) assert.equal(time - (times[index] ?? 0), hours)
    assert.equal(values.length, starts.length)
    assert.deepEqual(summary, { total: total(values), min: Math.min(...values), max: Math.max(...values) })
  }

  test(`examples of ${granularity} series are ${granularity}, and their summaries add up`, () => {
    const single = exampleOf(`/spaces/{spaceuuid}/aggregate/{metrictype}/${granularity}`)
    const points = single['timeSeries'] as { timestamp: string; value: number }[]
    isWindows(
      single,
      points.map(({ timestamp }) => timestamp),
      points.map(({ value }) => value),
      single['summary'] as Summary,
    )
    for (const [path, name] of [
      ['aggregate', 'spaceUuid'],
      ['consumption', 'deviceUuid'],
    ] as const) {
      const batch = exampleOf(`/${path}/${granularity}`)
      const [series] = batch['series'] as (Node & { values: number[]; summary: Summary })[]
      assert.ok(series)
      isWindows(batch, batch['timestamps'] as string[], series.values, series.summary)
      const { unit, aggregation, metricType } = series
      assert.deepEqual([metricType, unit, aggregation], ['electricity', 'kWh', 'sum'])
      assert.deepEqual(
        Object.keys(series).filter((key) => /Uuid|components|min|max|isSynthetic/.test(key)),
        [name],
      )
    }
  })
}

test('examples of commands have the state of their operation', () => {
  const sent = exampleOf('/devices/{deviceuuid}/schedule', 'post')
  assert.deepEqual([sent['state'], sent['completedAt']], ['PENDING', null])
  assert.equal(sent['updatedAt'], sent['createdAt'])
  const cancelled = exampleOf('/devices/{deviceuuid}/commands/{commandUuid}', 'delete')
  assert.equal(cancelled['state'], 'CANCELLED')
  assert.equal((cancelled['failureReason'] as Node)['code'], 'REQUESTED')
})

test('examples of events fit their type, and describe the radiator valve of the demo', () => {
  for (const type of ['device.online', 'device.offline', 'device.battery_low']) {
    const { requestBody } = v2.webhooks[type]?.post ?? {}
    const data = requestBody?.content['application/json']?.example?.['data'] as Node
    assert.deepEqual(
      [data['deviceName'], data['deviceType'], data['spaceName']],
      ['S001 radiator valve', 'trv', 'S001'],
    )
    if (type !== 'device.battery_low') assert.equal(`device.${String(data['status'])}`, type)
    assert.equal(data['reason'] === null, type === 'device.online')
  }
})

test('the example of the types of events has a schema and an event', () => {
  const [type] = exampleOf('/event-types')['data'] as { type: string; schema: Node; example: Node }[]
  assert.equal(type?.example['type'], type?.type)
  assert.ok('properties' in (type?.schema ?? {}))
})

test('a new webhook has delivered nothing yet', () => {
  assert.equal(exampleOf('/webhooks', 'post')['lastDeliveredAt'], null)
})

test('the example of the account has the version of the server, and a hint of four characters', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const account = exampleOf('/account')
  assert.equal(account['serverVersion'], version)
  assert.equal(String((account['secrets'] as Node[])[0]?.['hint']).length, 4)
})

test('the version of an event is an integer', () => {
  for (const [name, document] of documents)
    for (const [title, schema] of Object.entries(
      (document as { components: { schemas: Record<string, { properties?: Record<string, Node> }> } })
        .components.schemas,
    )) {
      const { version } = schema.properties ?? {}
      if (version) assert.notEqual(version['type'], 'number', `${name} ${title}`)
    }
})

test('examples of errors name the role and the resource of their operation', () => {
  const { responses } = v2.paths['/webhooks/{webhookUuid}/replay']?.['post'] ?? { responses: {} }
  const detailOf = (status: string) =>
    responses[status]?.content?.['application/problem+json']?.example?.['detail']
  assert.equal(detailOf('403'), 'This request requires the role Webhooks.Manage.')
  assert.equal(detailOf('404'), 'There is no such webhook.')
})

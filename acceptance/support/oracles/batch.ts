import assert from 'node:assert/strict'
import { asArray, asObject, asString, type JsonObject } from '../json.ts'
import { query, type V2Client } from '../clients/v2-client.ts'

type Reviver = (name: string, value: unknown, context: { source?: string }) => unknown

/** Decodes JSON with the text of each number in place of the number: 1.0 and 1 differ. */
export const parseTexts = (text: string): JsonObject => {
  const revive: Reviver = (_name, value, { source }) => (typeof value === 'number' ? source : value)
  return asObject(JSON.parse(text, revive as (name: string, value: unknown) => unknown))
}

const groupNames = ['spaceUuid', 'clusterUuid', 'buildingUuid', 'siteUuid', 'deviceUuid'] as const

/** The identifier of a series of a batch. */
export function readId(series: JsonObject): string {
  const own = groupNames.filter((name) => name in series)
  assert.equal(own.length, 1, Object.keys(series).join())
  return asString(series[own[0] ?? ''])
}

/** Asserts that a series of a batch has the content of the single read, to the byte of each number. */
export function assertSameSeries(batch: JsonObject, series: JsonObject, single: JsonObject): void {
  const what = `${readId(series)} ${String(series['metricType'])}`
  for (const name of ['granularity', 'interval', 'timeZone', 'fromDateTime', 'toDateTime'])
    assert.equal(batch[name], single[name], `${name} of ${what}`)
  for (const name of ['metricType', 'unit', 'aggregation', 'hasData', 'isSynthetic', 'summary'])
    assert.deepEqual(series[name], single[name], `${name} of ${what}`)
  const timestamps = asArray(batch['timestamps'])
  const points = asArray(single['timeSeries']).map(asObject)
  assert.equal(points.length, timestamps.length, what)
  const columns = { values: 'value', min: 'min', max: 'max', quality: 'quality', coverage: 'coverage' }
  const components = 'components' in series ? { components: 'components' } : {}
  for (const [index, point] of points.entries()) {
    assert.equal(timestamps[index], point['timestamp'], what)
    for (const [column, name] of Object.entries({ ...columns, ...components })) {
      if (!(column in series)) {
        assert.ok(!(name in point), `${column} of ${what}`)
        continue
      }
      const values = asArray(series[column])
      assert.equal(values.length, points.length, `${column} of ${what}`)
      assert.deepEqual(values[index], point[name] ?? null, `${column}[${index}] of ${what}`)
    }
    if (!('components' in series)) assert.ok(!('components' in point), what)
  }
}

/** The path of the single read of a series. */
function toSinglePath(series: JsonObject, granularity: string, interval: string, range: Range): string {
  const metric = asString(series['metricType'])
  if ('deviceUuid' in series)
    return `/devices/${readId(series)}/consumption/${metric}${query({ interval, ...range })}`
  return `/spaces/${readId(series)}/aggregate/${metric}/${granularity}${query({ interval, ...range })}`
}

type Range = Record<string, string>

/**
 * Reads a batch, and compares each of its series with the single read; returns the batch. A batch that has changed
 * meanwhile, such as the coverage of a window that is not over, is compared again.
 */
export async function compareWithSingles(
  client: V2Client,
  path: '/aggregate' | '/consumption',
  granularity: 'hourly' | 'daily',
  params: Record<string, string>,
  toPath = toSinglePath,
): Promise<JsonObject> {
  const range = Object.fromEntries(
    ['fromDateTime', 'toDateTime'].flatMap((name) => (name in params ? [[name, params[name] ?? '']] : [])),
  )
  const readBatch = async (): Promise<string> => {
    const answer = await client.send(`${path}/${granularity}${query(params)}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.text
  }
  for (let text = await readBatch(); ; ) {
    const batch = parseTexts(text)
    try {
      for (const series of asArray(batch['series']).map(asObject)) {
        const single = await client.send(toPath(series, granularity, asString(batch['interval']), range))
        assert.equal(single.status, 200, single.text)
        assertSameSeries(batch, series, parseTexts(single.text))
      }
      return batch
    } catch (error) {
      const now = await readBatch()
      if (now === text) throw error
      text = now
    }
  }
}

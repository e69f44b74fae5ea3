import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ReadingImport } from '../../../../../src/domain/telemetry/ingest/reading-import.ts'
import { importJsonArray } from '../../../../../src/domain/telemetry/ingest/json-array.ts'

interface ParsedArray {
  values: unknown[]
  refused: { line: number; code: string }[]
}

/** The result for a body that arrives in chunks of this length. */
async function take(body: string, pieceLength: number): Promise<ParsedArray> {
  const taken: ParsedArray = { values: [], refused: [] }
  const intake: Pick<ReadingImport, 'add' | 'refuse'> = {
    add: (_line, _deviceUuid, _metricType, _timestamp, value) => void taken.values.push(value),
    refuse: (line, { code }) => void taken.refused.push({ line, code }),
  }
  const bytes = Buffer.from(body)
  await importJsonArray(
    (async function* () {
      for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength)
    })(),
    intake as ReadingImport,
  )
  return taken
}

const pieceLength = fc.integer({ min: 1, max: 40 })
const space = fc.constantFrom('', ' ', '\n\t ', '\r\n')

test('the elements equal those of JSON.parse, wherever the chunks end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), space, pieceLength, async (values, gap, length) => {
      const elements = values.map((value) => JSON.stringify({ value }))
      const body = `${gap}[${gap}${elements.join(`${gap},${gap}`)}${gap}]${gap}`
      const wanted = values.map((value) => JSON.parse(JSON.stringify(value)))
      assert.deepEqual(await take(body, length), { values: wanted, refused: [] })
    }),
  )
})

test('a byte order mark is accepted', async () => {
  assert.deepEqual((await take('\uFEFF[{"value":1}]', 2)).values, [1])
})

test('a body that is not an array is rejected as a whole', async () => {
  for (const body of ['{"value":1}', '', ' ', 'x[1]'])
    await assert.rejects(take(body, 3), /must be a JSON array/, body)
})

test('a truncated array, or content after it, is rejected at that position; the elements before are accepted', async () => {
  const unfinished = await take('[{"value":1},{"value":2}', 5)
  assert.deepEqual(unfinished, { values: [1], refused: [{ line: 2, code: 'malformed' }] })
  const followed = await take('[{"value":1}] x', 5)
  assert.deepEqual(followed, { values: [1], refused: [{ line: 2, code: 'malformed' }] })
})

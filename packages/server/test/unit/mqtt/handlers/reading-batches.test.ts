import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'node:test'
import { createReadingBatches } from '../../../../src/mqtt/handlers/reading-batches.ts'
import type { AddResult, OnConflict } from '../../../../src/domain/telemetry/reading/store.ts'
import { listReadings } from '../../../support/list-readings.ts'

interface Write {
  siteUuid: string
  onConflict: OnConflict
  series: [seriesId: number, at: number, value: number][]
  finish(error?: Error): void
}

const NONE: AddResult = { accepted: 0, replaced: 0, unchanged: 0 }
const REPLACE = { onConflict: 'replace', isExclusive: false } as const
const KEEP = { onConflict: 'keep', isExclusive: false } as const
const RETAINED = { onConflict: 'keep', isExclusive: true } as const

/** Batches over a store whose writes finish when the test lets them. */
function createFixture() {
  const writes: Write[] = []
  const batches = createReadingBatches((siteUuid, batch, onConflict) => {
    const { promise, resolve, reject } = Promise.withResolvers<AddResult>()
    const finish = (error?: Error): void => (error ? reject(error) : resolve(NONE))
    writes.push({ siteUuid, onConflict, series: listReadings(batch), finish })
    return promise
  })
  const add = (
    at: number,
    value: number,
    delivery: Parameters<typeof batches.add>[2] = REPLACE,
    siteUuid = 'a',
  ) => batches.add(siteUuid, [{ seriesId: 1, at, value }], delivery)
  return { writes, add }
}

test('messages that arrive during a write are stored together by the next, each with its own result', async () => {
  const { writes, add } = createFixture()
  const done: string[] = []
  const note = async (name: string, added: Promise<unknown>): Promise<void> => {
    await added
    done.push(name)
  }
  const all = [note('first', add(1, 1))]
  await turn()
  all.push(note('second', add(2, 2)), note('third', add(2, 3)), note('fourth', add(1, 9)))
  await turn()
  assert.equal(writes.length, 1)
  assert.deepEqual(done, [])
  writes[0]?.finish()
  await turn()
  assert.deepEqual(done, ['first'])
  assert.deepEqual(writes[1]?.series, [
    [1, 1, 9],
    [1, 2, 3],
  ])
  writes[1].finish()
  await Promise.all(all)
})

test('new and redelivered messages keep their order and never share a write; a retained copy is written alone', async () => {
  const { writes, add } = createFixture()
  const all = [
    add(1, 1),
    add(1, 2, KEEP),
    add(1, 3, KEEP),
    add(2, 4),
    add(2, 5, RETAINED),
    add(3, 6, RETAINED),
  ]
  for (let index = 0; index < 5; index += 1) {
    await turn()
    writes[index]?.finish()
  }
  await Promise.all(all)
  assert.deepEqual(
    writes.map(({ onConflict, series }) => [onConflict, series]),
    [
      ['replace', [[1, 1, 1]]],
      ['keep', [[1, 1, 2]]],
      ['replace', [[1, 2, 4]]],
      ['keep', [[1, 2, 5]]],
      ['keep', [[1, 3, 6]]],
    ],
  )
})

test('sites do not wait for each other, and a failure affects only its own batch', async () => {
  const { writes, add } = createFixture()
  const failing = assert.rejects(add(1, 1, REPLACE, 'a'), /full/)
  const other = add(1, 2, REPLACE, 'b')
  await turn()
  assert.deepEqual(
    writes.map(({ siteUuid }) => siteUuid),
    ['a', 'b'],
  )
  const behind = add(2, 3, REPLACE, 'a')
  writes[0]?.finish(new Error('disk full'))
  writes[1]?.finish()
  await Promise.all([failing, other])
  await turn()
  writes[2]?.finish()
  await behind
})

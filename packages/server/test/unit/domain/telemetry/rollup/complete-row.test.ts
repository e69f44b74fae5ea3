import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isCompleteRow,
  packGaugeRow,
  packMeterRow,
  unpackRow,
} from '../../../../../src/domain/telemetry/rollup/cell-row.ts'
import { type GaugeCell, type MeterCell, NO_GAUGE } from '../../../../../src/domain/telemetry/reading/cell.ts'

const number = fc.oneof(
  fc.integer({ min: -5_000_000, max: 5_000_000 }).map((n) => n / 1000),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

const places = <C>(cell: fc.Arbitrary<C>): fc.Arbitrary<(C | undefined)[]> =>
  fc.array(fc.option(cell, { nil: undefined }), { minLength: 1, maxLength: 100 })

const meterRows = fc.integer({ min: 1, max: 3 }).chain((meters) =>
  places(
    fc.record<MeterCell>({
      value: fc.oneof(fc.constant(null), number),
      gapMs: fc.oneof(fc.constant(0), fc.nat(86_400_000)),
      unread: fc.subarray([0, 1, 2].slice(0, meters)),
      isSuspect: fc.boolean(),
    }),
  ).map((cells) => packMeterRow(cells, meters)),
)

const gaps = fc
  .uniqueArray(fc.nat(86_400_000), { maxLength: 12 })
  .map((edges) => edges.toSorted((a, b) => a - b).slice(edges.length % 2))

const gaugeCells: fc.Arbitrary<GaugeCell> = fc.oneof(
  fc.constant(NO_GAUGE),
  fc
    .tuple(fc.nat(96), fc.record({ sum: number, min: number, max: number, gaps }))
    .map(([count, cell]) => ({ count, standing: count === 0 ? 1 : 0, ...cell })),
)

const gaugeRows = places(gaugeCells).map((cells) => packGaugeRow(cells))

test('a gauge row unpacks to the cells that were packed', () => {
  fc.assert(
    fc.property(places(gaugeCells), (cells) =>
      assert.deepEqual(unpackRow(Uint8Array.from(packGaugeRow(cells))), cells),
    ),
  )
})

test('a row of an earlier release: an hour is covered after each quarter hour with a reading', () => {
  // Two hours of one cell each: readings in its first quarter hour; none.
  const row = [2, 2, 0b11, 0b01, 0, 2, 1, 0b0001, 0, 42, 0, 42, 0, 42]
  assert.ok(isCompleteRow(Uint8Array.from(row)))
  assert.deepEqual(unpackRow(Uint8Array.from(row)), [
    { count: 1, sum: 21, min: 21, max: 21, standing: 0, gaps: [3_600_000, 7_200_000] },
    NO_GAUGE,
  ])
})

test('a packed row is complete with exactly its bytes; decoders ignore bytes after it', () => {
  fc.assert(
    fc.property(
      fc.oneof(meterRows, gaugeRows),
      fc.uint8Array({ minLength: 1, maxLength: 16 }),
      (row, more) => {
        assert.ok(isCompleteRow(row))
        const longer = Buffer.concat([row, more])
        assert.ok(!isCompleteRow(longer))
        assert.ok(!isCompleteRow(row.subarray(0, -1)))
        assert.deepEqual(unpackRow(Uint8Array.from(longer)), unpackRow(Uint8Array.from(row)))
      },
    ),
  )
})

test('bytes that are not a row are not complete, whatever length they claim', () => {
  assert.ok(!isCompleteRow(new Uint8Array()))
  assert.ok(!isCompleteRow(Uint8Array.of(4, 1, 1, 0)))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      assert.equal(typeof isCompleteRow(Uint8Array.of(1, 255, 255, 255, 127, ...bytes)), 'boolean')
      assert.equal(typeof isCompleteRow(Uint8Array.of(2, 31, ...bytes)), 'boolean')
      assert.equal(typeof isCompleteRow(Uint8Array.of(3, 31, ...bytes)), 'boolean')
    }),
  )
})

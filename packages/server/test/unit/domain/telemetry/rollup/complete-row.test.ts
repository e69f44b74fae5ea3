import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isCompleteRow,
  packGaugeRow,
  packMeterRow,
  unpackRow,
} from '../../../../../src/domain/telemetry/rollup/cell-row.ts'
import type { GaugeCell, MeterCell } from '../../../../../src/domain/telemetry/reading/cell.ts'

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

const gaugeRows = places(
  fc.record<GaugeCell>({
    count: fc.nat(96),
    sum: number,
    min: number,
    max: number,
    quarters: fc.uint8Array({ minLength: 1, maxLength: 12 }),
  }),
).map((cells) => packGaugeRow(cells))

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
  assert.ok(!isCompleteRow(Uint8Array.of(3, 1, 1, 0)))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      assert.equal(typeof isCompleteRow(Uint8Array.of(1, 255, 255, 255, 127, ...bytes)), 'boolean')
      assert.equal(typeof isCompleteRow(Uint8Array.of(2, 31, ...bytes)), 'boolean')
    }),
  )
})

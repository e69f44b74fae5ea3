import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  OPEN_CELL,
  packMeterRow,
  readMeterValues,
  unpackMeterRow,
} from '../../../../../src/domain/telemetry/rollup/cell-row.ts'
import type { MeterCell } from '../../../../../src/domain/telemetry/reading/cell.ts'

const value = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 5_000_000 }).map((n) => n / 1000),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

const rows = fc.integer({ min: 1, max: 3 }).chain((meters) =>
  fc.record({
    meters: fc.constant(meters),
    cells: fc.array(
      fc.option(
        fc.record<MeterCell>({
          value,
          gapMs: fc.oneof(fc.constant(0), fc.nat(86_400_000)),
          unread: fc.subarray([0, 1, 2].slice(0, meters)),
          isSuspect: fc.boolean(),
        }),
        { nil: undefined },
      ),
      { minLength: 1, maxLength: 50 },
    ),
  }),
)

test('the values of a row equal those of its cells', () => {
  fc.assert(
    fc.property(rows, ({ meters, cells }) => {
      const bytes = packMeterRow(cells, meters)
      const into = new Float64Array(50)
      assert.equal(readMeterValues(bytes, meters, into), cells.length)
      const expected = unpackMeterRow(bytes).cells.map((cell) =>
        cell === undefined ? OPEN_CELL : (cell.value ?? Number.NaN),
      )
      assert.deepEqual([...into.subarray(0, cells.length)], expected)
    }),
  )
})

test('a row with another number of meters, or one that is too long, is rejected', () => {
  const cell: MeterCell = { value: 1, gapMs: 0, unread: [], isSuspect: false }
  const bytes = packMeterRow([cell, cell], 2)
  assert.equal(readMeterValues(bytes, 1, new Float64Array(2)), undefined)
  assert.equal(readMeterValues(bytes, 2, new Float64Array(1)), undefined)
  assert.equal(readMeterValues(bytes, 2, new Float64Array(2)), 2)
})

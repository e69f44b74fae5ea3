import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { consumption } from '../../../../support/consumption.ts'
import { readRegister } from '../../../../../src/domain/telemetry/reading/register.ts'
import { round6 } from '../../../../../src/domain/telemetry/reading/window-value.ts'

const HOUR = 3_600_000
const PLAIN = { registerSize: null, maxPerHour: null }

const at = (hours: number, ...values: number[]) => ({
  timestamps: values.map((_, index) => index * hours * HOUR),
  values,
})

test('a window’s consumption is the difference of the register at its edges, interpolated', () => {
  const register = readRegister(at(2, 100, 104, 110), PLAIN)
  assert.deepEqual(consumption(register, { from: 0, to: HOUR }), {
    value: 2,
    quality: 'measured',
    coverage: 1,
  })
  assert.deepEqual(consumption(register, { from: HOUR, to: 2 * HOUR }), {
    value: 2,
    quality: 'estimated',
    coverage: 1,
  })
  assert.deepEqual(consumption(register, { from: HOUR, to: 3 * HOUR }), {
    value: 5,
    quality: 'measured',
    coverage: 1,
  })
})

test('a window that the data does not cover is partial, with what the data covers', () => {
  const register = readRegister(at(1, 10, 12), PLAIN)
  assert.deepEqual(consumption(register, { from: -HOUR, to: HOUR }), {
    value: 2,
    quality: 'partial',
    coverage: 0.5,
  })
  assert.equal(consumption(register, { from: HOUR, to: 2 * HOUR }).value, null)
  assert.equal(consumption(readRegister(at(1, 10), PLAIN), { from: 0, to: HOUR }).value, null)
})

const sized = { registerSize: 100, maxPerHour: null }

test('a fall is a roll-over if the way over the top of the register is short', () => {
  const span = { from: 0, to: 2 * HOUR }
  assert.equal(consumption(readRegister(at(1, 90, 5, 8), sized), span).value, 18)
  assert.equal(consumption(readRegister(at(1, 60, 10, 10), sized), span).value, 50)
})

test('a fall to less than half is a reset, with or without a register size', () => {
  const span = { from: 0, to: 2 * HOUR }
  assert.equal(consumption(readRegister(at(1, 90, 5, 8), PLAIN), span).value, 8)
  assert.equal(consumption(readRegister(at(1, 49, 2, 8), sized), span).value, 8)
})

test('any other fall is a dip: it counts as 0, and the windows between the two readings are suspect', () => {
  for (const rules of [PLAIN, { registerSize: 1_000_000, maxPerHour: null }]) {
    const register = readRegister(at(2, 100, 104, 103.9, 106), rules)
    assert.deepEqual(
      [0, 1, 2, 3, 4, 5].map((hour) => {
        const { value, quality } = consumption(register, { from: hour * HOUR, to: (hour + 1) * HOUR })
        return [value, quality]
      }),
      [
        [2, 'measured'],
        [2, 'estimated'],
        [0, 'suspect'],
        [0, 'suspect'],
        [1.05, 'measured'],
        [1.05, 'estimated'],
      ],
    )
  }
})

test('a jump above maxPerHour makes the windows it touches suspect, and only those', () => {
  const register = readRegister(at(1, 0, 1, 500, 501), { registerSize: null, maxPerHour: 10 })
  const quality = (from: number): string =>
    consumption(register, { from: from * HOUR, to: (from + 1) * HOUR }).quality
  assert.deepEqual([0, 1, 2].map(quality), ['measured', 'suspect', 'measured'])
})

/** Time steps, and the register after each: rising, sometimes reset or rolled over. */
const history = fc
  .array(
    fc.record({
      step: fc.integer({ min: 1, max: 40_000_000 }),
      rise: fc.integer({ min: 0, max: 5_000_000 }),
      event: fc.constantFrom('none', 'none', 'none', 'none', 'fall'),
    }),
    { minLength: 2, maxLength: 40 },
  )
  .map((steps) => {
    const timestamps: number[] = []
    const values: number[] = []
    let time = 0
    let scaled = 500_000
    for (const { step, rise, event } of steps) {
      time += step
      scaled = event === 'fall' ? rise % 400_000 : scaled + rise
      timestamps.push(time)
      values.push(scaled / 1000)
    }
    return { timestamps, values }
  })

test('a window is the same to the digit, however much of the past is loaded with it', () => {
  const timestamps = [0, HOUR, 65 * HOUR]
  const values = [243.712, 0.056, 173.569]
  const all = readRegister({ timestamps, values }, PLAIN)
  const later = readRegister({ timestamps: timestamps.slice(1), values: values.slice(1) }, PLAIN)
  for (let hour = 1; hour < 65; hour += 1) {
    const span = { from: hour * HOUR, to: (hour + 1) * HOUR }
    assert.deepEqual(later.cell(span), all.cell(span))
  }
})

test('adjacent windows add up to the whole range, for any resets and roll-overs', () => {
  fc.assert(
    fc.property(
      history,
      fc.constantFrom(null, 1_000),
      fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 30 }),
      (readings, registerSize, cuts) => {
        const register = readRegister(readings, { registerSize, maxPerHour: null })
        const first = readings.timestamps[0] ?? 0
        const last = readings.timestamps.at(-1) ?? 0
        const edges = [first, ...cuts.map((cut) => first + Math.floor(((last - first) * cut) / 1_000)), last]
          .toSorted((a, b) => a - b)
          .filter((edge, index, all) => edge !== all[index - 1])
        const parts = edges
          .slice(1)
          .map((to, index) => consumption(register, { from: edges[index] ?? 0, to }).value ?? 0)
        const sum = parts.reduce((total, part) => total + part, 0)
        const risen = readings.values.reduce((total, value, index) => {
          const before = readings.values[index - 1] ?? value
          if (value >= before) return total + value - before
          const forward =
            registerSize && value + registerSize * Math.ceil((before - value) / registerSize) - before
          if (registerSize !== null && forward !== null && forward <= registerSize / 2) return total + forward
          return value < before / 2 ? total + value : total
        }, 0)
        assert.ok(Math.abs(sum - risen) < 1e-5, `${sum} against ${risen}`)
        for (const part of parts) assert.equal(part, round6(part))
      },
    ),
  )
})

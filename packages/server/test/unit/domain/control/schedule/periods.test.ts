import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Period, WEEKDAYS } from '../../../../../src/domain/control/schedule/schedule.ts'
import { checkPeriods } from '../../../../../src/domain/control/schedule/periods.ts'

const LIMITS = { minuteStep: 1, maxPeriodsPerDay: undefined }

const period = (days: Period['days'], start: string, end: string): Period => ({
  days,
  start,
  end,
  target: { power: 'on' },
})

const codes = (periods: Period[], limits = LIMITS): string[] =>
  checkPeriods(periods, limits).map(({ code }) => code)

test('adjacent periods do not overlap; periods that share a minute do', () => {
  assert.deepEqual(codes([period(['mon'], '06:00', '08:00'), period(['mon'], '08:00', '24:00')]), [])
  assert.deepEqual(codes([period(['mon'], '06:00', '08:01'), period(['mon'], '08:00', '24:00')]), ['overlap'])
})

test('an end at or before the start runs into the next day, over Sunday into Monday too', () => {
  assert.deepEqual(codes([period(['sun'], '22:00', '06:00'), period(['mon'], '05:59', '07:00')]), ['overlap'])
  assert.deepEqual(codes([period(['sun'], '22:00', '06:00'), period(['mon'], '06:00', '07:00')]), [])
  assert.deepEqual(codes([period(['mon'], '08:00', '08:00'), period(['tue'], '07:00', '08:00')]), ['overlap'])
})

test('times are multiples of the step of the device, and a day has at most its number of periods', () => {
  assert.deepEqual(codes([period(['mon'], '06:05', '08:00')], { ...LIMITS, minuteStep: 10 }), ['off-step'])
  const three = ['06', '08', '10'].map((hour) => period(['mon'], `${hour}:00`, `${hour}:30`))
  assert.deepEqual(checkPeriods(three, { minuteStep: 1, maxPeriodsPerDay: 2 })[0]?.code, 'too-many')
})

test('an overlap is found exactly when some minute of the week is covered twice', () => {
  const clock = fc.nat(23).map((hour) => `${String(hour).padStart(2, '0')}:00`)
  const drawn = fc.record({ days: fc.subarray([...WEEKDAYS], { minLength: 1 }), start: clock, end: clock })
  fc.assert(
    fc.property(fc.array(drawn, { maxLength: 4 }), (items) => {
      const periods = items.map(({ days, start, end }) => period(days, start, end))
      const covered = Array.from({ length: 7 * 24 }, () => 0)
      for (const { days, start, end } of periods) {
        const length = (Number(end.slice(0, 2)) - Number(start.slice(0, 2)) + 24) % 24 || 24
        for (const day of days) {
          for (let hour = 0; hour < length; hour += 1) {
            const index = (WEEKDAYS.indexOf(day) * 24 + Number(start.slice(0, 2)) + hour) % covered.length
            covered[index] = (covered[index] ?? 0) + 1
          }
        }
      }
      assert.equal(
        codes(periods).includes('overlap'),
        covered.some((count) => count > 1),
      )
    }),
  )
})

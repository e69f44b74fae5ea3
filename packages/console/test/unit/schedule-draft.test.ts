import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Draft, findProblems, toBody, toFirstDraft } from '../../src/partner/devices/schedule/draft.ts'
import type { Limits } from '../../src/partner/devices/schedule/limits.ts'
import { findFreePeriod, findOverlaps, listFullDays } from '../../src/partner/devices/schedule/periods.ts'

const limits: Limits = {
  types: ['override', 'boost', 'oneOff', 'weekly', 'resume'],
  temperature: { min: 7, max: 25, step: 0.5 },
  temperatureByMode: {},
  hasPower: true,
  modes: [],
  boostMinutes: { min: 5, max: 120, step: 5 },
  minuteStep: 10,
  maxPeriodsPerDay: 2,
}
const NOW = '2026-11-17T08:00'
const first = toFirstDraft(limits, null, (hours) => `2026-11-17T${String(8 + hours).padStart(2, '0')}:00`)
const draft = (changes: Partial<Draft>): Draft => ({ ...first, ...changes })
const target = { temperature: 20 }

describe('the body of a schedule', () => {
  it('has exactly one end of an override', () => {
    const common = { type: 'override', target: { temperature: 21 } }
    assert.deepEqual(toBody(first), { ...common, durationMinutes: 60 })
    assert.deepEqual(toBody(draft({ overrideEnd: 'until' })), { ...common, until: '2026-11-17T10:00' })
    assert.deepEqual(toBody(draft({ overrideEnd: 'permanent' })), { ...common, permanent: true })
    assert.deepEqual(toBody(draft({ overrideEnd: 'untilNextPeriod' })), { ...common, untilNextPeriod: true })
  })

  it('has no temperature in a target that is off', () => {
    const body = toBody(draft({ target: { temperature: 21, power: 'off' } }))
    assert.deepEqual(body, { type: 'override', target: { power: 'off' }, durationMinutes: 60 })
  })

  it('has the target of a boost only if it is wanted', () => {
    assert.deepEqual(toBody(draft({ type: 'boost' })), { type: 'boost', durationMinutes: 30 })
    const body = toBody(draft({ type: 'boost', hasBoostTarget: true }))
    assert.deepEqual(body, { type: 'boost', durationMinutes: 30, target: { temperature: 21 } })
  })

  it('has options only if they are set', () => {
    const body = toBody(draft({ type: 'resume', failIfOffline: true, clientReference: 'booking-1' }))
    assert.deepEqual(body, { type: 'resume', failIfOffline: true, clientReference: 'booking-1' })
  })
})

describe('problems that the controls cannot prevent', () => {
  const listFields = (changes: Partial<Draft>): string[] =>
    findProblems(draft(changes), NOW).map(({ field }) => field)

  it('are none at first', () => {
    for (const type of limits.types) assert.deepEqual(listFields({ type }), [])
  })

  it('are times in the past and ends before their start', () => {
    assert.deepEqual(listFields({ overrideEnd: 'until', until: '2026-11-17T07:59' }), ['until'])
    assert.deepEqual(listFields({ type: 'oneOff', endsAt: '2026-11-17T08:30' }), ['endsAt'])
    assert.deepEqual(
      listFields({ type: 'oneOff', startsAt: '2026-11-17T06:00', endsAt: '2026-11-17T07:00' }),
      ['endsAt'],
    )
  })

  it('are empty targets, periods without days and periods that overlap', () => {
    assert.deepEqual(listFields({ target: {} }), ['target'])
    const periods = [
      { days: ['mon' as const], start: '07:00', end: '09:00', target },
      { days: [], start: '10:00', end: '11:00', target },
      { days: ['mon' as const], start: '08:00', end: '10:00', target },
    ]
    assert.deepEqual(listFields({ type: 'weekly', periods }), ['periods.1.days', 'periods.2'])
  })
})

describe('periods of a week', () => {
  it('overlap over midnight and from Sunday to Monday', () => {
    const night = { days: ['sun' as const], start: '22:00', end: '06:00' }
    const morning = { days: ['mon' as const], start: '05:00', end: '07:00' }
    assert.deepEqual([...findOverlaps([night, morning])], [[1, 0]])
    assert.deepEqual([...findOverlaps([night, { ...morning, start: '06:00' }])], [])
  })

  it('are added in free time, until every day has as many as the device accepts', () => {
    const periods = []
    for (let count = 0; count < 20; count += 1) {
      const period = findFreePeriod(periods, limits, target)
      if (!period) break
      periods.push(period)
      assert.equal(findOverlaps(periods).size, 0)
    }
    assert.deepEqual(periods[0], {
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      start: '07:00',
      end: '09:00',
      target,
    })
    assert.equal(periods.length, 4)
    assert.equal(listFullDays(periods, periods.length, limits).length, 7)
    assert.deepEqual(listFullDays(periods, 0, limits), ['sat', 'sun'])
  })
})

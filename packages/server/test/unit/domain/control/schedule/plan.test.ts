import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlannedCommand } from '../../../../../src/domain/control/schedule/planned-command.ts'
import {
  type Period,
  type Schedule,
  type Target,
  WEEKDAYS,
} from '../../../../../src/domain/control/schedule/schedule.ts'
import { activeAt, nextChange, buildPlan } from '../../../../../src/domain/control/schedule/plan.ts'
import { accepted } from '../../../../support/planned-command.ts'

const BOOST: Target = { temperature: 25 }
const LONG_AGO = '2020-01-01T00:00Z'
const warm: Target = { temperature: 21 }
const cool: Target = { temperature: 16 }
const hot: Target = { temperature: 24 }

const weekly = (periods: Period[], timeZone = 'Europe/London', createdAt = LONG_AGO): PlannedCommand =>
  accepted({ type: 'weekly', timeZone, default: cool, periods }, createdAt)

const period = (
  days: readonly Period['days'][number][],
  start: string,
  end: string,
  target = warm,
): Period => ({
  days: [...days],
  start,
  end,
  target,
})

const daily = (start: string, end: string, target = warm): Period => period(WEEKDAYS, start, end, target)

const override = (
  ending: Partial<Extract<Schedule, { type: 'override' }>>,
  createdAt: string,
): PlannedCommand => accepted({ type: 'override', target: hot, ...ending }, createdAt)

const iso = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString().slice(0, 16)

/** Source, temperature and end of the target at an instant. */
const shown = (commands: PlannedCommand[], at: string): unknown[] => {
  const { source, target, until } = activeAt(buildPlan(commands, BOOST), Date.parse(at))
  return [source, target?.temperature ?? null, iso(until)]
}

/** The instants at which the target changes, from an instant on. */
const changes = (commands: PlannedCommand[], from: string, number: number): string[] => {
  const plan = buildPlan(commands, BOOST)
  const found: string[] = []
  for (let next = nextChange(plan, Date.parse(from)); next && found.length < number; ) {
    found.push(`${iso(next.at)} ${next.target?.temperature}`)
    next = nextChange(plan, next.at)
  }
  return found
}

describe('layers', () => {
  test('without a command there is no target and no end', () => {
    assert.deepEqual(shown([], '2026-01-05T12:00Z'), ['none', null, null])
    assert.equal(nextChange(buildPlan([], BOOST), 0), null)
  })

  test('a weekly plan without periods is its default, without an end', () => {
    assert.deepEqual(shown([weekly([])], '2026-01-05T12:00Z'), ['default', 16, null])
  })

  test('a period takes precedence over the default, and its end is exclusive', () => {
    const plan = [weekly([period(['mon'], '06:00', '08:00')])]
    assert.deepEqual(shown(plan, '2026-01-05T05:59Z'), ['default', 16, '2026-01-05T06:00'])
    assert.deepEqual(shown(plan, '2026-01-05T06:00Z'), ['weekly', 21, '2026-01-05T08:00'])
    assert.deepEqual(shown(plan, '2026-01-05T08:00Z'), ['default', 16, '2026-01-12T06:00'])
  })

  test('a one-off takes precedence over the weekly plan, an override over both', () => {
    const commands = [
      override({ durationMinutes: 30 }, '2026-01-05T07:00Z'),
      accepted(
        {
          type: 'oneOff',
          startsAt: '2026-01-05T06:30Z',
          endsAt: '2026-01-05T09:00Z',
          target: { temperature: 19 },
        },
        '2026-01-04T00:00Z',
      ),
      weekly([daily('06:00', '08:00')]),
    ]
    assert.deepEqual(shown(commands, '2026-01-05T06:15Z'), ['weekly', 21, '2026-01-05T06:30'])
    assert.deepEqual(shown(commands, '2026-01-05T06:45Z'), ['oneOff', 19, '2026-01-05T07:00'])
    assert.deepEqual(shown(commands, '2026-01-05T07:00Z'), ['override', 24, '2026-01-05T07:30'])
    assert.deepEqual(shown(commands, '2026-01-05T07:30Z'), ['oneOff', 19, '2026-01-05T09:00'])
  })

  test('of overlapping one-offs the newer applies, and the older one again after it', () => {
    const oneOff = (from: string, to: string, target: Target, createdAt: string): PlannedCommand =>
      accepted({ type: 'oneOff', startsAt: from, endsAt: to, target }, createdAt)
    const commands = [
      oneOff('2026-01-05T10:00Z', '2026-01-05T14:00Z', warm, '2026-01-01T00:00Z'),
      oneOff('2026-01-05T11:00Z', '2026-01-05T12:00Z', hot, '2026-01-02T00:00Z'),
    ]
    assert.deepEqual(changes(commands, '2026-01-05T00:00Z', 9), [
      '2026-01-05T10:00 21',
      '2026-01-05T11:00 24',
      '2026-01-05T12:00 21',
      '2026-01-05T14:00 undefined',
    ])
  })

  test('a new weekly plan replaces the old one completely', () => {
    const commands = [weekly([daily('06:00', '08:00')]), weekly([], 'UTC', '2026-01-01T00:00Z')]
    assert.deepEqual(shown(commands, '2026-01-05T07:00Z'), ['default', 16, null])
  })

  test('until reports a change of source, nextChange only one of target', () => {
    const plan = [weekly([daily('06:00', '08:00', cool), daily('12:00', '13:00')])]
    assert.deepEqual(shown(plan, '2026-01-05T05:00Z'), ['default', 16, '2026-01-05T06:00'])
    assert.deepEqual(changes(plan, '2026-01-05T05:00Z', 1), ['2026-01-05T12:00 21'])
  })

  test('consecutive periods with one target are merged; all week long they never end', () => {
    const plan = [weekly([daily('06:00', '08:00'), daily('08:00', '10:00')])]
    assert.deepEqual(shown(plan, '2026-01-05T07:00Z'), ['weekly', 21, '2026-01-05T10:00'])
    assert.deepEqual(shown([weekly([daily('00:00', '24:00')])], '2026-03-28T12:00Z'), ['weekly', 21, null])
    assert.deepEqual(shown([weekly([daily('07:00', '07:00')])], '2026-03-28T12:00Z'), ['weekly', 21, null])
  })

  test('an instant between minutes is evaluated exactly', () => {
    const plan = [override({ durationMinutes: 1 }, '2026-01-05T07:00:30.250Z')]
    const at = Date.parse('2026-01-05T07:01:30.250Z')
    assert.equal(activeAt(buildPlan(plan, BOOST), at - 1).until, at)
    assert.equal(activeAt(buildPlan(plan, BOOST), at).source, 'none')
  })
})

describe('overrides', () => {
  const plan = weekly([daily('06:00', '08:00')])

  test('a duration starts at acceptance', () => {
    const commands = [plan, override({ durationMinutes: 90 }, '2026-01-05T10:10Z')]
    assert.deepEqual(shown(commands, '2026-01-05T10:10Z'), ['override', 24, '2026-01-05T11:40'])
    assert.deepEqual(shown(commands, '2026-01-05T10:09Z'), ['default', 16, '2026-01-05T10:10'])
  })

  test('a time without an offset is local time', () => {
    const commands = [plan, override({ until: '2026-07-06T12:00' }, '2026-07-06T10:00Z')]
    assert.deepEqual(shown(commands, '2026-07-06T10:00Z'), ['override', 24, '2026-07-06T11:00'])
  })

  test('permanent lasts until a resume or another override', () => {
    const permanent = override({ permanent: true }, '2026-01-05T10:00Z')
    assert.deepEqual(shown([plan, permanent], '2026-01-05T10:00Z'), ['override', 24, null])
    const resume = accepted({ type: 'resume' }, '2026-01-05T11:00Z')
    assert.deepEqual(shown([permanent, plan, resume], '2026-01-05T11:00Z'), [
      'default',
      16,
      '2026-01-06T06:00',
    ])
    const boost = accepted({ type: 'boost', durationMinutes: 60 }, '2026-01-05T12:00Z')
    assert.deepEqual(shown([permanent, plan, boost], '2026-01-05T12:00Z'), ['boost', 25, '2026-01-05T13:00'])
    assert.deepEqual(shown([permanent, plan, boost], '2026-01-05T13:00Z'), [
      'default',
      16,
      '2026-01-06T06:00',
    ])
  })

  test('until the next period ends when one starts or ends', () => {
    const from = (at: string): unknown[] => shown([plan, override({ untilNextPeriod: true }, at)], at)
    assert.deepEqual(from('2026-01-05T05:00Z'), ['override', 24, '2026-01-05T06:00'])
    assert.deepEqual(from('2026-01-05T06:00Z'), ['override', 24, '2026-01-05T08:00'])
    assert.deepEqual(from('2026-01-05T08:00Z'), ['override', 24, '2026-01-06T06:00'])
  })

  test('until the next period ends at an edge even if the target does not change', () => {
    const touching = weekly([daily('06:00', '08:00'), daily('08:00', '10:00')])
    const commands = [touching, override({ untilNextPeriod: true }, '2026-01-05T07:00Z')]
    assert.deepEqual(shown(commands, '2026-01-05T07:00Z'), ['override', 24, '2026-01-05T08:00'])
  })

  test('until the next period never ends if there is none', () => {
    const waiting = override({ untilNextPeriod: true }, '2026-01-05T07:00Z')
    assert.deepEqual(shown([waiting], '2026-01-05T07:00Z'), ['override', 24, null])
    assert.deepEqual(shown([waiting, weekly([])], '2026-01-05T07:00Z'), ['override', 24, null])
  })

  test('a later weekly plan ends an override until the next period, and never restores one', () => {
    const waiting = override({ untilNextPeriod: true }, '2026-01-05T07:00Z')
    const later = weekly([], 'UTC', '2026-01-20T00:00Z')
    assert.deepEqual(shown([waiting, later], '2026-01-20T00:00Z'), ['default', 16, null])
  })

  test('a period skipped by a clock change ends no override', () => {
    const swallowed = weekly([daily('01:10', '01:50'), daily('05:00', '06:00')])
    const commands = [swallowed, override({ untilNextPeriod: true }, '2026-03-29T00:55Z')]
    assert.deepEqual(shown(commands, '2026-03-29T00:55Z'), ['override', 24, '2026-03-29T04:00'])
  })

  test('a boost without a target uses the allowed maximum, or on', () => {
    const boost = accepted({ type: 'boost', durationMinutes: 30 }, '2026-01-05T10:00Z')
    const at = Date.parse('2026-01-05T10:00Z')
    assert.deepEqual(activeAt(buildPlan([boost], { temperature: 60 }), at).target, { temperature: 60 })
    assert.deepEqual(activeAt(buildPlan([boost], { power: 'on' }), at).target, { power: 'on' })
  })
})

describe('clock changes', () => {
  test('a skipped time takes effect at the first instant after the gap', () => {
    const plan = [weekly([daily('01:30', '03:00')])]
    assert.deepEqual(changes(plan, '2026-03-28T12:00Z', 2), ['2026-03-29T01:00 21', '2026-03-29T02:00 16'])
  })

  test('a repeated time takes effect once, the first time', () => {
    const plan = [weekly([daily('01:30', '01:45')])]
    assert.deepEqual(changes(plan, '2026-10-24T12:00Z', 3), [
      '2026-10-25T00:30 21',
      '2026-10-25T00:45 16',
      '2026-10-26T01:30 21',
    ])
  })

  test('a period that starts and ends in one gap does not exist, even if it is the only one of the week', () => {
    const plan = [weekly([period(['sun'], '01:10', '01:50')])]
    assert.deepEqual(changes(plan, '2026-03-28T12:00Z', 1), ['2026-04-05T00:10 21'])
    assert.deepEqual(changes(plan, '2026-03-22T01:30Z', 2), ['2026-03-22T01:50 16', '2026-04-05T00:10 21'])
  })

  test('a period over night spans the change and ends in local time', () => {
    const plan = [weekly([period(['sat'], '22:00', '06:00')])]
    assert.deepEqual(changes(plan, '2026-03-28T12:00Z', 2), ['2026-03-28T22:00 21', '2026-03-29T05:00 16'])
    assert.deepEqual(changes(plan, '2026-10-24T12:00Z', 2), ['2026-10-24T21:00 21', '2026-10-25T06:00 16'])
  })

  test('a day without midnight begins at its first local time', () => {
    const plan = [weekly([period(['fri'], '00:00', '24:00')], 'Africa/Cairo')]
    assert.deepEqual(changes(plan, '2023-04-27T12:00Z', 2), ['2023-04-27T22:00 21', '2023-04-28T21:00 16'])
  })

  test('a period of a skipped day exists only as far as it reaches into the next day', () => {
    const plan = [
      weekly(
        [period(['fri'], '08:00', '10:00'), period(['fri'], '22:00', '06:00')],
        'Pacific/Apia',
        '2010-01-01T00:00Z',
      ),
    ]
    assert.deepEqual(changes(plan, '2011-12-29T12:00Z', 2), ['2011-12-30T10:00 21', '2011-12-30T16:00 16'])
  })

  test('UTC has no clock changes', () => {
    const plan = [weekly([daily('01:30', '01:45')], 'UTC')]
    assert.deepEqual(changes(plan, '2026-03-29T00:00Z', 2), ['2026-03-29T01:30 21', '2026-03-29T01:45 16'])
  })
})

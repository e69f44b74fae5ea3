import assert from 'node:assert/strict'
import { asArray, asObject, asString, type JsonObject } from '../json.ts'

/** A target and its time span; `to` is null if it is open-ended. */
export interface PlanSpan {
  source: string
  target: JsonObject
  from: number
  to: number | null
}

/** All commands that a device follows. */
export interface FollowedCommands {
  zone: string
  /** Body of the weekly plan, if any. */
  weekly?: JsonObject
  oneOffs?: PlanSpan[]
  override?: PlanSpan
}

export interface ActiveTarget {
  target: JsonObject | null
  source: string
  until: number | null
  next: { at: number; target: JsonObject | null } | null
}

const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/**
 * A wall-clock time as an instant: a skipped one is the first valid time after it, a repeated one its first occurrence.
 */
export function toInstant(day: Temporal.PlainDate, time: string, zone: string): number {
  const wall =
    time === '24:00'
      ? day.add({ days: 1 }).toPlainDateTime('00:00')
      : day.toPlainDateTime(Temporal.PlainTime.from(time))
  const first = wall.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (first.toPlainDateTime().equals(wall)) return first.epochMilliseconds
  const change = first.getTimeZoneTransition('next')
  assert.ok(change, `${zone} skips ${wall.toString()} without a change of its clocks`)
  return change.epochMilliseconds
}

/** Every period of a weekly plan within about a week of the instant. */
export function listPeriods(weekly: JsonObject, zone: string, instant: number): PlanSpan[] {
  const today = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).toPlainDate()
  const spans: PlanSpan[] = []
  for (let offset = -2; offset <= 9; offset += 1) {
    const day = today.add({ days: offset })
    for (const item of asArray(weekly['periods'])) {
      const period = asObject(item)
      if (!asArray(period['days']).includes(names[day.dayOfWeek - 1])) continue
      const [start, end] = [asString(period['start']), asString(period['end'])]
      const from = toInstant(day, start, zone)
      const to = toInstant(end <= start ? day.add({ days: 1 }) : day, end, zone)
      // A period that lies entirely in the skipped time does not exist.
      if (from < to) spans.push({ source: 'weekly', target: asObject(period['target']), from, to })
    }
  }
  return spans
}

/** The target at an instant, its end, and the next target. */
export function heldAt(followed: FollowedCommands, instant: number): ActiveTarget {
  const { zone, weekly, oneOffs = [], override } = followed
  const layers = [
    override === undefined ? [] : [override],
    oneOffs,
    weekly === undefined ? [] : listPeriods(weekly, zone, instant),
  ]
  const at = (when: number): { target: JsonObject | null; source: string } => {
    for (const layer of layers) {
      const found = layer.find(({ from, to }) => from <= when && (to === null || when < to))
      if (found) return { target: found.target, source: found.source }
    }
    return { target: weekly === undefined ? null : asObject(weekly['default']), source: 'default' }
  }
  const now = at(instant)
  const same = (when: number): boolean => {
    const then = at(when)
    return then.source === now.source && JSON.stringify(then.target) === JSON.stringify(now.target)
  }
  const edges = layers
    .flat()
    .flatMap(({ from, to }) => (to === null ? [from] : [from, to]))
    .filter((edge) => edge > instant)
    .toSorted((a, b) => a - b)
  const change = edges.find((edge) => !same(edge))
  if (change === undefined) return { ...now, until: null, next: null }
  return { ...now, until: change, next: { at: change, target: at(change).target } }
}

/** Asserts that `GET /devices/{id}/schedule` shows the oracle's current and next target. */
export function assertHeld(shown: JsonObject, followed: FollowedCommands, instant: number): void {
  const expected = heldAt(followed, instant)
  const now = asObject(shown['now'])
  const text = `at ${new Date(instant).toISOString()} in ${followed.zone}: ${JSON.stringify(shown)}`
  assert.deepEqual(now['target'], expected.target, text)
  if (expected.target !== null) {
    const isNamed = now['source'] === expected.source || (expected.source === 'default' && isPlan(now))
    assert.ok(isNamed, `${expected.source} ${text}`)
  }
  assert.equal(epochOrNull(now['until']), expected.until, text)
  const next = shown['next'] === null ? null : asObject(shown['next'])
  if (expected.next === null) assert.equal(next, null, text)
  else
    assert.deepEqual(
      [epochOrNull(next?.['at']), next?.['target']],
      [expected.next.at, expected.next.target],
      text,
    )
}

const isPlan = (now: JsonObject): boolean => now['source'] === 'weekly'

const epochOrNull = (value: unknown): number | null => (value === null ? null : Date.parse(asString(value)))

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type ActiveTarget,
  activeAt,
  nextChange,
  buildPlan,
} from '../../../../../src/domain/control/schedule/plan.ts'
import { listChanges, ZONES } from '../../../../support/zones.ts'
import { commandsNear } from './plan-cases.ts'
import { oracle, type Window, createWalls } from './plan-oracle.ts'

const MINUTE_MS = 60_000
const HOUR = 60
const BOOST = { temperature: 25 }
const WINDOWS_A_ZONE = 3
const PLANS_A_WINDOW = 10

const isSameTarget = (a: ActiveTarget, b: ActiveTarget): boolean =>
  a.target?.temperature === b.target?.temperature && a.target?.power === b.target?.power
const isSame = (a: ActiveTarget, b: ActiveTarget): boolean => a.source === b.source && isSameTarget(a, b)

/** For zones without clock changes, any instant will do. */
const listInstants = (zone: string): number[] => {
  const changes = listChanges(zone)
  return changes.length > 0 ? changes : [Date.UTC(2026, 2, 29, 1), Date.UTC(2024, 1, 29, 18, 15)]
}

for (const zone of ZONES) {
  test(`in ${zone} a plan equals the brute-force oracle around clock changes`, () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...listInstants(zone)).chain((change) =>
          fc.record({
            change: fc.constant(change),
            plans: fc.array(commandsNear(zone, change), {
              minLength: PLANS_A_WINDOW,
              maxLength: PLANS_A_WINDOW,
            }),
            minutes: fc.array(fc.integer({ min: 28 * HOUR, max: 80 * HOUR }), { maxLength: 5 }),
          }),
        ),
        ({ change, plans, minutes }) => {
          const window: Window = { start: change - 54 * HOUR * MINUTE_MS, minutes: 100 * HOUR }
          const walls = createWalls(window)
          for (const commands of plans) {
            const truth = oracle(commands, window, walls)
            const plan = buildPlan(commands, BOOST)
            const changed = truth.flatMap((held, minute) => {
              const before = truth[minute - 1]
              return minute > 28 * HOUR && before && !isSame(before, held) ? [minute - 1, minute] : []
            })
            for (const minute of [28 * HOUR, ...changed, ...minutes]) {
              const held = truth[minute]
              assert.ok(held)
              const unlike = truth.findIndex((other, later) => later > minute && !isSame(held, other))
              const otherTarget = truth.findIndex(
                (other, later) => later > minute && !isSameTarget(held, other),
              )
              const at = (index: number): number => window.start + index * MINUTE_MS
              const { until, ...now } = activeAt(plan, at(minute))
              assert.deepEqual(now, held)
              const next = nextChange(plan, at(minute))
              // The oracle does not know what lies beyond the window.
              if (unlike === -1) assert.ok(until === null || until >= at(window.minutes))
              else assert.equal(until, at(unlike))
              if (otherTarget === -1) assert.ok(next === null || next.at >= at(window.minutes))
              else assert.deepEqual(next, { at: at(otherTarget), target: truth[otherTarget]?.target ?? null })
            }
          }
        },
      ),
      { numRuns: WINDOWS_A_ZONE, endOnFailure: true },
    )
  })
}

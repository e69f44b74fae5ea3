import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Device } from '@portico/sdk'
import {
  canBeTime,
  findLimits,
  findTemperatures,
  fitTarget,
  toMultiples,
  toNearest,
} from '../../src/partner/devices/schedule/limits.ts'

type Described = Pick<Device, 'capabilities' | 'effective'>

const valve: Described = {
  capabilities: {
    schedule: { types: ['weekly', 'override', 'boost', 'resume'], minuteStep: 10, maxPeriodsPerDay: 6 },
    boost: { maxMinutes: 120 },
  },
  effective: { setpoint: { min: 7, max: 25, step: 0.5 }, setpointByMode: {}, modes: [], power: false },
}

describe('what can be chosen for a device', () => {
  it('is what its capabilities and its effective bounds allow', () => {
    assert.deepEqual(findLimits(valve), {
      types: ['override', 'boost', 'weekly', 'resume'],
      temperature: { min: 7, max: 25, step: 0.5 },
      temperatureByMode: {},
      hasPower: false,
      modes: [],
      boostMinutes: { min: 5, max: 120, step: 5 },
      minuteStep: 10,
      maxPeriodsPerDay: 6,
    })
  })

  it('is nothing for a device that accepts no commands', () => {
    assert.equal(findLimits({ ...valve, capabilities: {} }), undefined)
  })

  it('is no boost for a device without a setpoint and a switch', () => {
    const effective = { setpoint: null, setpointByMode: {}, modes: ['fan'], power: false }
    assert.deepEqual(findLimits({ ...valve, effective })?.types, ['override', 'weekly', 'resume'])
  })
})

describe('temperatures', () => {
  const unit = findLimits({
    ...valve,
    effective: {
      setpoint: { min: 16, max: 30, step: 0.5 },
      setpointByMode: {
        heat: { min: 16, max: 25, step: 0.5 },
        cool: { min: 18, max: 30, step: 0.5 },
        fan: { min: 20.1, max: 20.4, step: 0.5 },
      },
      modes: ['heat', 'cool', 'fan', 'off'],
      power: true,
    },
  })
  assert.ok(unit)

  it('are those of the mode', () => {
    assert.deepEqual(findTemperatures(unit, {}), { min: 16, max: 30, step: 0.5 })
    assert.deepEqual(findTemperatures(unit, { mode: 'heat' }), { min: 16, max: 25, step: 0.5 })
    assert.equal(findTemperatures(unit, { mode: 'fan' }), undefined)
    assert.equal(findTemperatures(unit, { mode: 'off' }), undefined)
  })

  it('move into the bounds of another mode', () => {
    assert.deepEqual(fitTarget(unit, { temperature: 29 }), { temperature: 29 })
    assert.deepEqual(fitTarget(unit, { temperature: 29, mode: 'heat' }), { temperature: 25, mode: 'heat' })
    assert.deepEqual(fitTarget(unit, { temperature: 16, mode: 'cool' }), { temperature: 18, mode: 'cool' })
    assert.deepEqual(fitTarget(unit, { temperature: 16, mode: 'fan' }), { mode: 'fan' })
    assert.deepEqual(fitTarget(unit, { mode: 'cool' }), { mode: 'cool' })
  })

  it('are multiples of the step, also if the bounds are not', () => {
    assert.deepEqual(toMultiples({ min: 7.2, max: 24.9, step: 0.5 }), { min: 7.5, max: 24.5, step: 0.5 })
    assert.deepEqual(toMultiples({ min: 0.1, max: 0.3, step: 0.1 }), { min: 0.1, max: 0.3, step: 0.1 })
    assert.equal(toMultiples({ min: 20.1, max: 20.4, step: 0.5 }), undefined)
  })

  it('never leave the bounds', () => {
    const range = { min: 7, max: 25, step: 0.5 }
    assert.equal(toNearest(40, range), 25)
    assert.equal(toNearest(-3, range), 7)
    assert.equal(toNearest(21.3, range), 21.5)
    assert.equal(toNearest(0.3, { min: 0.1, max: 0.9, step: 0.1 }), 0.3)
  })
})

it('times of a plan are multiples of the step, and 24:00 only ends a period', () => {
  assert.equal(canBeTime(450, 10, false), true)
  assert.equal(canBeTime(455, 10, false), false)
  assert.equal(canBeTime(1440, 10, true), true)
  assert.equal(canBeTime(1440, 10, false), false)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Target } from '../../../../../src/domain/control/schedule/schedule.ts'
import { toDeviceTarget } from '../../../../../src/domain/control/dispatch/message.ts'
import type { Bounds, DeviceType } from '../../../../../src/domain/estate/inventory/inventory.ts'

const off: Target = { power: 'off' }

const CASES: [why: string, Target, DeviceType, Bounds | undefined, Target][] = [
  ['heating off is a frost hold', off, 'trv', { min: 7, max: 25 }, { temperature: 7 }],
  [
    'a frost hold is no colder where colder is allowed',
    off,
    'heater',
    { min: 5, max: 25 },
    { temperature: 7 },
  ],
  ['it keeps within the bounds', off, 'thermostat', { min: 12, max: 25 }, { temperature: 12 }],
  [
    'a cylinder stays as hot as its policy asks',
    off,
    'hotWaterCylinder',
    { min: 50, max: 60 },
    { temperature: 50 },
  ],
  [
    'off goes before a temperature',
    { power: 'off', temperature: 20 },
    'trv',
    { min: 7, max: 25 },
    { temperature: 7 },
  ],
  ['a plug is switched', off, 'smartPlug', undefined, off],
  ['a heater without a setpoint is switched', off, 'heater', undefined, off],
  [
    'what cools is switched: a low setpoint would do the opposite',
    off,
    'airConditioner',
    { min: 16, max: 25 },
    off,
  ],
  ['a temperature stays', { temperature: 21 }, 'trv', { min: 7, max: 25 }, { temperature: 21 }],
  ['on stays', { power: 'on' }, 'heater', { min: 7, max: 25 }, { power: 'on' }],
]

for (const [why, target, deviceType, bounds, expected] of CASES) {
  test(why, () => assert.deepEqual(toDeviceTarget(target, deviceType, bounds), expected))
}

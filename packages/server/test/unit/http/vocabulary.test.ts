import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeviceType, ScheduleType, SpaceType } from '@portico/wire/operator/inventory'
import { Role } from '@portico/wire/operator/partner'
import { DeviceStatus } from '@portico/wire/v2/device'
import * as wireV1 from '@portico/wire/v1/common'
import { MetricName } from '@portico/wire/v2/metric-type'
import { SimulatedMode } from '@portico/wire/v2/sandbox'
import { SIMULATED_MODES } from '../../../src/domain/control/simulation/sandbox.ts'
import { DEVICE_STATUSES } from '../../../src/domain/telemetry/device-status/status.ts'
import { DEVICE_TYPES, SCHEDULE_TYPES, SPACE_TYPES } from '../../../src/domain/estate/inventory/inventory.ts'
import { METRIC_NAMES, V1_ENVIRONMENT, V1_UTILITIES } from '../../../src/domain/metric/catalogue.ts'
import { ROLES } from '../../../src/domain/identity/partner/partner.ts'

/** The wire and the domain do not import each other, but their enums must match. */
const PAIRS: [string, { enum: readonly string[] }, readonly string[]][] = [
  ['roles', Role, ROLES],
  ['space types', SpaceType, SPACE_TYPES],
  ['device types', DeviceType, DEVICE_TYPES],
  ['schedule types', ScheduleType, SCHEDULE_TYPES],
  ['device statuses', DeviceStatus, DEVICE_STATUSES],
  ['simulated modes', SimulatedMode, SIMULATED_MODES],
  ['metric types', MetricName, METRIC_NAMES],
  ['utilities of version 1', { enum: wireV1.V1_UTILITIES }, V1_UTILITIES],
  ['climate metrics of version 1', { enum: wireV1.V1_ENVIRONMENT }, V1_ENVIRONMENT],
]

for (const [what, wire, domain] of PAIRS) {
  test(`the ${what} of the wire equal those of the domain`, () =>
    assert.deepEqual([...wire.enum], [...domain]))
}

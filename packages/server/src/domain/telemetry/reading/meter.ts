import type { MetricSpec } from '../../estate/inventory/inventory.ts'
import type { MeterReadings } from './cell.ts'
import { readDeltas } from './delta.ts'
import type { Readings } from './packed-day.ts'
import { readRegister } from './register.ts'

export const readMeter = (readings: Readings, spec: MetricSpec): MeterReadings =>
  spec.kind === 'delta' ? readDeltas(readings, spec) : readRegister(readings, spec)

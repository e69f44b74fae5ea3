import type { MetricSpec } from '../inventory/inventory.ts'
import type { MeterCell } from './cell.ts'
import { readDeltas } from './delta.ts'
import type { Readings } from './packed-day.ts'
import { readRegister } from './register.ts'
import type { Span } from './window-value.ts'

/** One meter's readings, ready to be asked for what it counted. */
export interface MeterReadings {
  cell(span: Span): MeterCell
}

export const readMeter = (readings: Readings, spec: MetricSpec): MeterReadings =>
  spec.kind === 'delta' ? readDeltas(readings, spec) : readRegister(readings, spec)

import { type MeterReadings, meterWindow } from '../../src/domain/telemetry/reading/cell.ts'
import type { WindowValue } from '../../src/domain/telemetry/reading/window-value.ts'
import type { TimeSpan } from '../../src/calendar/interval.ts'

/** One meter's consumption in a window. */
export const consumption = (meter: MeterReadings, span: TimeSpan): WindowValue =>
  meterWindow(meter.cell(span), 1, span.to - span.from)

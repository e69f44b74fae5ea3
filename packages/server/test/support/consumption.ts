import { meterWindow } from '../../src/reading/cell.ts'
import type { MeterReadings } from '../../src/reading/cell.ts'
import type { TimeSpan, WindowValue } from '../../src/reading/window-value.ts'

/** What one meter shows for a window. */
export const consumption = (meter: MeterReadings, span: TimeSpan): WindowValue =>
  meterWindow(meter.cell(span), 1, span.to - span.from)

import { meterWindow } from '../../src/reading/cell.ts'
import type { MeterReadings } from '../../src/reading/cell.ts'
import type { Span, WindowValue } from '../../src/reading/window-value.ts'

/** What one meter shows for a window. */
export const consumption = (meter: MeterReadings, span: Span): WindowValue =>
  meterWindow(meter.cell(span), 1, span.to - span.from)

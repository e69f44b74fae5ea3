import type { Inventory } from '@portico/wire/operator/inventory'
import type { MeasuredMetric } from '@portico/server/domain/metric/catalogue'
import { type Faults, findFaults, WEAK_BATTERIES } from './faults.ts'
import type { Flow, Gauge } from './instrument.ts'
import { FLOWS, isMetered } from './meters.ts'
import { hash, toSeed } from './noise.ts'
import type { Premises } from './premises.ts'
import { createRegister } from './register.ts'
import { GAUGES } from './sensors.ts'

type Device = Inventory['devices'][number]
type DeviceMetric = NonNullable<NonNullable<Device['metrics']>[keyof NonNullable<Device['metrics']>]>

/** The readings of one metric of one device. */
export interface Series {
  deviceUuid: string
  metricType: MeasuredMetric
  silences: Faults['silences']
  /** Values of the half hours [from, to), including those in gaps. */
  values(from: number, to: number): Float64Array
}

export function createSeries(
  premises: Premises,
  device: Device,
  metricType: MeasuredMetric,
  metric: DeviceMetric,
): Series | undefined {
  const room = premises.rooms.get(device.spaceUuid)
  if (!room) return undefined
  const faults = findFaults(device, premises.grid)
  const seed = toSeed(`${device.deviceUuid}/${metricType}`)
  const { deviceUuid, deviceType } = device
  const hasWeakBattery = WEAK_BATTERIES.has(deviceUuid)
  const instrument = { premises, room, deviceType, hasWeakBattery, seed }
  const own = { deviceUuid, metricType, silences: faults.silences }
  if (!isMetered(metricType)) {
    return { ...own, values: gaugeValues(GAUGES[metricType](instrument), getRounding(metricType), faults) }
  }
  const flow = inThousandths(FLOWS[metricType](instrument), seed)
  if (metric.kind === 'delta') return { ...own, values: deltaValues(flow) }
  const register = createRegister(flow, {
    seed,
    days: premises.grid.days.length,
    registerSize: metric.registerSize,
    resets: faults.resets,
    dips: faults.dips,
  })
  return { ...own, values: register.values }
}

/** Integer thousandths, so that sums are exact in any order. Rounding is random. */
function inThousandths(flow: Flow, seed: number): Flow {
  return (index) => {
    const chance = hash(seed, index)
    const spread = 0.8 + (0.4 * (chance >>> 16)) / 65_536
    return Math.floor(flow(index) * 1000 * spread + (chance & 0xffff) / 65_536)
  }
}

function deltaValues(flow: Flow): Series['values'] {
  return (from, to) => {
    const values = new Float64Array(to - from)
    for (let index = from; index < to; index += 1) values[index - from] = flow(index) / 1000
    return values
  }
}

function gaugeValues(gauge: Gauge, steps: number, { stuck }: Faults): Series['values'] {
  return (from, to) => {
    const values = new Float64Array(to - from)
    for (let index = from; index < to; index += 1) {
      values[index - from] = Math.round(gauge(index) * steps) / steps
    }
    for (const [start, end] of stuck) {
      if (start >= to || end <= from) continue
      values.fill(
        Math.round(gauge(start) * steps) / steps,
        Math.max(0, start - from),
        Math.min(to, end) - from,
      )
    }
    return values
  }
}

const WHOLE: ReadonlySet<MeasuredMetric> = new Set(['co2', 'voc', 'light', 'occupancy', 'motion', 'battery'])

const getRounding = (metric: MeasuredMetric): number => (WHOLE.has(metric) ? 1 : 10)

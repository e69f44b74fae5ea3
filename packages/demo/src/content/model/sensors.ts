import { at, byteAt, float32At, int32At } from '@portico/server/kernel/at'
import type { MeasuredMetric } from '@portico/server/domain/metric/catalogue'
import { SLOTS_PER_DAY, indexOfUtc } from './grid.ts'
import type { Gauge, Instrument } from './instrument.ts'
import type { MeteredMetric } from './meters.ts'
import { drift, uniform } from './noise.ts'
import { type Room, isOutdoors } from './premises.ts'
import { DOING } from './residents.ts'
import { hotLitres } from './water.ts'

type GaugeMetric = Exclude<MeasuredMetric, MeteredMetric>

/** Seeds of noise that all sensors of a town share. */
const TOWN_DUST = 7001
const AIR_MASS = 7002

export const GAUGES: Record<GaugeMetric, (sensor: Instrument) => Gauge> = {
  temperature: temperatureGauge,
  humidity: (sensor) => outdoorGauge(sensor, 'humidity') ?? humidityGauge(sensor),
  co2: ({ room, seed }) => {
    const perPerson = isSmall(room) ? 430 : 2600 / Math.sqrt((room.space.areaM2 ?? 30) * 10)
    return (index) => {
      // Windows and doors account for half of the difference.
      const stuffiness = 1 + 0.45 * drift(seed + 1, index / 13)
      return 424 + 12 * drift(seed, index / 9) + perPerson * stuffiness * lingering(room.people, index)
    }
  },
  voc: ({ room, seed }) => {
    const cooks = countCooks(room)
    return (index) =>
      75 +
      30 * drift(seed, index / 17) +
      45 * lingering(room.people, index) +
      (cooks(index) * 0.6 + cooks(index - 1) * 0.4) * 150
  },
  pm25: ({ room, seed }) => {
    const cooks = countCooks(room)
    return (index) =>
      7.2 +
      4.6 * drift(TOWN_DUST, index / 110) +
      0.8 * drift(seed, index) +
      (cooks(index) * 0.7 + cooks(index - 1) * 0.3) * 9
  },
  noise: ({ room, seed }) => {
    const active = activeIn(room)
    return (index) => {
      const people = active(index)
      const voices = people > 0 ? 15 + 5 * Math.log2(people) + 7 * drift(seed + 1, index * 1.9) : 0
      return 31.5 + 2.5 * drift(seed, index / 3) + voices
    }
  },
  light: lightGauge,
  pressure: ({ seed }) => {
    return (index) => 1013.5 + 14 * drift(seed, index / 190) + 6 * drift(seed + 1, index / 61)
  },
  occupancy:
    ({ room }) =>
    (index) =>
      byteAt(room.people, index),
  motion: ({ room, seed }) => {
    const active = activeIn(room)
    return (index) => {
      const chance = uniform(seed, index)
      if (active(index) > 0) return Math.min(100, 22 + 58 * chance + 6 * active(index))
      return byteAt(room.people, index) > 0 ? 6 * chance : 0
    }
  },
  battery: batteryGauge,
}

function temperatureGauge(sensor: Instrument): Gauge {
  const { premises, room, seed, deviceType } = sensor
  const outdoors = outdoorGauge(sensor, 'temperature')
  if (outdoors) return outdoors
  if (deviceType === 'hotWaterCylinder') {
    const litres = hotLitres(premises.studioLives)
    return (index) => 58.4 + 0.5 * drift(seed, index / 4) - Math.min(5.5, litres(index) / 60)
  }
  // A valve sits at the radiator, a sensor on an inner wall; their readings differ.
  const bias = (deviceType === 'trv' ? 0.3 : 0) + 0.5 * (uniform(seed, 1) - 0.5)
  return (index) => at(room.temperature, index) / 100 + bias + 0.12 * drift(seed, index * 1.7)
}

/** Humidity of the outside air at the room's temperature, plus what people add. */
function humidityGauge({ premises: { weather }, room, seed }: Instrument): Gauge {
  const cooks = countCooks(room)
  return (index) => {
    const outdoor = float32At(weather.outdoor, index)
    const dewPoint = outdoor - 3 - 0.25 * Math.max(0, outdoor - 5) + 1.5 * drift(AIR_MASS, index / 60)
    const dry = 100 * Math.exp(0.0617 * (dewPoint - at(room.temperature, index) / 100))
    const added = 3 * Math.min(3, lingering(room.people, index)) + 4 * cooks(index)
    return Math.min(88, Math.max(18, dry + added + 1.5 * drift(seed, index / 3)))
  }
}

function lightGauge({ premises: { grid, weather }, room, seed }: Instrument): Gauge {
  const active = activeIn(room)
  const isCorridor = room.space.spaceType === 'corridor'
  const window = isCorridor ? 40 : 350 + 500 * uniform(seed, 1)
  const lamps = 130 + 120 * uniform(seed, 2)
  return (index) => {
    const daylight = window * float32At(weather.sun, index) * (1 - 0.7 * float32At(weather.cloud, index))
    const slot = int32At(grid.wallSlots, index) % SLOTS_PER_DAY
    const isOn = isCorridor || (active(index) > 0 && (daylight < 110 || slot >= 36))
    return daylight + (isOn ? lamps : 0) + 2 * uniform(seed, index)
  }
}

const isSmall = ({ space }: Room): boolean => space.spaceType === 'bedroom' || space.spaceType === 'studio'

/** Recent occupancy: the air of a room takes an hour or two to follow. */
function lingering(people: Uint8Array, index: number): number {
  // Rooms are empty before the first half hour.
  const peopleAt = (earlier: number): number => (earlier < 0 ? 0 : byteAt(people, earlier))
  return (
    0.42 * peopleAt(index) +
    0.28 * peopleAt(index - 1) +
    0.18 * peopleAt(index - 2) +
    0.12 * peopleAt(index - 3)
  )
}

function countCooks({ lives }: Room): (index: number) => number {
  return (index) => {
    let cooks = 0
    for (const life of lives) if (life[index] === DOING.cooking) cooks += 1
    return cooks
  }
}

/** People in the room who are awake. */
function activeIn(room: Room): (index: number) => number {
  const [own] = room.lives
  if (!isSmall(room) || !own) return (index) => byteAt(room.people, index)
  return (index) => (byteAt(own, index) > DOING.asleep ? byteAt(room.people, index) : 0)
}

/** A weak battery is charged a little every eight weeks. */
const WEAK_SLOTS = 56 * SLOTS_PER_DAY

/**
 * Remaining percentage. Batteries are replaced in August, when the house is empty; they discharge at different rates.
 */
function batteryGauge({ premises: { grid }, seed, hasWeakBattery }: Instrument): Gauge {
  if (hasWeakBattery) return (index) => 14 - (9 * (index % WEAK_SLOTS)) / WEAK_SLOTS
  const perDay = 0.06 + 0.17 * uniform(seed, 11) ** 2
  const changed = [0]
  const [first, last] = [at(grid.days, 0).year, at(grid.days, grid.days.length - 1).year]
  for (let year = first + 1; year <= last; year += 1) {
    changed.push(indexOfUtc(year, 8, 4 + Math.floor(20 * uniform(seed, 12)), 9))
  }
  return (index) => {
    let since = 0
    for (const change of changed) if (change <= index) since = change
    return Math.max(4, 100 - (perDay * (index - since)) / SLOTS_PER_DAY)
  }
}

/** The weather for a sensor on the roof; undefined for a sensor in a room. */
function outdoorGauge(
  { premises: { weather }, room, seed }: Instrument,
  metric: 'temperature' | 'humidity',
): Gauge | undefined {
  if (!isOutdoors(room.space)) return undefined
  if (metric === 'temperature') return (index) => float32At(weather.outdoor, index) + 0.3 * drift(seed, index)
  return (index) => {
    const dry = 34 * float32At(weather.sun, index) * (1 - 0.6 * float32At(weather.cloud, index))
    return Math.min(99, 79 + 9 * float32At(weather.cloud, index) - dry + 6 * drift(seed, index / 30))
  }
}

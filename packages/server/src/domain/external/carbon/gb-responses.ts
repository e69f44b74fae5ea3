import { expectList, expectNumber, expectObject, expectText } from '../expect.ts'
import { HALF_HOUR_MS, startOfHalfHour } from './half-hour.ts'
import { type FuelShare, INTENSITY_INDEXES, type IntensityIndex } from './provider.ts'

/** A half hour as the service reports it. */
export interface GbHalfHour {
  from: number
  gramsPerKwh: number
  index: IntensityIndex
  isForecast: boolean
  /** A measured value will follow. Regions have no measured values: their estimates are final. */
  isProvisional: boolean
}

/** Whether the service will no longer change the value. */
export const isFinalHalfHour = ({ from, isProvisional }: GbHalfHour, now: number): boolean =>
  !isProvisional && from + HALF_HOUR_MS <= now

export interface GbMix {
  from: number
  fuels: FuelShare[]
}

// The service returns at most 14 days, which is 672 half hours.
const MAX_ENTRIES = 1_000
const MAX_FUELS = 40
const MAX_GRAMS = 3_000

/** The format of instants in paths and responses of the service. */
export const gbInstant = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`

/** `/intensity/{from}/{to}` */
export const readNationalIntensity = (response: unknown): GbHalfHour[] =>
  expectList(getData(response), MAX_ENTRIES, 'data').flatMap((entry) => readHalfHour(entry, true))

/** `/regional/intensity/{from}/{to}/postcode/{postcode}` */
export const readRegionalIntensity = (response: unknown): GbHalfHour[] =>
  regionalEntries(response).flatMap((entry) => readHalfHour(entry, false))

/** `/generation` returns an object, `/generation/{from}/{to}` a list of them. */
export function readNationalMixes(response: unknown): GbMix[] {
  const data = getData(response)
  return (Array.isArray(data) ? expectList(data, MAX_ENTRIES, 'data') : [data]).map(readMix)
}

/** `/regional/intensity/{from}/{to}/postcode/{postcode}`, which also contains the mix. */
export const readRegionalMixes = (response: unknown): GbMix[] => regionalEntries(response).map(readMix)

const getData = (response: unknown): unknown => expectObject<'data'>(response, 'the response').data

/** Some regional paths return the region, others a list of one region. */
function regionalEntries(response: unknown): unknown[] {
  const data = getData(response)
  const [region] = Array.isArray(data) ? expectList(data, 1, 'data') : [data]
  return expectList(expectObject<'data'>(region, 'the region').data, MAX_ENTRIES, 'data of the region')
}

/** Empty if the service has no value for the half hour. */
function readHalfHour(entry: unknown, isMeasured: boolean): GbHalfHour[] {
  const whole = expectObject<'from' | 'to' | 'intensity'>(entry, 'a half hour')
  const {
    forecast = null,
    actual = null,
    index,
  } = expectObject<'forecast' | 'actual' | 'index'>(whole.intensity, 'intensity')
  const from = readStart(whole)
  const grams = actual ?? forecast
  if (grams === null) return []
  const knownIndex = INTENSITY_INDEXES.find((candidate) => candidate === index)
  if (!knownIndex) throw new TypeError('index is not one of the documented values')
  return [
    {
      from,
      gramsPerKwh: expectNumber(grams, 0, MAX_GRAMS, 'intensity'),
      index: knownIndex,
      isForecast: actual === null,
      isProvisional: isMeasured && actual === null,
    },
  ]
}

function readMix(entry: unknown): GbMix {
  const whole = expectObject<'from' | 'to' | 'generationmix'>(entry, 'a half hour')
  const fuels = expectList(whole.generationmix, MAX_FUELS, 'generationmix').map((share) => {
    const { fuel, perc } = expectObject<'fuel' | 'perc'>(share, 'a fuel')
    return {
      fuel: expectText(fuel, /^[a-z][a-z -]{0,31}$/, 'fuel'),
      percent: expectNumber(perc, 0, 100, 'perc'),
    }
  })
  if (fuels.length === 0) throw new RangeError('generationmix is empty')
  return { from: readStart(whole), fuels }
}

function readStart({ from, to }: { from?: unknown; to?: unknown }): number {
  const [start, end] = [readInstant(from), readInstant(to)]
  if (start !== startOfHalfHour(start) || end - start !== HALF_HOUR_MS)
    throw new RangeError('from and to are not a half hour')
  return start
}

const readInstant = (text: unknown): number =>
  expectNumber(
    Date.parse(expectText(text, /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/, 'an instant')),
    0,
    Number.MAX_SAFE_INTEGER,
    'an instant',
  )

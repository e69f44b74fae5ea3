import { expectList, expectNumber, expectObject, expectText } from '../expect.ts'
import { HALF_HOUR_MS, startOfHalfHour } from './half-hour.ts'
import { type FuelShare, INTENSITY_INDEXES, type IntensityIndex } from './provider.ts'

/** A half hour as the service tells it. */
export interface GbHalfHour {
  from: number
  gramsPerKwh: number
  index: IntensityIndex
  isForecast: boolean
  /** A measured figure is still to come. Regions have none: their estimates are the last word. */
  isProvisional: boolean
}

/** Will not change any more. */
export const isFinalHalfHour = ({ from, isProvisional }: GbHalfHour, now: number): boolean =>
  !isProvisional && from + HALF_HOUR_MS <= now

export interface GbMix {
  from: number
  fuels: FuelShare[]
}

// Fourteen days, which is the most it gives, and some over.
const MAX_ENTRIES = 1_000
const MAX_FUELS = 40
const MAX_GRAMS = 3_000

/** The form of instants in its addresses and answers. */
export const gbInstant = (at: number): string => `${new Date(at).toISOString().slice(0, 16)}Z`

/** `/intensity/{from}/{to}` */
export const readNationalIntensity = (answer: unknown): GbHalfHour[] =>
  expectList(getData(answer), MAX_ENTRIES, 'data').flatMap((entry) => readHalfHour(entry, true))

/** `/regional/intensity/{from}/{to}/postcode/{postcode}` */
export const readRegionalIntensity = (answer: unknown): GbHalfHour[] =>
  regionalEntries(answer).flatMap((entry) => readHalfHour(entry, false))

/** `/generation` and `/generation/{from}/{to}`: the one is an object, the other a list of them. */
export function readNationalMixes(answer: unknown): GbMix[] {
  const data = getData(answer)
  return (Array.isArray(data) ? expectList(data, MAX_ENTRIES, 'data') : [data]).map(readMix)
}

/** The same address as the regional intensity. */
export const readRegionalMixes = (answer: unknown): GbMix[] => regionalEntries(answer).map(readMix)

const getData = (answer: unknown): unknown => expectObject<'data'>(answer, 'the answer').data

/** Its regional addresses differ in whether the one region stands in a list. */
function regionalEntries(answer: unknown): unknown[] {
  const data = getData(answer)
  const [region] = Array.isArray(data) ? expectList(data, 1, 'data') : [data]
  return expectList(expectObject<'data'>(region, 'the region').data, MAX_ENTRIES, 'data of the region')
}

/** None, when it has no figure for the half hour. */
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
  const word = INTENSITY_INDEXES.find((known) => known === index)
  if (!word) throw new TypeError('index is none of the documented words')
  return [
    {
      from,
      gramsPerKwh: expectNumber(grams, 0, MAX_GRAMS, 'intensity'),
      index: word,
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
    throw new RangeError('that is no half hour')
  return start
}

const readInstant = (text: unknown): number =>
  expectNumber(
    Date.parse(expectText(text, /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/, 'an instant')),
    0,
    Number.MAX_SAFE_INTEGER,
    'an instant',
  )

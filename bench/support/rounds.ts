import { type Ratio, toRatio } from './ratio.ts'
import { saturate, type HttpRequest } from './saturate.ts'
import { readCpuSeconds } from './usage.ts'

/** A server under load. */
export interface Contender {
  url: string
  pid: number
  /** Process ids that work for it: its database. */
  backendPid?: number
  requests: readonly HttpRequest[]
  /** Whether every request is answered with an error. */
  areRefused?: boolean
}

/** Results of one contender, by round. */
export interface Measurement {
  perCpuSecond: number[]
  /** Including the processor time of its other processes. */
  perCpuSecondOfAll: number[]
  perSecond: number[]
  p50Ms: number[]
  p99Ms: number[]
}

export interface RoundOptions {
  /** Rounds that are always run. */
  rounds: number
  /** Rounds are repeated up to this number until the ratios are known to within PRECISION. */
  maxRounds: number
  seconds: number
  /** Each contender is loaded up to this many times in advance, until its rate no longer rises. */
  maxWarmUps: number
}

export const roundsFor = (isSmoke: boolean): RoundOptions =>
  isSmoke
    ? { rounds: 1, maxRounds: 1, seconds: 1, maxWarmUps: 0 }
    : { rounds: 5, maxRounds: 12, seconds: 3, maxWarmUps: 5 }

/** Half the width of the 95 % confidence interval of a ratio, relative to it. */
export const PRECISION = 0.05

/** A rate that rises by less than this from one warm-up to the next is flat. */
const FLAT = 0.03

/**
 * Runs the contenders one after another in every round, so that other load on the machine affects all alike, until the
 * ratio of each to the first is known precisely.
 */
export async function runInterleaved<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { rounds, maxRounds, seconds, maxWarmUps }: RoundOptions,
): Promise<Record<Name, Measurement>> {
  const entries = Object.entries(contenders) as [Name, Contender][]
  for (const [, contender] of entries) await warmUp(contender, seconds, maxWarmUps)
  const performed = Object.fromEntries(entries.map(([name]) => [name, createMeasurement()])) as Record<
    Name,
    Measurement
  >
  const [[first] = []] = entries
  if (first === undefined) throw new Error('There is nothing to measure.')
  const isPrecise = (): boolean =>
    entries.every(([name]) => isWithin(ratioToFirst(performed[name], performed[first])))
  for (let round = 0; round < rounds || (round < maxRounds && !isPrecise()); round += 1) {
    for (const [name, contender] of entries) add(performed[name], await load(contender, seconds))
  }
  return performed
}

const ratioToFirst = (one: Measurement, first: Measurement): Ratio =>
  toRatio(one.perCpuSecondOfAll, first.perCpuSecondOfAll)

const isWithin = ({ precision }: Ratio): boolean => precision <= PRECISION

async function warmUp(contender: Contender, seconds: number, max: number): Promise<void> {
  let before = 0
  for (let index = 0; index < max; index += 1) {
    const { perCpuSecond } = await load(contender, seconds)
    if (perCpuSecond < before * (1 + FLAT)) return
    before = perCpuSecond
  }
}

type Round = Record<keyof Measurement, number>

async function load(
  { url, pid, backendPid, requests, areRefused }: Contender,
  seconds: number,
): Promise<Round> {
  const usedBehind = (): number => (backendPid === undefined ? 0 : readCpuSeconds(backendPid))
  const [before, beforeBehind] = [readCpuSeconds(pid), usedBehind()]
  const { count, seconds: took, p50Ms, p99Ms } = await saturate(url, requests, seconds, areRefused)
  const used = readCpuSeconds(pid) - before
  return {
    perCpuSecond: count / used,
    perCpuSecondOfAll: count / (used + usedBehind() - beforeBehind),
    perSecond: count / took,
    p50Ms,
    p99Ms,
  }
}

const createMeasurement = (): Measurement => ({
  perCpuSecond: [],
  perCpuSecondOfAll: [],
  perSecond: [],
  p50Ms: [],
  p99Ms: [],
})

function add(measurement: Measurement, round: Round): void {
  for (const name of Object.keys(measurement) as (keyof Measurement)[]) measurement[name].push(round[name])
}

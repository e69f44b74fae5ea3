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
  rounds: number
  seconds: number
  /** Long enough for hot code to be compiled. */
  warmUpSeconds: number
}

export const roundsFor = (isSmoke: boolean): RoundOptions =>
  isSmoke ? { rounds: 1, seconds: 1, warmUpSeconds: 0 } : { rounds: 5, seconds: 4, warmUpSeconds: 8 }

/** Runs the contenders one after another in every round, so that other load on the machine affects all alike. */
export async function runInterleaved<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { rounds, seconds, warmUpSeconds }: RoundOptions,
): Promise<Record<Name, Measurement>> {
  const entries = Object.entries(contenders) as [Name, Contender][]
  const performed = Object.fromEntries(
    entries.map(([name]) => [
      name,
      { perCpuSecond: [], perCpuSecondOfAll: [], perSecond: [], p50Ms: [], p99Ms: [] },
    ]),
  ) as unknown as Record<Name, Measurement>
  if (warmUpSeconds > 0) {
    for (const [, { url, requests, areRefused }] of entries)
      await saturate(url, requests, warmUpSeconds, areRefused)
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { url, pid, backendPid, requests, areRefused }] of entries) {
      const usedBehind = (): number => (backendPid === undefined ? 0 : readCpuSeconds(backendPid))
      const [before, beforeBehind] = [readCpuSeconds(pid), usedBehind()]
      const { count, seconds: took, p50Ms, p99Ms } = await saturate(url, requests, seconds, areRefused)
      const used = readCpuSeconds(pid) - before
      performed[name].perCpuSecond.push(count / used)
      performed[name].perCpuSecondOfAll.push(count / (used + usedBehind() - beforeBehind))
      performed[name].perSecond.push(count / took)
      performed[name].p50Ms.push(p50Ms)
      performed[name].p99Ms.push(p99Ms)
    }
  }
  return performed
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [left = Number.NaN, right = left] =
    sorted.length % 2 ? [sorted[middle]] : sorted.slice(middle - 1, middle + 1)
  return (left + right) / 2
}

/** A ratio of medians, and its range over the rounds. */
export interface Ratio {
  value: number
  lowest: number
  highest: number
}

export function toRatio(above: readonly number[], below: readonly number[]): Ratio {
  const each = above.map((value, round) => value / (below[round] ?? Number.NaN))
  return { value: median(above) / median(below), lowest: Math.min(...each), highest: Math.max(...each) }
}

import type { SharedDataset } from './support/dataset.ts'

export interface Row {
  label: string
  value: string
  /** The target value, if there is one. */
  target?: string
  /** Share of the target that was reached: 1 is all of it. */
  ratioToTarget?: number
  /** How the value was computed. */
  detail?: string
}

/** The results of one benchmark. */
export interface Section {
  name: string
  about: string
  rows: readonly Row[]
  /** Machine and commit. */
  run: string
}

export interface Options {
  /** A smoke run is as short as possible: it shows that the benchmark works, not how fast anything is. */
  isSmoke: boolean
  year: SharedDataset
}

export interface Benchmark {
  name: string
  about: string
  run(options: Options): Promise<Row[]>
}

export const atLeast = (wanted: number, value: number): Pick<Row, 'target' | 'ratioToTarget'> => ({
  target: `at least ${wanted}`,
  ratioToTarget: value / wanted,
})

export const atMost = (wanted: number, value: number, unit = ''): Pick<Row, 'target' | 'ratioToTarget'> => ({
  target: `at most ${wanted}${unit}`,
  ratioToTarget: wanted / value,
})

/** Processor time of one call in microseconds, median of several rounds. */
export async function cost(calls: number, call: (index: number) => Promise<unknown>): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const before = process.cpuUsage()
    for (let index = 0; index < calls; index += 1) await call(round * calls + index)
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / calls)
  }
  return rounds.toSorted((a, b) => a - b)[2] ?? 0
}

export const times = (ratio: number): string => `${ratio.toPrecision(3)} x`

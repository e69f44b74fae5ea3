export interface Row {
  what: string
  figure: string
  /** What it should be at least, where something is asked for. */
  wanted?: string
}

export interface Benchmark {
  name: string
  about: string
  /** A smoke run is as short as can be: it proves that the benchmark works, not how fast anything is. */
  run(options: { isSmoke: boolean }): Promise<Row[]>
}

/** Microseconds of processor time for one call, the median of some rounds. */
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

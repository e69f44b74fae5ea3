import { readdirSync, readFileSync } from 'node:fs'

/** How the kernel has scheduled the threads of a process so far. */
export interface Schedstat {
  /** Processor time of all threads. */
  ranMs: number
  /** Time in which threads were ready to run and had no processor. */
  waitedMs: number
}

/** Zeros once the process has ended. */
export function readSchedstat(pid: number): Schedstat {
  const sum: Schedstat = { ranMs: 0, waitedMs: 0 }
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      // Time on a processor, time waiting for one (both in nanoseconds), and how often.
      const [ran, waited] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      sum.ranMs += Number(ran) / 1e6
      sum.waitedMs += Number(waited) / 1e6
    }
    return sum
  } catch {
    return { ranMs: 0, waitedMs: 0 }
  }
}

import { readdirSync, readFileSync } from 'node:fs'

/** How the kernel has scheduled the threads of a process so far. */
export interface Schedstat {
  /** Processor time of all threads. */
  ranMs: number
  /** Time in which threads were ready to run and had no processor. */
  waitedMs: number
}

/** The last known values of each thread, by process: the kernel forgets those of a thread that has ended. */
const known = new Map<number, Map<string, Schedstat>>()

/** Totals of all threads; they never decrease, even if threads or the process have ended since an earlier call. */
export function readSchedstat(pid: number): Schedstat {
  const threads = known.get(pid) ?? new Map<string, Schedstat>()
  known.set(pid, threads)
  for (const thread of listThreads(pid)) {
    const read = readThread(pid, thread)
    if (read) threads.set(thread, read)
  }
  const sum: Schedstat = { ranMs: 0, waitedMs: 0 }
  for (const { ranMs, waitedMs } of threads.values()) {
    sum.ranMs += ranMs
    sum.waitedMs += waitedMs
  }
  return sum
}

/** Empty once the process has ended. */
function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Undefined if the thread has ended since it was listed. */
function readThread(pid: number, thread: string): Schedstat | undefined {
  try {
    // Time on a processor, time waiting for one (both in nanoseconds), and how often.
    const [ran, waited] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return { ranMs: Number(ran) / 1e6, waitedMs: Number(waited) / 1e6 }
  } catch {
    return undefined
  }
}

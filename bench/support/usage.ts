import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Unit of Linux's processor times. */
const TICKS_A_SECOND = 100

/** Processor time used by a process with all its threads and children. */
export function readCpuSeconds(pid: number): number {
  return sumOver(pid, (one) => {
    if (!existsSync('/proc/self/stat')) return parseTime(ps(one, 'time'))
    // The name, in parentheses, may contain any character.
    const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
  })
}

/** Resident memory of a process and its children, in MB. */
export const readResidentMb = (pid: number): number => sumOver(pid, (one) => Number(ps(one, 'rss')) / 1024)

const sumOver = (pid: number, measure: (pid: number) => number): number =>
  [pid, ...listChildren(pid)].reduce((sum, one) => sum + measure(one), 0)

/** Child processes of a process, recursively. */
export function listChildren(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const own = lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child = 0, parent]) => (parent === pid ? child : []))
  return own.flatMap((child) => [child, ...listChildren(child)])
}

/** The command line of a process; empty if it has ended. */
export function readCommand(pid: number): string {
  try {
    return ps(pid, 'args')
  } catch {
    return ''
  }
}

const ps = (pid: number, column: string): string =>
  execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim()

/** Parses `12:34.56` or `1:02:03`. */
const parseTime = (time: string): number => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

const QUIET_MS = 2_000
const QUIET_SHARE = 0.03

/** Waits until a process has no background work left. */
export async function untilIdle(pid: number): Promise<void> {
  for (
    let before = readCpuSeconds(pid), used = Number.POSITIVE_INFINITY;
    used > (QUIET_SHARE * QUIET_MS) / 1000;
  ) {
    await delay(QUIET_MS)
    const now = readCpuSeconds(pid)
    used = now - before
    before = now
  }
}

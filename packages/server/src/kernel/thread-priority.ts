import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * Lowers the priority of the calling thread: when processors are scarce, the event loop that serves requests runs
 * first. Only Linux has thread priorities; elsewhere this does nothing.
 */
export function lowerThreadPriority(niceness: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), niceness)
  } catch {
    // Without /proc, or where a sandbox forbids it, the thread keeps its priority.
  }
}

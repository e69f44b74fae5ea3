import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { eventually } from '../eventually.ts'
import type { Portico } from './portico.ts'

/**
 * Applies to every server that this test file starts. Each request uses a new connection, and so may reach any worker.
 */
export function everyServerHasWorkers(count: number): void {
  process.env['PORTICO_WORKERS'] = String(count)
}

/** Child processes of a server, oldest first. */
export async function listWorkers({ pid }: Portico): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Numbers of the workers that have answered requests so far, according to the access log. */
export const answeredBy = (portico: Portico): Set<string | undefined> =>
  new Set(
    portico
      .output()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => /"worker":(\d+)/.exec(line)?.[1]),
  )

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export const untilGone = (pids: readonly number[]): Promise<void> =>
  eventually(async () => assert.deepEqual(pids.filter(isAlive), []))

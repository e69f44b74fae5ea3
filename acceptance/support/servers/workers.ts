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

/**
 * Workers of a server, oldest first. They are not its only child processes: the demo generates its readings in one, at
 * the first half hour after a start.
 */
export async function listWorkers({ pid }: Pick<Portico, 'pid'>): Promise<number[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean)
  const areWorkers = await Promise.all(children.map(isWorker))
  return children.filter((_, index) => areWorkers[index]).map(Number)
}

/** Node's cluster module sets this variable for its workers only. False once the process has ended. */
const isWorker = async (pid: string): Promise<boolean> =>
  /(?:^|\0)NODE_UNIQUE_ID=/.test(await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => ''))

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

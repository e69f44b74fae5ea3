import { unavailable } from '../../../kernel/errors.ts'
import type { DisposablePool } from './disposable-pool.ts'

const CLOSE_SECONDS = 5

/** Opens disposable pools on demand and replaces them when they are discarded. */
export interface Pools {
  /** The pool that all single statements share. */
  shared(): DisposablePool
  /** Runs `work` with exclusive use of a pool. */
  withExclusive<T>(work: (pool: DisposablePool) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function createPools(open: () => DisposablePool): Pools {
  const all = new Set<DisposablePool>()
  const free: DisposablePool[] = []
  let common: DisposablePool | undefined
  let isClosed = false

  const opened = (): DisposablePool => {
    if (isClosed) throw unavailable('The store is closed.')
    const pool = open()
    all.add(pool)
    return pool
  }

  const isUsable = (pool: DisposablePool): boolean => {
    if (!pool.isDiscarded()) return true
    void pool.end(CLOSE_SECONDS).finally(() => all.delete(pool))
    return false
  }

  return {
    shared() {
      if (!common || isClosed || !isUsable(common)) common = opened()
      return common
    },
    async withExclusive(work) {
      const [mine = opened(), ...others] = free.splice(0).filter(isUsable)
      free.push(...others)
      try {
        return await work(mine)
      } finally {
        if (isUsable(mine)) free.push(mine)
      }
    },
    async close() {
      isClosed = true
      await Promise.all([...all].map((pool) => pool.end(CLOSE_SECONDS)))
    },
  }
}

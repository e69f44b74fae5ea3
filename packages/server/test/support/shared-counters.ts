import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { redisCounts } from '../../src/domain/identity/rate-limit/redis.ts'
import type { SharedCounters } from '../../src/domain/identity/rate-limit/shared-counters.ts'
import { migratedDatabase } from './postgres.ts'
import { startRedis } from './redis.ts'

interface CountsBackend {
  name: string
  /** Two instances on one empty service. */
  openTwo(test: TestContext): Promise<[SharedCounters, SharedCounters]>
}

/** Every service that instances can share counters through: the contract suite runs on each. */
export const COUNTER_BACKENDS: readonly CountsBackend[] = [
  {
    name: 'redis',
    async openTwo(test) {
      const url = await startRedis(test)
      const open = (): SharedCounters => {
        const counts = redisCounts(url)
        test.after(() => counts.close())
        return counts
      }
      return [open(), open()]
    },
  },
  {
    name: 'postgres',
    async openTwo(test) {
      const database = await migratedDatabase(test)
      const open = (): SharedCounters => {
        const counts = database.open().shared?.openCounters() ?? assert.fail()
        test.after(() => counts.close())
        return counts
      }
      return [open(), open()]
    },
  },
]

import type { DatabaseSync } from 'node:sqlite'
import type { LifecycleStore } from '../../../domain/v1-lifecycle/store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { lifecycleFrom } from './lifecycle-rows.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

export const sqliteLifecycle = (
  reader: () => DatabaseSync,
  writes: BoundWrites<'lifecycle'>,
): LifecycleStore =>
  withWrites<LifecycleStore, 'lifecycle'>(writes, {
    list: async () =>
      translateErrors(() => prepareOnce(reader(), 'SELECT * FROM v1_lifecycle').all().map(lifecycleFrom)),
  })

import type { DatabaseAddress } from '../../config/values.ts'
import { type CopyProgress, type CopyReport, CopyRejectedError, copyInstallation } from './copy.ts'
import { hasStore } from '../has-store.ts'
import { openStore } from '../../store/open.ts'
import { lockForCopy } from '../../store/postgres/cluster/lock.ts'
import { lockForServer } from '../../store/sqlite/lock.ts'
import type { Store } from '../../store/store.ts'

/** Copies one store into another, with exclusive access to both. */
export async function copyStores(
  from: DatabaseAddress,
  to: DatabaseAddress,
  onProgress: CopyProgress,
): Promise<CopyReport> {
  if (from.kind === 'sqlite' && !hasStore(from.file))
    throw new CopyRejectedError(`there is no store at ${from.file}`)
  await using _source = await lockExclusively(from)
  await using _target = await lockExclusively(to)
  await using source = open(from)
  await using target = open(to)
  const [first] = await source.store.pendingMigrations()
  if (first?.number === 1) throw new CopyRejectedError('there is no store in the source')
  await source.store.migrate()
  await target.store.migrate()
  // Awaited, because the stores are closed at the end of this function.
  return await copyInstallation(source.store.transfer, target.store.transfer, onProgress)
}

/** The location of a store, without the password. */
export function describeDatabase(database: DatabaseAddress): string {
  if (database.kind === 'sqlite') return `sqlite:${database.file}`
  const { host, pathname } = new URL(database.url)
  return `postgres://${host}${pathname}`
}

async function lockExclusively(database: DatabaseAddress): Promise<AsyncDisposable> {
  const lock = database.kind === 'sqlite' ? lockForServer(database.file) : await lockForCopy(database.url)
  if (!lock)
    throw new CopyRejectedError(
      `${describeDatabase(database)} is in use; stop its servers and commands first`,
    )
  return { [Symbol.asyncDispose]: async () => lock.release() }
}

/** Opens a store without retention, so that the copy drops no readings. */
function open(database: DatabaseAddress): { store: Store } & AsyncDisposable {
  const store = openStore({ database, rawRetentionMs: undefined })
  return { store, [Symbol.asyncDispose]: () => store.close() }
}

import { setTimeout as delay } from 'node:timers/promises'
import { type Config, ConfigError } from '../config/config.ts'
import { lockForInstance } from '../store/postgres/cluster/lock.ts'
import { type Lock, lockForServer } from '../store/sqlite/lock.ts'
import { StartError } from './start-error.ts'

/**
 * A SQLite file has one server. A database can have several if all use one external broker; a server with an embedded
 * broker must be the only one.
 */
export async function lockStore({ database, mqttUrl }: Config): Promise<{ release(): void | Promise<void> }> {
  if (database.kind === 'sqlite') {
    const lock = await lockFile(database.file)
    if (lock) return lock
    throw new StartError(`another Portico server holds ${database.file}; stop it or use another --data`)
  }
  const lock = await lockForInstance(database.url, { isExclusive: mqttUrl === undefined })
  if (lock) return lock
  if (mqttUrl !== undefined)
    throw new StartError('a server with an embedded broker, or a copy, is using the database; stop it first')
  throw new ConfigError('several servers on one database need one external broker: set MQTT_URL on each')
}

/** After kill -9, the operating system takes a moment to end a large process, which holds its lock until then. */
const LOCK_FILE_WAIT_MS = 5_000
const LOCK_FILE_RETRY_MS = 100

async function lockFile(file: string): Promise<Lock | undefined> {
  for (let waitedMs = 0; ; waitedMs += LOCK_FILE_RETRY_MS) {
    const lock = lockForServer(file)
    if (lock || waitedMs >= LOCK_FILE_WAIT_MS) return lock
    await delay(LOCK_FILE_RETRY_MS)
  }
}

import type { SiteDirectory } from '../../estate/inventory/site-directory.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { PresenceStore } from '../../estate/presence.ts'
import type { ReadingStore } from '../../telemetry/reading/store.ts'
import { createMessageBuilder } from './device-messages.ts'
import { createDispatcher, type Dispatcher, type Publish } from './dispatcher.ts'
import { createServerScheduleRunner } from './server-schedules.ts'
import type { CommandStore, OutboxStore, ServerScheduleStore } from '../command/store.ts'

/** Starts the processing of accepted commands: sending, server schedules and timeouts. */
export function startCommandDispatch(deps: {
  commands: CommandStore
  outbox: OutboxStore
  serverSchedules: ServerScheduleStore
  siteDirectory: SiteDirectory
  presences: PresenceStore
  readings: Pick<ReadingStore, 'latest'>
  publish: Publish
  isConnected(): boolean
  clock: Clock
  log: Log
}): Dispatcher {
  const scheduleRunner = createServerScheduleRunner({
    ...deps,
    onError: (err) => deps.log.warn({ err }, 'a server schedule could not be continued and will be retried'),
  })
  return createDispatcher({
    ...deps,
    compose: createMessageBuilder(deps),
    runSchedules: scheduleRunner.runDue,
  })
}

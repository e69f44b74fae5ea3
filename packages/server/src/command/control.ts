import type { SiteDirectory } from '../inventory/site-directory.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { PresenceStore } from '../presence/store.ts'
import type { ReadingStore } from '../reading/store.ts'
import { createComposer } from './compose.ts'
import { createDispatcher, type Dispatcher, type Publish } from './dispatcher.ts'
import { createPlayer } from './player.ts'
import type { CommandStore, OutboxStore, PlayerStore } from './store.ts'

/** Everything that happens to commands after they were accepted: sending, playing, and the clock. */
export function startControl(deps: {
  commands: CommandStore
  outbox: OutboxStore
  players: PlayerStore
  siteDirectory: SiteDirectory
  presences: PresenceStore
  readings: Pick<ReadingStore, 'latest'>
  publish: Publish
  isConnected(): boolean
  clock: Clock
  log: Log
}): Dispatcher {
  const player = createPlayer(deps)
  return createDispatcher({
    ...deps,
    compose: createComposer(deps),
    async passTime(now) {
      await deps.commands.passTime(now)
      await player.play(now)
    },
  })
}

import type { SiteDirectory } from '../inventory/site-directory.ts'
import { newUuid } from '../lib/ids.ts'
import { isPlayedByServer, planFor } from './compose.ts'
import { holdsAt, isSameTarget, nextChange } from './plan.ts'
import type { CommandStore, Player, PlayerStore } from './store.ts'

const BATCH = 500
const DAY_MS = 86_400_000

/**
 * Plays the plans of devices that cannot hold one: at each change the target that then holds. After a pause, however long, it is
 * the current one, once.
 */
export function createPlayer(deps: {
  players: PlayerStore
  commands: Pick<CommandStore, 'confirmed'>
  siteDirectory: SiteDirectory
}): { play(now: number): Promise<void> } {
  const { players, commands, siteDirectory } = deps

  const playOne = async (player: Player, now: number): Promise<void> => {
    const model = await siteDirectory.find(player.siteUuid)
    const device = model?.devices.get(player.deviceUuid)
    if (!model || !device || !isPlayedByServer(device)) return players.advance(player, null, undefined)
    const plan = await planFor(commands, model, device, now)
    const { target } = holdsAt(plan, now)
    const change = nextChange(plan, now)
    const message = {
      messageUuid: newUuid(),
      createdAt: now,
      expiresAt: Math.min(change?.at ?? Number.POSITIVE_INFINITY, now + DAY_MS),
    }
    const isNew = target !== null && !isSameTarget(target, player.target)
    await players.advance(player, change?.at ?? null, isNew ? { ...message, target } : undefined)
  }

  return {
    async play(now) {
      for (;;) {
        const due = await players.due(now, BATCH)
        for (const player of due) await playOne(player, now)
        if (due.length < BATCH) return
      }
    },
  }
}

import type { SiteDirectory } from '../../estate/inventory/site-directory.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { loadPlan, runsOnServer } from '../command/device-plan.ts'
import { activeAt, isSameTarget, nextChange } from '../schedule/plan.ts'
import type { CommandStore, ServerSchedule, ServerScheduleStore } from '../command/store.ts'

const BATCH = 500
const DAY_MS = 86_400_000

/**
 * Plays the plans of devices that cannot hold one: at each change the target that then holds. After a pause, however long, it is
 * the current one, once.
 */
export function createServerScheduleRunner(deps: {
  players: ServerScheduleStore
  commands: Pick<CommandStore, 'confirmed'>
  siteDirectory: SiteDirectory
}): { play(now: number): Promise<void> } {
  const { players, commands, siteDirectory } = deps

  const playOne = async (player: ServerSchedule, now: number): Promise<void> => {
    const model = await siteDirectory.find(player.siteUuid)
    const device = model?.devices.get(player.deviceUuid)
    if (!model || !device || !runsOnServer(device)) return players.advance(player, null, undefined)
    const plan = await loadPlan(commands, model, device, now)
    const { target } = activeAt(plan, now)
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

import type { SiteDirectory } from '../../estate/inventory/site-directory.ts'
import { UnavailableError } from '../../../kernel/errors.ts'
import { newUuid } from '../../../kernel/ids.ts'
import { loadPlan, runsOnServer } from '../command/device-plan.ts'
import { activeAt, isSameTarget, nextChange } from '../schedule/plan.ts'
import type { CommandStore, ServerSchedule, ServerScheduleStore } from '../command/store.ts'

const BATCH = 500
const DAY_MS = 86_400_000

/**
 * Runs the schedules of devices that cannot store one: sends the active target at each change. After an interruption of
 * any length, it sends the current target once.
 */
export function createServerScheduleRunner(deps: {
  serverSchedules: ServerScheduleStore
  commands: Pick<CommandStore, 'confirmed'>
  siteDirectory: SiteDirectory
  onError(error: unknown): void
}): { runDue(now: number): Promise<void> } {
  const { serverSchedules, commands, siteDirectory, onError } = deps

  const runOne = async (schedule: ServerSchedule, now: number): Promise<void> => {
    const model = await siteDirectory.find(schedule.siteUuid)
    const device = model?.devices.get(schedule.deviceUuid)
    if (!model || !device || !runsOnServer(device)) return serverSchedules.advance(schedule, null, undefined)
    const plan = await loadPlan(commands, model, device, now)
    const { target } = activeAt(plan, now)
    const change = nextChange(plan, now)
    const message = {
      messageUuid: newUuid(),
      createdAt: now,
      expiresAt: Math.min(change?.at ?? Number.POSITIVE_INFINITY, now + DAY_MS),
    }
    const isNew = target !== null && !isSameTarget(target, schedule.target)
    await serverSchedules.advance(schedule, change?.at ?? null, isNew ? { ...message, target } : undefined)
  }

  return {
    async runDue(now) {
      for (;;) {
        const due = await serverSchedules.due(now, BATCH)
        const errors: unknown[] = []
        for (const schedule of due) {
          try {
            await runOne(schedule, now)
          } catch (error) {
            if (error instanceof UnavailableError) throw error
            errors.push(error)
          }
        }
        if (errors.length > 0) onError(errors[0])
        // Schedules that failed are still due.
        if (due.length < BATCH || errors.length > 0) return
      }
    },
  }
}

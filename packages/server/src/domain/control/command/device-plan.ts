import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import { toPlannedCommand } from '../schedule/planned-command.ts'
import { decideBoostTarget } from '../schedule/bounds.ts'
import type { Command } from './command.ts'
import { buildPlan, type Plan } from '../schedule/plan.ts'
import { supersedes } from '../schedule/slots.ts'
import type { Target } from '../schedule/schedule.ts'
import type { CommandStore } from './store.ts'

export const runsOnServer = ({ record }: Device): boolean =>
  record.capabilities.schedule?.execution === 'server'

/** The target of a boost without one. */
export const getBoostTarget = ({ policy }: SiteModel, { record }: Device): Target =>
  decideBoostTarget(record, policy)

/** The current plan of a device, or the plan after `command` is confirmed. */
export async function loadPlan(
  commands: Pick<CommandStore, 'confirmed'>,
  model: SiteModel,
  device: Device,
  now: number,
  command?: Command,
): Promise<Plan> {
  const { siteUuid } = model.site
  const confirmed = await commands.confirmed(siteUuid, device.record.deviceUuid, now)
  const accepted = confirmed.map((one) => toPlannedCommand(one, model.zone))
  if (!command) return buildPlan(accepted, getBoostTarget(model, device))
  const newer = toPlannedCommand(command, model.zone)
  return buildPlan(
    [...accepted.filter((older) => !supersedes(newer, older)), newer],
    getBoostTarget(model, device),
  )
}

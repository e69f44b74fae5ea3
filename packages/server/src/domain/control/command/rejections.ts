import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import type { Rejection } from '../../telemetry/device-status/warnings.ts'
import type { CommandOutcome, CommandStore } from './store.ts'

/** The devices that rejected their last command, by device. */
export async function loadRejections(
  commands: Pick<CommandStore, 'lastOutcomes'>,
  { site }: SiteModel,
  devices: readonly Device[],
): Promise<ReadonlyMap<string, Rejection>> {
  const controllable = devices
    .filter(({ record }) => (record.capabilities.schedule?.types.length ?? 0) > 0)
    .map(({ record }) => record.deviceUuid)
  const rejections = new Map<string, Rejection>()
  if (controllable.length === 0) return rejections
  for (const [deviceUuid, outcome] of await commands.lastOutcomes(site.siteUuid, controllable)) {
    const rejection = toRejection(outcome)
    if (rejection) rejections.set(deviceUuid, rejection)
  }
  return rejections
}

const toRejection = ({ completedAt, failureReason }: CommandOutcome): Rejection | undefined =>
  completedAt !== null && failureReason?.code === 'DEVICE_REJECTED'
    ? { at: completedAt, message: failureReason.message }
    : undefined

import { findTemperatureBounds } from '../schedule/bounds.ts'
import { getBoostTarget, loadPlan, runsOnServer } from '../command/device-plan.ts'
import { type SignalStores, loadDeviceSignals } from '../../telemetry/device-status/signals.ts'
import { deriveDeviceState } from '../../telemetry/device-status/status.ts'
import type { Device, SiteModel } from '../../estate/inventory/site-model.ts'
import type { SiteDirectory } from '../../estate/inventory/site-directory.ts'
import type { Target } from '../schedule/schedule.ts'
import { cancelMessage, commandMessage, type DeviceMessage, targetMessage } from './message.ts'
import { activeAt, isSameTarget } from '../schedule/plan.ts'
import type { CommandStore, OutboxMessage, ServerScheduleStore } from '../command/store.ts'

export type BuildResult =
  | { message: DeviceMessage; sentTarget?: Target }
  /** The device is known to be offline. */
  | 'offline'
  /** The command has ended, or the device no longer exists. */
  | 'gone'
  /** The server runs the schedule, and the command does not change the current target. */
  | 'nothing-to-send'

const NO_STEPS: ReadonlyMap<number, number> = new Map()

/** Builds the message to a device when it is sent. */
export type MessageBuilder = (message: OutboxMessage, now: number) => Promise<BuildResult>

export function createMessageBuilder(
  deps: SignalStores & {
    siteDirectory: SiteDirectory
    commands: CommandStore
    serverSchedules: Pick<ServerScheduleStore, 'lastTarget'>
  },
): MessageBuilder {
  const { siteDirectory, commands, serverSchedules } = deps

  /**
   * True only if the device or its gateway has reported it, and nothing newer contradicts it. A silent device is tried.
   */
  const isKnownOffline = async (model: SiteModel, device: Device, now: number): Promise<boolean> => {
    const signals = await loadDeviceSignals(deps, model, device)
    const hasReportedOffline = [...signals.presences.values()].some(({ isOnline }) => !isOnline)
    // The status of a device that reports its presence does not depend on steps.
    return (
      hasReportedOffline &&
      deriveDeviceState(device, { ...signals, steps: NO_STEPS }, now).status === 'offline'
    )
  }

  return async (message, now) => {
    const model = await siteDirectory.find(message.siteUuid)
    const device = model?.devices.get(message.deviceUuid)
    if (!model || !device) return 'gone'
    if (await isKnownOffline(model, device, now)) return 'offline'
    const bounds = findTemperatureBounds(device.record, model.policy)
    // A command of a server schedule was never sent to the device; the device gets the target of the plan without it.
    if (message.kind === 'cancel' && runsOnServer(device)) return 'gone'
    if (message.kind === 'cancel') return { message: cancelMessage(message, message.body.cancels ?? '') }
    if (message.kind === 'target') {
      const { target } = message.body
      return target ? { message: targetMessage(message, target, device.record, bounds) } : 'gone'
    }
    const command = await commands.get(message.siteUuid, message.deviceUuid, message.messageUuid)
    if (!command || command.completedAt !== null) return 'gone'
    if (!runsOnServer(device))
      return { message: commandMessage(command, model.site.timeZone, getBoostTarget(model, device)) }
    const { target } = activeAt(await loadPlan(commands, model, device, now, command), now)
    const lastTarget = await serverSchedules.lastTarget(message.siteUuid, message.deviceUuid)
    // Sent before without a response: the target is sent again, since the device may not have applied it.
    const mustSend = message.tries > 0 || !isSameTarget(target, lastTarget)
    return target && mustSend
      ? { message: targetMessage(message, target, device.record, bounds), sentTarget: target }
      : 'nothing-to-send'
  }
}

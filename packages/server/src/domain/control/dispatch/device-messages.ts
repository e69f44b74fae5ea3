import { getTemperatureBounds, loadPlan, runsOnServer } from '../command/device-plan.ts'
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
  /** The command, or the device, is not there any more. */
  | 'gone'
  /** The server plays the plan, and with this in it nothing changes now. */
  | 'nothing-to-send'

/** Makes what goes to a device, at the moment it goes. */
export type MessageBuilder = (message: OutboxMessage, now: number) => Promise<BuildResult>

export function createMessageBuilder(
  deps: SignalStores & {
    siteDirectory: SiteDirectory
    commands: CommandStore
    players: Pick<ServerScheduleStore, 'lastTarget'>
  },
): MessageBuilder {
  const { siteDirectory, commands, players } = deps

  /** Only its own word, or its gateway's, that nothing newer contradicts: a device that is merely silent is tried. */
  const isKnownOffline = async (model: SiteModel, device: Device, now: number): Promise<boolean> => {
    const signals = await loadDeviceSignals(deps, model, device)
    const hasReportedOffline = [...signals.presences.values()].some(({ isOnline }) => !isOnline)
    return hasReportedOffline && deriveDeviceState(device, signals, now).status === 'offline'
  }

  return async (message, now) => {
    const model = await siteDirectory.find(message.siteUuid)
    const device = model?.devices.get(message.deviceUuid)
    if (!model || !device) return 'gone'
    if (await isKnownOffline(model, device, now)) return 'offline'
    const bounds = getTemperatureBounds(model, device)
    // A device whose plan the server plays was never sent the command: it hears the target that holds without it.
    if (message.kind === 'cancel' && runsOnServer(device)) return 'gone'
    if (message.kind === 'cancel') return { message: cancelMessage(message, message.body.cancels ?? '') }
    if (message.kind === 'target') {
      const { target } = message.body
      return target ? { message: targetMessage(message, target, device.record, bounds) } : 'gone'
    }
    const command = await commands.get(message.siteUuid, message.deviceUuid, message.messageUuid)
    if (!command || command.completedAt !== null) return 'gone'
    if (!runsOnServer(device)) return { message: commandMessage(command, model.site.timeZone, bounds) }
    const { target } = activeAt(await loadPlan(commands, model, device, now, command), now)
    const lastTarget = await players.lastTarget(message.siteUuid, message.deviceUuid)
    // Sent before and not answered: the device is asked again, not believed to follow.
    const isNews = message.tries > 0 || !isSameTarget(target, lastTarget)
    return target && isNews
      ? { message: targetMessage(message, target, device.record, bounds), sentTarget: target }
      : 'nothing-to-send'
  }
}

import { type HeardStores, heardOfDevice } from '../device/heard.ts'
import { stateOf } from '../device/status.ts'
import type { Device, SiteModel } from '../inventory/site-model.ts'
import type { SiteDirectory } from '../inventory/site-directory.ts'
import { acceptedOf } from './accepted.ts'
import { temperatureBounds } from './bounds.ts'
import type { Command, Target } from './command.ts'
import { cancelMessage, commandMessage, type DeviceMessage, targetMessage } from './message.ts'
import { holdsAt, isSameTarget, type Plan, planOf } from './plan.ts'
import { supersedes } from './slots.ts'
import type { CommandStore, OutboxMessage, PlayerStore } from './store.ts'

export type Composed =
  | { message: DeviceMessage; played?: Target }
  /** The device is known to be offline. */
  | 'offline'
  /** The command, or the device, is not there any more. */
  | 'gone'
  /** The server plays the plan, and with this in it nothing changes now. */
  | 'nothing-to-send'

/** Makes what goes to a device, at the moment it goes. */
export type Composer = (message: OutboxMessage, now: number) => Promise<Composed>

export const isPlayedByServer = ({ record }: Device): boolean =>
  record.capabilities.schedule?.execution === 'server'

export const boundsOf = ({ policy }: SiteModel, { record }: Device) =>
  temperatureBounds(record.deviceType, record.capabilities, policy)

/** The plan of a device as it is, or as it will be once `command` is confirmed too. */
export async function planFor(
  commands: Pick<CommandStore, 'confirmed'>,
  model: SiteModel,
  device: Device,
  now: number,
  command?: Command,
): Promise<Plan> {
  const { siteUuid } = model.site
  const confirmed = await commands.confirmed(siteUuid, device.record.deviceUuid, now)
  const accepted = confirmed.map((one) => acceptedOf(one, model.zone))
  if (!command) return planOf(accepted, boundsOf(model, device))
  const newer = acceptedOf(command, model.zone)
  return planOf([...accepted.filter((older) => !supersedes(newer, older)), newer], boundsOf(model, device))
}

export function createComposer(
  deps: HeardStores & {
    siteDirectory: SiteDirectory
    commands: CommandStore
    players: Pick<PlayerStore, 'lastTarget'>
  },
): Composer {
  const { siteDirectory, commands, players } = deps

  /** Only its own word, or its gateway's, that nothing newer contradicts: a device that is merely silent is tried. */
  const isKnownOffline = async (model: SiteModel, device: Device, now: number): Promise<boolean> => {
    const heard = await heardOfDevice(deps, model, device)
    const hasSaidSo = [...heard.presences.values()].some(({ isOnline }) => !isOnline)
    return hasSaidSo && stateOf(device, heard, now).status === 'offline'
  }

  return async (message, now) => {
    const model = await siteDirectory.find(message.siteUuid)
    const device = model?.devices.get(message.deviceUuid)
    if (!model || !device) return 'gone'
    if (await isKnownOffline(model, device, now)) return 'offline'
    const bounds = boundsOf(model, device)
    // A device whose plan the server plays was never sent the command: it hears the target that holds without it.
    if (message.kind === 'cancel' && isPlayedByServer(device)) return 'gone'
    if (message.kind === 'cancel') return { message: cancelMessage(message, message.body.cancels ?? '') }
    if (message.kind === 'target') {
      const { target } = message.body
      return target ? { message: targetMessage(message, target, device.record, bounds) } : 'gone'
    }
    const command = await commands.get(message.siteUuid, message.deviceUuid, message.messageUuid)
    if (!command || command.completedAt !== null) return 'gone'
    if (!isPlayedByServer(device)) return { message: commandMessage(command, model.site.timeZone, bounds) }
    const { target } = holdsAt(await planFor(commands, model, device, now, command), now)
    const told = await players.lastTarget(message.siteUuid, message.deviceUuid)
    // Sent before and not answered: the device is asked again, not believed to follow.
    const isNews = message.tries > 0 || !isSameTarget(target, told)
    return target && isNews
      ? { message: targetMessage(message, target, device.record, bounds), played: target }
      : 'nothing-to-send'
  }
}

import type { Simulation } from '@portico/server/domain/control/simulation/sandbox'
import { BoundedCache } from '@portico/server/kernel/cache'
import { isSilentThisMonth, type Misbehaviour } from '../content/index.ts'
import { hash, toSeed, uniform } from '../content/model/noise.ts'
import type { ReceivedCommand } from './command-message.ts'

/** A status message, with its delay after the previous one. */
export interface DeviceReply {
  afterMs: number
  status: 'delivered' | 'confirmed' | 'rejected'
  reason?: string
}

/** State machine of a device: determines its responses without publishing them. */
export interface SimulatedDevice {
  deviceUuid: string
  simulate(simulation: Simulation): void
  isOffline(now: number): boolean
  /** Empty for a command that it does not receive, has dropped or must no longer execute. */
  repliesTo(message: ReceivedCommand, now: number): DeviceReply[]
}

/** The result of a command; `dropped` ones were cancelled. */
type Outcome = 'confirmed' | 'rejected' | 'dropped'

const REMEMBERED_COMMANDS = 1_000
const MINUTE_MS = 60_000
const AWAY_MINUTES = 10
/** One command in this many is rejected. */
const REJECTED = 3
const CONFIRMED_TWICE = 6

const REASONS: Record<string, string> = {
  trv: 'the valve is stuck',
  thermostat: 'the thermostat is locked at the wall',
  smartPlug: 'the plug is switched off by hand',
  hotWaterCylinder: 'the immersion heater has tripped',
}
const OTHER_REASON = 'the device is locked by hand'

export function createSimulatedDevice({
  deviceUuid,
  deviceType,
  trouble,
}: {
  deviceUuid: string
  deviceType: string
  trouble: Misbehaviour | undefined
}): SimulatedDevice {
  const seed = toSeed(deviceUuid)
  const outcomes = new BoundedCache<string, Outcome>(REMEMBERED_COMMANDS)
  const deliveredAfterMs = Math.round(80 + 240 * uniform(seed, 21))
  const confirmedAfterMs = Math.round(150 + 450 * uniform(seed, 22))
  /** Undefined until a partner has chosen a mode, which then replaces the device's own misbehaviour. */
  let chosen: Simulation | undefined

  const isOffline = (now: number): boolean =>
    chosen
      ? chosen.mode === 'offline'
      : (trouble === 'awayAtTimes' && isAway(seed, now)) || isSilentThisMonth(deviceUuid, now)

  const decideOutcome = (commandUuid: string): Outcome => {
    const isRejected = chosen
      ? chosen.mode === 'reject'
      : trouble === 'rejects' ||
        (trouble === 'rejectsAtTimes' && hash(seed, toSeed(commandUuid)) % REJECTED === 0)
    return isRejected ? 'rejected' : 'confirmed'
  }

  return {
    deviceUuid,
    isOffline,
    simulate(simulation) {
      chosen = simulation
    },
    repliesTo(message, now) {
      if (isOffline(now)) return []
      const { kind, commandUuid } = message
      if (kind === 'cancel') {
        outcomes.set(commandUuid, 'dropped')
        return []
      }
      if (message.expiresAt <= now) return []
      const outcome = outcomes.get(commandUuid) ?? decideOutcome(commandUuid)
      outcomes.set(commandUuid, outcome)
      if (outcome === 'dropped') return []
      const lateMs = chosen?.mode === 'delay' ? chosen.delaySeconds * 1000 : deliveredAfterMs
      const delivered: DeviceReply = { afterMs: lateMs, status: 'delivered' }
      if (outcome === 'rejected') {
        const reason = REASONS[deviceType] ?? OTHER_REASON
        return [delivered, { afterMs: confirmedAfterMs, status: 'rejected', reason }]
      }
      const confirmed: DeviceReply = { afterMs: confirmedAfterMs, status: 'confirmed' }
      // Some networks deliver messages twice, and a server must tolerate it.
      const isTwice = hash(seed, toSeed(commandUuid) + 1) % CONFIRMED_TWICE === 0
      return isTwice ? [delivered, confirmed, { ...confirmed }] : [delivered, confirmed]
    },
  }
}

/** Ten minutes in every hour, starting at a minute that depends on the device. */
function isAway(seed: number, now: number): boolean {
  const from = hash(seed, 23) % (60 - AWAY_MINUTES)
  const minute = Math.floor(now / MINUTE_MS) % 60
  return minute >= from && minute < from + AWAY_MINUTES
}

import { COMMAND_STATES, type CommandState } from './command.ts'

/** Why a command FAILED or was CANCELLED. */
export type ReasonCode =
  | 'DEVICE_OFFLINE'
  | 'DEVICE_REJECTED'
  | 'NO_CONFIRMATION'
  | 'GATEWAY_ERROR'
  | 'REQUESTED'
  | 'SUPERSEDED'

interface TransitionRule {
  from: readonly CommandState[]
  to: CommandState
  /** The reason codes that the transition allows. */
  reasons: readonly ReasonCode[]
}

const UNDELIVERED = ['PENDING', 'SENT'] as const
const UNFINISHED = ['PENDING', 'SENT', 'DELIVERED'] as const

/**
 * The command state machine. A device's responses may arrive before the broker's, twice or late: an event in a state
 * that is not in `from` has no effect.
 */
export const TRANSITIONS = {
  'taken-by-broker': { from: ['PENDING'], to: 'SENT', reasons: [] },
  'device-delivered': { from: UNDELIVERED, to: 'DELIVERED', reasons: [] },
  'device-confirmed': { from: UNFINISHED, to: 'CONFIRMED', reasons: [] },
  /** A command of a server schedule that changes nothing now needs no message. */
  'server-confirmed': { from: UNFINISHED, to: 'CONFIRMED', reasons: [] },
  'device-rejected': { from: UNFINISHED, to: 'FAILED', reasons: ['DEVICE_REJECTED'] },
  /** All attempts have failed. */
  'gave-up': { from: UNDELIVERED, to: 'FAILED', reasons: ['DEVICE_OFFLINE', 'GATEWAY_ERROR'] },
  /** The device acknowledged delivery but did not confirm the command in time. */
  'no-confirmation': { from: ['DELIVERED'], to: 'FAILED', reasons: ['NO_CONFIRMATION'] },
  /** The device is known to be offline and the command has `failIfOffline`. */
  offline: { from: UNDELIVERED, to: 'FAILED', reasons: ['DEVICE_OFFLINE'] },
  expired: { from: UNFINISHED, to: 'EXPIRED', reasons: [] },
  cancelled: { from: UNFINISHED, to: 'CANCELLED', reasons: ['REQUESTED'] },
  superseded: { from: UNFINISHED, to: 'CANCELLED', reasons: ['SUPERSEDED'] },
} as const satisfies Record<string, TransitionRule>

export type CommandEventType = keyof typeof TRANSITIONS

/** The reason codes of an event; `never` if it has none. */
export type TransitionReason<E extends CommandEventType> = (typeof TRANSITIONS)[E]['reasons'][number]

/** The state after an event, or undefined if the event has no effect. */
export function nextState(state: CommandState, event: CommandEventType): CommandState | undefined {
  const { from, to }: TransitionRule = TRANSITIONS[event]
  return from.includes(state) ? to : undefined
}

/** The states that no event leads out of. */
export const FINAL_STATES: readonly CommandState[] = COMMAND_STATES.filter((state) =>
  Object.values<TransitionRule>(TRANSITIONS).every(({ from }) => !from.includes(state)),
)

export const isFinal = (state: CommandState): boolean => FINAL_STATES.includes(state)

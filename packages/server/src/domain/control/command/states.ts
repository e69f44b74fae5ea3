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
  /** The codes that may be given with it. */
  reasons: readonly ReasonCode[]
}

const UNDELIVERED = ['PENDING', 'SENT'] as const
const UNFINISHED = ['PENDING', 'SENT', 'DELIVERED'] as const

/**
 * Everything that can happen to a command. A device's answers may overtake the broker's, come twice or come late: what a
 * row does not name in `from` changes nothing.
 */
export const TRANSITIONS = {
  'taken-by-broker': { from: ['PENDING'], to: 'SENT', reasons: [] },
  'device-delivered': { from: UNDELIVERED, to: 'DELIVERED', reasons: [] },
  'device-confirmed': { from: UNFINISHED, to: 'CONFIRMED', reasons: [] },
  /** A command of a server schedule needs no message: the server has put it into effect. */
  'server-confirmed': { from: UNFINISHED, to: 'CONFIRMED', reasons: [] },
  'device-rejected': { from: UNFINISHED, to: 'FAILED', reasons: ['DEVICE_REJECTED'] },
  /** Every try is used up. */
  'gave-up': { from: UNDELIVERED, to: 'FAILED', reasons: ['DEVICE_OFFLINE', 'GATEWAY_ERROR'] },
  /** The device has it and has said nothing more. */
  'no-confirmation': { from: ['DELIVERED'], to: 'FAILED', reasons: ['NO_CONFIRMATION'] },
  /** The device is known to be offline and the command does not want to wait. */
  offline: { from: UNDELIVERED, to: 'FAILED', reasons: ['DEVICE_OFFLINE'] },
  expired: { from: UNFINISHED, to: 'EXPIRED', reasons: [] },
  cancelled: { from: UNFINISHED, to: 'CANCELLED', reasons: ['REQUESTED'] },
  superseded: { from: UNFINISHED, to: 'CANCELLED', reasons: ['SUPERSEDED'] },
} as const satisfies Record<string, TransitionRule>

export type CommandEventType = keyof typeof TRANSITIONS

/** The codes that an event may be given with; never for one that needs none. */
export type TransitionReason<E extends CommandEventType> = (typeof TRANSITIONS)[E]['reasons'][number]

/** The state after an event, or undefined where it changes nothing. */
export function nextState(state: CommandState, event: CommandEventType): CommandState | undefined {
  const { from, to }: TransitionRule = TRANSITIONS[event]
  return from.includes(state) ? to : undefined
}

/** The states that no event leads out of. */
export const FINAL_STATES: readonly CommandState[] = COMMAND_STATES.filter((state) =>
  Object.values<TransitionRule>(TRANSITIONS).every(({ from }) => !from.includes(state)),
)

export const isFinal = (state: CommandState): boolean => FINAL_STATES.includes(state)

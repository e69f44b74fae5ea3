import assert from 'node:assert/strict'
import type { Command, CommandState } from '../../src/domain/control/command/command.ts'
import type { Schedule } from '../../src/domain/control/schedule/schedule.ts'
import {
  type CommandEventType,
  isFinal,
  type ReasonCode,
  TRANSITIONS,
} from '../../src/domain/control/command/states.ts'
import type {
  Attempt,
  CommandEvent,
  NewCommand,
  OutboxMessage,
} from '../../src/domain/control/command/store.ts'
import { newUuid } from '../../src/kernel/ids.ts'
import type { Store } from '../../src/store/store.ts'
import { entry, NOON } from './seed.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const EVENTS = Object.keys(TRANSITIONS) as CommandEventType[]

export const WEEKLY: Schedule = { type: 'weekly', default: { temperature: 18 }, periods: [] }
export const OVERRIDE: Schedule = { type: 'override', target: { temperature: 21 }, permanent: true }
export const BOOST: Schedule = { type: 'boost', durationMinutes: 60 }
export const RESUME: Schedule = { type: 'resume' }
export const oneOff = (startsAt: string, endsAt: string): Schedule => ({
  type: 'oneOff',
  startsAt,
  endsAt,
  target: { temperature: 20 },
})

/** A device of a site. */
export interface DeviceRef {
  siteUuid: string
  deviceUuid: string
}

export const newDeviceRef = (siteUuid = newUuid()): DeviceRef => ({ siteUuid, deviceUuid: newUuid() })

/** A command as the service creates it: by default a weekly plan that expires after a day. */
export function newCommand(
  { siteUuid, deviceUuid }: DeviceRef,
  changes: Partial<Omit<Command, 'type'>> = {},
  rest: Partial<Omit<NewCommand, 'command'>> = {},
): NewCommand {
  const { schedule = WEEKLY, createdAt = NOON, state = 'PENDING' } = changes
  const command: Command = {
    siteUuid,
    deviceUuid,
    commandUuid: newUuid(),
    partnerUuid: newUuid(),
    type: schedule.type,
    state,
    createdAt,
    updatedAt: createdAt,
    expiresAt: createdAt + DAY,
    completedAt: isFinal(state) ? createdAt : null,
    failureReason: null,
    clientReference: null,
    schedule,
    ...changes,
  }
  return {
    command,
    endsAt: null,
    siteZone: 'Europe/London',
    runsOnServer: false,
    entry: { ...entry('command.accepted', createdAt), target: command.commandUuid },
    key: undefined,
    ...rest,
  }
}

export async function addCommand(store: Store, ...made: Parameters<typeof newCommand>): Promise<Command> {
  const added = newCommand(...made)
  assert.deepEqual(await store.commands.add(added.command.siteUuid, added), { outcome: 'added' })
  return added.command
}

/** An event, with a reason if the event allows one. */
export function makeEvent(event: CommandEventType, at: number): CommandEvent {
  const reasons: readonly ReasonCode[] = TRANSITIONS[event].reasons
  const [code] = reasons
  return { event, at, reason: code ? { code, message: `It was ${event}.` } : null }
}

export const apply = (
  store: Store,
  { siteUuid, deviceUuid, commandUuid }: Command,
  event: CommandEventType,
  at = NOON + MINUTE,
) => store.commands.apply(siteUuid, deviceUuid, commandUuid, makeEvent(event, at))

const EVENT_TO: Record<CommandState, CommandEventType | undefined> = {
  PENDING: undefined,
  SENT: 'taken-by-broker',
  DELIVERED: 'device-delivered',
  CONFIRMED: 'device-confirmed',
  FAILED: 'device-rejected',
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
}

/** A command that reached a state one second after its creation. */
export async function addCommandIn(
  state: CommandState,
  store: Store,
  ...made: Parameters<typeof newCommand>
): Promise<Command> {
  const command = await addCommand(store, ...made)
  const event = EVENT_TO[state]
  if (event === undefined) return command
  const applied = await apply(store, command, event, command.createdAt + 1_000)
  assert.equal(applied?.command.state, state)
  return applied.command
}

export const getCommand = async (
  store: Store,
  { siteUuid, deviceUuid, commandUuid }: Command,
): Promise<Command> =>
  (await store.commands.get(siteUuid, deviceUuid, commandUuid)) ?? assert.fail('the command is gone')

/** All due outbox messages; they stay due. */
export const due = (store: Store, now: number): Promise<OutboxMessage[]> =>
  store.outbox.claim(now, now, 1_000)

export const listUuids = (messages: readonly OutboxMessage[]): string[] =>
  messages.map(({ messageUuid }) => messageUuid)

/** Ids of the commands for which the device gets a cancel message. */
export const cancelsIn = (messages: readonly OutboxMessage[]): string[] =>
  messages.filter(({ kind }) => kind === 'cancel').map(({ body }) => body.cancels ?? '')

/** An attempt after which the message is due again in a minute. */
export const attempt = (
  { messageUuid, siteUuid, deviceUuid }: Pick<Attempt, 'messageUuid' | 'siteUuid' | 'deviceUuid'>,
  outcome: Attempt['outcome'],
  changes: Partial<Attempt> = {},
): Attempt => ({
  messageUuid,
  siteUuid,
  deviceUuid,
  outcome,
  dueAt: NOON + MINUTE,
  isDone: false,
  ...changes,
})

/** An attempt for the message of a command. */
export const makeAttempt = (
  { commandUuid, siteUuid, deviceUuid }: Command,
  outcome: Attempt['outcome'],
  changes: Partial<Attempt> = {},
): Attempt => attempt({ messageUuid: commandUuid, siteUuid, deviceUuid }, outcome, changes)

/** The audit entries of a command, oldest first. */
export async function listAudit(store: Store, { commandUuid }: Command): Promise<string[]> {
  const entries = await store.audit.list({ before: undefined, limit: 1_000 })
  return entries
    .filter(({ target }) => target === commandUuid)
    .map(({ action }) => action)
    .toReversed()
}

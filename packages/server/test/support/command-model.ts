import { toPlannedCommand } from '../../src/domain/control/schedule/planned-command.ts'
import type { Command } from '../../src/domain/control/command/command.ts'
import { supersedes } from '../../src/domain/control/schedule/slots.ts'
import { type CommandEventType, isFinal, nextState } from '../../src/domain/control/command/states.ts'
import { type Attempt, type OutboxMessage, RESPONSE_TIME_MS } from '../../src/domain/control/command/store.ts'
import { getZone } from '../../src/calendar/zone.ts'
import { DAY, makeEvent, MINUTE } from './commands.ts'

const ZONE = getZone('Europe/London')

interface Row extends Pick<OutboxMessage, 'tries' | 'failures' | 'createdAt' | 'expiresAt'> {
  dueAt: number
  sentAt: number | null
  /** Known once it has been claimed. A cancel may be withdrawn and created again, with another id. */
  messageUuid: string | undefined
  /** Lease expiry; null if the message is not leased or its result is recorded. */
  leasedUntil: number | null
  isWoken: boolean
  isInDoubt: boolean
  isDone: boolean
}

/** A cancel's id is unknown until it is published: it is identified by the command it cancels. */
export const toName = ({
  kind,
  messageUuid,
  body,
}: Pick<OutboxMessage, 'kind' | 'messageUuid' | 'body'>): string =>
  kind === 'cancel' ? `cancel of ${body.cancels}` : messageUuid

/** In-memory model of the command and outbox ports: states by `nextState()` alone, in the order of events. */
export function createCommandModel() {
  const commands = new Map<string, Command>()
  const clockAt = new Map<string, number>()
  const rows = new Map<string, Row>()

  const put = (
    name: string,
    createdAt: number,
    expiresAt: number,
    { dueAt = createdAt, isInDoubt = false } = {},
  ): void =>
    void rows.set(name, {
      tries: 0,
      failures: 0,
      createdAt,
      expiresAt,
      dueAt,
      sentAt: null,
      messageUuid: undefined,
      leasedUntil: null,
      isWoken: false,
      isInDoubt,
      isDone: false,
    })

  const callBack = (
    { commandUuid, type, state, failureReason }: Command,
    at: number,
    doubt: { dueAt?: number; isInDoubt?: boolean } = {},
  ): void => {
    const isReplaced = failureReason?.code === 'SUPERSEDED' && type !== 'oneOff'
    if (state !== 'CANCELLED' || isReplaced) return
    const name = `cancel of ${commandUuid}`
    const row = rows.get(name)
    if (row) row.dueAt = Math.min(row.dueAt, at)
    else put(name, at, at + DAY, doubt)
  }

  const happen = (before: Command, event: CommandEventType, at: number): boolean => {
    const state = nextState(before.state, event)
    if (!state) return false
    const completedAt = isFinal(state) ? at : null
    const { commandUuid, expiresAt } = before
    const after = { ...before, state, updatedAt: at, completedAt, failureReason: makeEvent(event, at).reason }
    commands.set(commandUuid, after)
    clockAt.set(commandUuid, state === 'DELIVERED' ? at + 10 * MINUTE : expiresAt)
    const leasedUntil = rows.get(commandUuid)?.leasedUntil ?? null
    if (state !== 'SENT') rows.delete(commandUuid)
    if (before.state !== 'PENDING') callBack(after, at)
    else if (leasedUntil !== null && at < expiresAt)
      callBack(after, at, { dueAt: Math.max(at, leasedUntil), isInDoubt: true })
    return true
  }

  const unfinished = (): Command[] => [...commands.values()].filter(({ state }) => !isFinal(state))

  return {
    commands,
    unfinished,
    happen,

    add(command: Command): void {
      if (!isFinal(command.state)) {
        for (const older of unfinished()) {
          const isOfDevice = older.deviceUuid === command.deviceUuid
          if (isOfDevice && supersedes(toPlannedCommand(command, ZONE), toPlannedCommand(older, ZONE)))
            happen(older, 'superseded', command.createdAt)
        }
        put(command.commandUuid, command.createdAt, command.expiresAt)
        clockAt.set(command.commandUuid, command.expiresAt)
      }
      commands.set(command.commandUuid, command)
    },

    /** Messages that can be claimed, in order. */
    claimable: (now: number): [name: string, row: Row][] =>
      [...rows]
        .filter(
          ([, { isDone, dueAt, leasedUntil, expiresAt }]) =>
            !isDone && dueAt <= now && (leasedUntil ?? now) <= now && expiresAt > now,
        )
        .toSorted(([, a], [, b]) => a.dueAt - b.dueAt || a.createdAt - b.createdAt),

    lease(message: OutboxMessage, until: number): void {
      const row = rows.get(toName(message))
      if (!row) return
      row.messageUuid = message.messageUuid
      row.leasedUntil = until
      row.isWoken = false
    },

    record(message: OutboxMessage, { outcome, dueAt, isDone }: Attempt, now: number): void {
      const named = rows.get(toName(message))
      const row = named?.messageUuid === message.messageUuid ? named : undefined
      const command = commands.get(message.messageUuid)
      if (row) {
        row.tries += outcome === 'sent' ? 1 : 0
        row.failures += outcome === 'refused' ? 1 : 0
        row.dueAt = outcome === 'waits' && row.isWoken ? now : dueAt
        if (outcome === 'sent') row.sentAt = now
        row.leasedUntil = null
        row.isDone ||= isDone
      }
      if (!command) return
      const cancel = `cancel of ${command.commandUuid}`
      if (outcome === 'sent' && row) happen(command, 'taken-by-broker', now)
      else if (outcome === 'sent') callBack(command, now)
      else if (!row && rows.get(cancel)?.isInDoubt) rows.delete(cancel)
    },

    wake(deviceUuid: string, now: number): void {
      for (const [name, row] of rows) {
        const command = commands.get(name.slice(-deviceUuid.length))
        if (command?.deviceUuid !== deviceUuid || row.isDone) continue
        const earliest = row.sentAt === null ? now : row.sentAt + RESPONSE_TIME_MS
        row.dueAt = Math.min(row.dueAt, Math.max(now, earliest))
        row.isWoken = row.leasedUntil !== null
      }
    },

    /** Commands whose deadline has passed. */
    passTime(now: number): Command[] {
      const over = unfinished().filter(({ commandUuid }) => (clockAt.get(commandUuid) ?? now + 1) <= now)
      for (const command of over)
        happen(command, command.state === 'DELIVERED' ? 'no-confirmation' : 'expired', now)
      return over
    },
  }
}

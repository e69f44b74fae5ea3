import type { DatabaseSync } from 'node:sqlite'
import type { Command } from '../../../command/command.ts'
import { canSupersede, decideAdd } from '../../../command/decide-add.ts'
import type { AddOutcome, CommandEvent, NewCommand } from '../../../command/store.ts'
import {
  applyEvent,
  findSuperseded,
  isRevoked,
  toCancelMessage,
  toTimeoutEvent,
  type Transition,
} from '../../../command/transition.ts'
import { recordAudit } from '../audit.ts'
import { commandFrom, findCommand, insertCommand, unfinishedCommands, updateState } from '../command-rows.ts'
import { prepared } from '../connect.ts'
import { keepKey, replayOf } from '../idempotency.ts'
import { dropDoubtfulCancel, dropMessage, leaseOf, putMessage, wakeCancel } from '../outbox-rows.ts'
import { addPlayer, replan } from '../player-rows.ts'

export const commandWrites = {
  add(db: DatabaseSync, siteUuid: string, added: NewCommand): AddOutcome {
    const { deviceUuid, createdAt } = added.command
    const known = added.key && replayOf(db, siteUuid, added.key, createdAt)
    if (known) return known
    const unfinished = canSupersede(added.command) ? unfinishedCommands(db, siteUuid, deviceUuid) : []
    const superseded = findSuperseded(added.command, unfinished, added.siteZone).map((command) => ({
      command,
      leasedUntil: leaseOf(db, command.commandUuid),
    }))
    const decision = decideAdd(added, superseded)
    for (const transition of decision.transitions) write(db, transition)
    if (decision.startsServerSchedule) addPlayer(db, siteUuid, deviceUuid)
    insertCommand(db, decision.command, decision.endsAt, decision.deadlineAt)
    if (decision.message) putMessage(db, decision.message)
    if (decision.key) keepKey(db, decision.key, decision.command)
    for (const entry of decision.audit) recordAudit(db, entry)
    return { outcome: 'added' }
  },

  apply(
    db: DatabaseSync,
    siteUuid: string,
    deviceUuid: string,
    commandUuid: string,
    event: CommandEvent,
  ): { command: Command; isChanged: boolean } | undefined {
    const command = findCommand(db, siteUuid, deviceUuid, commandUuid)
    if (!command) return undefined
    const changed = change(db, command, event)
    return { command: changed ?? command, isChanged: changed !== undefined }
  },

  passTime(db: DatabaseSync, now: number): Command[] {
    const due = prepared(db, 'SELECT * FROM commands WHERE clock_at <= ? ORDER BY clock_at LIMIT 1000')
      .all(now)
      .map(commandFrom)
    return due.flatMap((command) => change(db, command, toTimeoutEvent(command, now)) ?? [])
  },
}

/** Applies an event and writes the result; undefined if it changes nothing. */
export function change(db: DatabaseSync, before: Command, event: CommandEvent): Command | undefined {
  const transition = applyEvent(before, event, leaseOf(db, before.commandUuid))
  if (transition) write(db, transition)
  return transition?.command
}

function write(
  db: DatabaseSync,
  { command, deadlineAt, changesPlan, stopsSending, cancel, audit }: Transition,
): void {
  updateState(db, command, deadlineAt)
  if (stopsSending) dropMessage(db, command.commandUuid)
  if (cancel) putMessage(db, cancel)
  if (changesPlan) replan(db, command.siteUuid, command.deviceUuid, command.updatedAt)
  for (const entry of audit) recordAudit(db, entry)
}

/** What became of a message whose command was taken back after its claim. */
export function settleCancel(db: DatabaseSync, command: Command, wasSent: boolean, at: number): void {
  if (!isRevoked(command)) return
  if (!wasSent) dropDoubtfulCancel(db, command)
  else if (!wakeCancel(db, command, at)) putMessage(db, toCancelMessage(command, at))
}

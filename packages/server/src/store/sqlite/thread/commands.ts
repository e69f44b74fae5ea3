import type { DatabaseSync } from 'node:sqlite'
import type { Command } from '../../../domain/control/command/command.ts'
import { canSupersede, decideAdd } from '../../../domain/control/command/decide-add.ts'
import type { AddOutcome, CommandEvent, NewCommand } from '../../../domain/control/command/store.ts'
import {
  applyEvent,
  findSuperseded,
  isRevoked,
  toCancelMessage,
  toTimeoutEvent,
  type Transition,
} from '../../../domain/control/command/transition.ts'
import { recordAudit } from '../identity/record-audit.ts'
import {
  commandFrom,
  findCommand,
  insertCommand,
  unfinishedCommands,
  updateState,
} from '../commands/command-rows.ts'
import { prepareOnce } from '../connect.ts'
import { insertIdempotencyKey, findReplay } from '../commands/idempotency.ts'
import {
  deleteInDoubtCancel,
  dropMessage,
  getLeaseExpiry,
  putMessage,
  makeCancelDue,
} from '../commands/outbox-rows.ts'
import { appendCommandEvents } from '../events/command-events.ts'
import { addServerSchedule, replan } from './server-schedules.ts'

export const commandWrites = {
  add(db: DatabaseSync, siteUuid: string, added: NewCommand): AddOutcome {
    const { deviceUuid, createdAt } = added.command
    const known = added.key && findReplay(db, siteUuid, added.key, createdAt)
    if (known) return known
    const unfinished = canSupersede(added.command) ? unfinishedCommands(db, siteUuid, deviceUuid) : []
    const superseded = findSuperseded(added.command, unfinished, added.siteZone).map((command) => ({
      command,
      leasedUntil: getLeaseExpiry(db, command.commandUuid),
    }))
    const decision = decideAdd(added, superseded)
    for (const transition of decision.transitions) write(db, transition)
    if (decision.startsServerSchedule) addServerSchedule(db, siteUuid, deviceUuid)
    insertCommand(db, decision.command, decision.endsAt, decision.deadlineAt)
    if (decision.message) putMessage(db, decision.message)
    if (decision.key) insertIdempotencyKey(db, decision.key, decision.command)
    for (const entry of decision.audit) recordAudit(db, entry)
    appendCommandEvents(db, siteUuid, decision.changed)
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
    const changed = applyTransitions(db, command, event)
    return { command: changed ?? command, isChanged: changed !== undefined }
  },

  expireOverdue(db: DatabaseSync, now: number): Command[] {
    const due = prepareOnce(
      db,
      'SELECT * FROM commands WHERE deadline_at <= ? ORDER BY deadline_at LIMIT 1000',
    )
      .all(now)
      .map(commandFrom)
    return due.flatMap((command) => applyTransitions(db, command, toTimeoutEvent(command, now)) ?? [])
  },
}

/** Applies an event and writes the result; undefined if it changes nothing. */
export function applyTransitions(
  db: DatabaseSync,
  before: Command,
  event: CommandEvent,
): Command | undefined {
  const transition = applyEvent(before, event, getLeaseExpiry(db, before.commandUuid))
  if (transition) {
    write(db, transition)
    appendCommandEvents(db, before.siteUuid, [transition])
  }
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

/** Resolves the cancel of a command that was revoked after its message was claimed. */
export function resolveInDoubtCancel(db: DatabaseSync, command: Command, wasSent: boolean, at: number): void {
  if (!isRevoked(command)) return
  if (!wasSent) deleteInDoubtCancel(db, command)
  else if (!makeCancelDue(db, command, at)) putMessage(db, toCancelMessage(command, at))
}

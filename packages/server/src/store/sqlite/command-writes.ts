import type { DatabaseSync } from 'node:sqlite'
import {
  cancelOf,
  changeOf,
  ending,
  isTakenBack,
  messageOf,
  outcomeEntry,
  supersededBy,
  superseding,
} from '../../command/changes.ts'
import type { Command } from '../../command/command.ts'
import { isFinal } from '../../command/states.ts'
import type { AddOutcome, Happening, NewCommand } from '../../command/store.ts'
import { recordAudit } from './audit.ts'
import { commandFrom, findCommand, insertCommand, unfinishedCommands, updateState } from './command-rows.ts'
import { prepared } from './connect.ts'
import { keepKey, replayOf } from './idempotency.ts'
import { dropDoubtfulCancel, dropMessage, leaseOf, putMessage, wakeCancel } from './outbox-rows.ts'
import { addPlayer, replan } from './player-rows.ts'

export const commandWrites = {
  addCommand(db: DatabaseSync, { command, endsAt, siteZone, isPlayed, entry, key }: NewCommand): AddOutcome {
    const known = key && replayOf(db, command.siteUuid, key, command.createdAt)
    if (known) return known
    const isOver = isFinal(command.state)
    if (!isOver) {
      const unfinished = unfinishedCommands(db, command.siteUuid, command.deviceUuid)
      for (const older of supersededBy(command, unfinished, siteZone)) change(db, older, superseding(command))
    }
    if (isPlayed) addPlayer(db, command.siteUuid, command.deviceUuid)
    insertCommand(db, command, endsAt, isOver ? null : command.expiresAt)
    if (!isOver) putMessage(db, messageOf(command))
    if (key) keepKey(db, key, command)
    recordAudit(db, entry)
    if (isOver) recordAudit(db, outcomeEntry(command))
    return { outcome: 'added' }
  },

  applyToCommand(
    db: DatabaseSync,
    siteUuid: string,
    deviceUuid: string,
    commandUuid: string,
    happening: Happening,
  ): { command: Command; isChanged: boolean } | undefined {
    const command = findCommand(db, siteUuid, deviceUuid, commandUuid)
    if (!command) return undefined
    const changed = change(db, command, happening)
    return { command: changed ?? command, isChanged: changed !== undefined }
  },

  passCommandTime(db: DatabaseSync, now: number): Command[] {
    const due = prepared(db, 'SELECT * FROM commands WHERE clock_at <= ? ORDER BY clock_at LIMIT 1000')
      .all(now)
      .map(commandFrom)
    return due.flatMap((command) => change(db, command, ending(command, now)) ?? [])
  },
}

/** The command after what happened, written; undefined when it changes nothing. */
export function change(db: DatabaseSync, before: Command, happening: Happening): Command | undefined {
  const made = changeOf(before, happening, leaseOf(db, before.commandUuid))
  if (!made) return undefined
  const { command, clockAt, isOver, endsSending, cancel } = made
  updateState(db, command, clockAt)
  if (endsSending) dropMessage(db, command.commandUuid)
  if (cancel) putMessage(db, cancel)
  if (isOver) {
    replan(db, command.siteUuid, command.deviceUuid, happening.at)
    recordAudit(db, outcomeEntry(command, made.actor))
  }
  return command
}

/** What became of a message whose command was taken back after its claim. */
export function settleCancel(db: DatabaseSync, command: Command, wasSent: boolean, at: number): void {
  if (!isTakenBack(command)) return
  if (!wasSent) dropDoubtfulCancel(db, command)
  else if (!wakeCancel(db, command, at)) putMessage(db, cancelOf(command, at))
}

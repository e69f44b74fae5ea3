import type { DatabaseSync } from 'node:sqlite'
import { type AuditEntry, SERVER } from '../../audit/audit.ts'
import { acceptedOf } from '../../command/accepted.ts'
import type { Command } from '../../command/command.ts'
import { supersedes } from '../../command/slots.ts'
import { isFinal, next } from '../../command/states.ts'
import type { AddOutcome, Happening, NewCommand } from '../../command/store.ts'
import { newUuid } from '../../lib/ids.ts'
import { zoneOf } from '../../lib/zone.ts'
import { recordAudit } from './audit.ts'
import { commandFrom, findCommand, insertCommand, unfinishedCommands, updateState } from './command-rows.ts'
import { prepared } from './connect.ts'
import { keepKey, replayOf } from './idempotency.ts'
import { dropMessage, hasCancel, putMessage } from './outbox-rows.ts'
import { addPlayer, replan } from './player-rows.ts'

/** A device that has a command and says nothing more is given this long. */
const CONFIRM_WITHIN_MS = 10 * 60_000
const CANCEL_KEPT_MS = 24 * 3_600_000

export const commandWrites = {
  addCommand(db: DatabaseSync, { command, endsAt, siteZone, isPlayed, entry, key }: NewCommand): AddOutcome {
    const known = key && replayOf(db, command.siteUuid, key, command.createdAt)
    if (known) return known
    const isOver = isFinal(command.state)
    if (!isOver) supersedeOlder(db, command, siteZone)
    if (isPlayed) addPlayer(db, command.siteUuid, command.deviceUuid)
    insertCommand(db, command, endsAt, isOver ? null : command.expiresAt)
    if (!isOver) {
      putMessage(db, {
        messageUuid: command.commandUuid,
        siteUuid: command.siteUuid,
        deviceUuid: command.deviceUuid,
        kind: 'command',
        body: {},
        createdAt: command.createdAt,
        expiresAt: command.expiresAt,
      })
    }
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

const ending = ({ state }: Command, at: number): Happening =>
  state === 'DELIVERED'
    ? {
        event: 'no-confirmation',
        at,
        reason: { code: 'NO_CONFIRMATION', message: 'The device has the command and did not confirm it.' },
      }
    : { event: 'expired', at, reason: null }

/** The command after what happened, written; undefined when it changes nothing. */
export function change(
  db: DatabaseSync,
  command: Command,
  { event, reason, at }: Happening,
): Command | undefined {
  const state = next(command.state, event)
  if (!state) return undefined
  const isOver = isFinal(state)
  const changed: Command = {
    ...command,
    state,
    updatedAt: at,
    completedAt: isOver ? at : null,
    failureReason: reason,
  }
  updateState(db, changed, isOver ? null : state === 'DELIVERED' ? at + CONFIRM_WITHIN_MS : command.expiresAt)
  // The device has it, or nobody wants it any more.
  if (isOver || state === 'DELIVERED') dropMessage(db, command.commandUuid)
  if (command.state !== 'PENDING' && isTakenBack(changed)) callBack(db, changed, at)
  if (isOver) {
    replan(db, command.siteUuid, command.deviceUuid, at)
    recordAudit(db, outcomeEntry(changed))
  }
  return changed
}

/** A command that was taken back between its claim and now, when it turns out to have gone out. */
export function callBackFromItsWay(db: DatabaseSync, command: Command, at: number): void {
  if (isTakenBack(command) && !hasCancel(db, command)) callBack(db, command, at)
}

/** What is superseded in a slot is replaced on the device too; of anything else that nobody wants it has to be told. */
const isTakenBack = ({ state, type, failureReason }: Command): boolean =>
  state === 'CANCELLED' && (type === 'oneOff' || failureReason?.code !== 'SUPERSEDED')

/** A device that may have the command is told to forget it. */
function callBack(db: DatabaseSync, command: Command, at: number): void {
  putMessage(db, {
    messageUuid: newUuid(),
    siteUuid: command.siteUuid,
    deviceUuid: command.deviceUuid,
    kind: 'cancel',
    body: { cancels: command.commandUuid },
    createdAt: at,
    expiresAt: at + CANCEL_KEPT_MS,
  })
}

function supersedeOlder(db: DatabaseSync, command: Command, siteZone: string): void {
  const zone = zoneOf(siteZone)
  const newer = acceptedOf(command, zone)
  for (const older of unfinishedCommands(db, command.siteUuid, command.deviceUuid)) {
    if (!supersedes(newer, acceptedOf(older, zone))) continue
    const message = `Command ${command.commandUuid} took its place.`
    change(db, older, {
      event: 'superseded',
      at: command.createdAt,
      reason: { code: 'SUPERSEDED', message },
    })
  }
}

const outcomeEntry = (command: Command): AuditEntry => ({
  at: command.updatedAt,
  actor: SERVER,
  action: `command.${command.state.toLowerCase()}`,
  target: command.commandUuid,
  detail: {
    siteUuid: command.siteUuid,
    deviceUuid: command.deviceUuid,
    type: command.type,
    partnerUuid: command.partnerUuid,
    state: command.state,
    failureReason: command.failureReason,
  },
})

import type { DatabaseSync } from 'node:sqlite'
import type { CommandStore } from '../../../domain/control/command/store.ts'
import { commandFrom, findCommand, lastOutcomeSteps, unfinishedCommands } from './command-rows.ts'
import { prepareOnce } from '../connect.ts'
import { readingInSlices, translateErrors } from '../failure.ts'
import { findReplay } from './idempotency.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

export const sqliteCommands = (reader: () => DatabaseSync, writes: BoundWrites<'commands'>): CommandStore =>
  withWrites<CommandStore, 'commands'>(writes, {
    replay: async (siteUuid, key, now) => translateErrors(() => findReplay(reader(), siteUuid, key, now)),
    get: async (siteUuid, deviceUuid, commandUuid) =>
      translateErrors(() => findCommand(reader(), siteUuid, deviceUuid, commandUuid)),
    list: async (siteUuid, deviceUuid, { before, limit }) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          `SELECT * FROM commands
           WHERE site_uuid = ? ${deviceUuid === undefined ? '' : 'AND device_uuid = ?'} AND (created_at, command_uuid) < (?, ?)
           ORDER BY created_at DESC, command_uuid DESC LIMIT ?`,
        )
          .all(
            siteUuid,
            ...(deviceUuid === undefined ? [] : [deviceUuid]),
            before?.createdAt ?? Number.MAX_SAFE_INTEGER,
            before?.commandUuid ?? '',
            limit,
          )
          .map(commandFrom),
      ),
    search: async ({ createdFrom, siteUuid, partnerUuid, state }, { before, limit }) =>
      translateErrors(() => {
        const equal = Object.entries({ site_uuid: siteUuid, partner_uuid: partnerUuid, state }).filter(
          (entry): entry is [string, string] => entry[1] !== undefined,
        )
        return prepareOnce(
          reader(),
          `SELECT * FROM commands
           WHERE created_at >= ? AND (created_at, command_uuid) < (?, ?) ${equal.map(([column]) => `AND ${column} = ?`).join(' ')}
           ORDER BY created_at DESC, command_uuid DESC LIMIT ?`,
        )
          .all(
            createdFrom,
            before?.createdAt ?? Number.MAX_SAFE_INTEGER,
            before?.commandUuid ?? '',
            ...equal.map(([, value]) => value),
            limit,
          )
          .map(commandFrom)
      }),
    lastOutcomes: (siteUuid, deviceUuids) =>
      readingInSlices(() => lastOutcomeSteps(reader(), siteUuid, deviceUuids)),
    unfinished: async (siteUuid, deviceUuid) =>
      translateErrors(() => unfinishedCommands(reader(), siteUuid, deviceUuid)),
    confirmed: async (siteUuid, deviceUuid, now) =>
      translateErrors(() => {
        const newest = (...types: string[]) =>
          prepareOnce(reader(), newestConfirmed(types.length)).all(
            ...types.flatMap((type) => [siteUuid, deviceUuid, type]),
          )
        const oneOffs = prepareOnce(
          reader(),
          `SELECT * FROM commands WHERE site_uuid = ? AND device_uuid = ? AND state = 'CONFIRMED'
           AND type = 'oneOff' AND ends_at > ?`,
        ).all(siteUuid, deviceUuid, now)
        return [...newest('weekly'), ...newest('override', 'boost', 'resume'), ...oneOffs].map(commandFrom)
      }),
    // Called every second: the writer is used only if a deadline has passed.
    expireOverdue: async (now) => {
      const isDue = translateErrors(() =>
        prepareOnce(reader(), 'SELECT 1 FROM commands WHERE deadline_at <= ? LIMIT 1').get(now),
      )
      return isDue ? writes.expireOverdue(now) : []
    },
  })

/** The newest confirmed command of several types. Each type is sought separately, so that its index yields one row. */
const newestConfirmed = (types: number): string => `
  SELECT * FROM (${Array.from({ length: types }, () => NEWEST_OF_TYPE).join(' UNION ALL ')})
  ORDER BY created_at DESC, command_uuid DESC LIMIT 1`

const NEWEST_OF_TYPE = `
  SELECT * FROM (
    SELECT * FROM commands WHERE site_uuid = ? AND device_uuid = ? AND state = 'CONFIRMED' AND type = ?
    ORDER BY created_at DESC, command_uuid DESC LIMIT 1)`

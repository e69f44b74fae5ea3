import type { DatabaseSync } from 'node:sqlite'
import type { Target } from '../../command/command.ts'
import type { PlayerStore } from '../../command/store.ts'
import { prepared } from './connect.ts'
import { translateErrors } from './failure.ts'
import { integer, type Row, text, textOrNull } from './row.ts'
import { type BoundWrites, withWrites } from './writer.ts'

const targetOf = (row: Row): Target | null => {
  const target = textOrNull(row, 'target')
  return target === null ? null : (JSON.parse(target) as Target)
}

export const sqlitePlayers = (reader: () => DatabaseSync, writes: BoundWrites<'players'>): PlayerStore =>
  withWrites<PlayerStore, 'players'>(writes, {
    due: async (now, limit) =>
      translateErrors(() =>
        prepared(reader(), 'SELECT * FROM players WHERE next_at <= ? ORDER BY next_at LIMIT ?')
          .all(now, limit)
          .map((row) => ({
            siteUuid: text(row, 'site_uuid'),
            deviceUuid: text(row, 'device_uuid'),
            nextAt: integer(row, 'next_at'),
            target: targetOf(row),
          })),
      ),
    lastTarget: async (siteUuid, deviceUuid) =>
      translateErrors(() => {
        const row = prepared(
          reader(),
          'SELECT target FROM players WHERE site_uuid = ? AND device_uuid = ?',
        ).get(siteUuid, deviceUuid)
        return row ? targetOf(row) : null
      }),
  })

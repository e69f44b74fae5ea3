import type { DatabaseSync } from 'node:sqlite'
import type { Target } from '../../../domain/control/schedule/schedule.ts'
import type { ServerScheduleStore } from '../../../domain/control/command/store.ts'
import { prepareOnce } from '../connect.ts'
import { translateErrors } from '../failure.ts'
import { integer, type Row, text, textOrNull } from '../row.ts'
import { type BoundWrites, withWrites } from '../writer.ts'

const parseTarget = (row: Row): Target | null => {
  const target = textOrNull(row, 'last_target')
  return target === null ? null : (JSON.parse(target) as Target)
}

export const sqliteServerSchedules = (
  reader: () => DatabaseSync,
  writes: BoundWrites<'serverSchedules'>,
): ServerScheduleStore =>
  withWrites<ServerScheduleStore, 'serverSchedules'>(writes, {
    due: async (now, limit) =>
      translateErrors(() =>
        prepareOnce(
          reader(),
          'SELECT * FROM server_schedules WHERE next_change_at <= ? ORDER BY next_change_at LIMIT ?',
        )
          .all(now, limit)
          .map((row) => ({
            siteUuid: text(row, 'site_uuid'),
            deviceUuid: text(row, 'device_uuid'),
            nextAt: integer(row, 'next_change_at'),
            target: parseTarget(row),
          })),
      ),
    lastTarget: async (siteUuid, deviceUuid) =>
      translateErrors(() => {
        const row = prepareOnce(
          reader(),
          'SELECT last_target FROM server_schedules WHERE site_uuid = ? AND device_uuid = ?',
        ).get(siteUuid, deviceUuid)
        return row ? parseTarget(row) : null
      }),
  })

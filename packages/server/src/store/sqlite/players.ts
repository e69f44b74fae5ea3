import type { DatabaseSync } from 'node:sqlite'
import type { Target } from '../../command/command.ts'
import type { Player, PlayerStore } from '../../command/store.ts'
import { prepared } from './connect.ts'
import { translateErrors } from './failure.ts'
import { endTargets, putMessage } from './outbox-rows.ts'
import { notePlayed } from './player-rows.ts'
import { integer, type Row, text, textOrNull } from './row.ts'
import type { Writer } from './writer.ts'

const targetOf = (row: Row): Target | null => {
  const target = textOrNull(row, 'target')
  return target === null ? null : (JSON.parse(target) as Target)
}

export const playerWrites = {
  advancePlayer(
    db: DatabaseSync,
    { siteUuid, deviceUuid, nextAt: before }: Player,
    nextAt: number | null,
    message: { messageUuid: string; target: Target; createdAt: number; expiresAt: number } | undefined,
  ): void {
    const { changes } = prepared(
      db,
      'UPDATE players SET next_at = ? WHERE site_uuid = ? AND device_uuid = ? AND next_at = ?',
    ).run(nextAt, siteUuid, deviceUuid, before)
    // Somebody else has played this change.
    if (changes === 0 || !message) return
    endTargets(db, siteUuid, deviceUuid)
    const { target, ...when } = message
    putMessage(db, { siteUuid, deviceUuid, kind: 'target', body: { target }, dueAt: when.createdAt, ...when })
    notePlayed(db, siteUuid, deviceUuid, target)
  },
}

export const sqlitePlayers = (reader: () => DatabaseSync, writer: Writer): PlayerStore => ({
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
  advance: (player, nextAt, message) => writer.run('advancePlayer', player, nextAt, message),
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import type { RollupStore } from '../../src/domain/telemetry/rollup/store.ts'
import { openWriter } from '../../src/store/sqlite/connect.ts'
import { beginImmediate } from '../../src/store/sqlite/write-lock.ts'
import { packBatch } from '../../src/store/sqlite/journal/journal-batch.ts'
import { getJournal } from '../../src/store/sqlite/journal/journal.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { addCorrections, reportCorrections } from '../../src/store/sqlite/thread/corrections.ts'
import { readingWrites } from '../../src/store/sqlite/thread/readings.ts'
import { sqliteRollups } from '../../src/store/sqlite/rollups/rollups.ts'
import { createSqliteStore } from '../../src/store/sqlite/store.ts'
import { toReadingBatch } from '../../src/domain/telemetry/reading/batch.ts'

const SERIES = 7
const HOUR = 3_600_000

/** Two connections to one file, as of a server and a concurrent command. */
async function withTwo(
  run: (one: DatabaseSync, other: DatabaseSync, file: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-'))
  const file = join(folder, 'portico.db')
  const [one, other] = [openWriter(file), openWriter(file)]
  try {
    migrate(one)
    await run(one, other, file)
  } finally {
    one.close()
    other.close()
    rmSync(folder, { recursive: true })
  }
}

function write(db: DatabaseSync, work: () => void): void {
  beginImmediate(db)
  work()
  db.exec('COMMIT')
}

const hours = (count: number): Uint8Array =>
  packBatch(
    toReadingBatch([
      {
        seriesId: SERIES,
        timestamps: Array.from({ length: count }, (_, index) => (index + 1) * HOUR),
        values: Array.from({ length: count }, () => 20),
      },
    ]),
  )

const changedAt = ({ versions }: RollupStore): number =>
  versions?.lastChangeBefore([SERIES], 2 * HOUR) ?? Number.NaN

test('a write transaction sees what another process has just committed', () =>
  withTwo(async (one, other) => {
    assert.equal(getJournal(one).hot().size, 0)
    write(other, () => getJournal(other).append(hours(1)))
    write(one, () => assert.deepEqual(getJournal(one).hot().newest(SERIES), { at: HOUR, value: 20 }))
  }))

test('a notified process sees the commit, within the same event-loop tick too', () =>
  withTwo(async (_one, other, file) => {
    const store = createSqliteStore(file, {
      send: async () => write(other, () => getJournal(other).append(hours(1))),
      close: async () => {},
    })
    const before = changedAt(store.rollups)
    await store.markAsDemo()
    assert.ok(changedAt(store.rollups) > before)
    await store.close()
  }))

test('readings packed before anything was read still count as a change of their series', () =>
  withTwo(async (one, other) => {
    const rollups = sqliteRollups(() => one)
    const before = changedAt(rollups)
    await nextTurn()
    write(other, () => {
      const journal = getJournal(other)
      journal.append(hours(1))
      journal.dropThrough(journal.lastSequence())
    })
    assert.ok(changedAt(rollups) > before)
  }))

test('a history that bypasses the journal is a change of its series', () =>
  withTwo(async (one, other) => {
    const { versions } = sqliteRollups(() => one)
    const before = versions?.version(SERIES)
    await nextTurn()
    write(other, () => readingWrites.add(other, 'site', hours(24 * 20), 'replace'))
    assert.equal(getJournal(other).index.size, 0, 'it is not in the journal')
    assert.notEqual(versions?.version(SERIES), before)
  }))

test('a correction that another process has reported is stored again when its days change again', () =>
  withTwo(async (one, other) => {
    const add = (): number => addCorrections(one, 'site', [{ seriesId: SERIES, from: 5, end: 6 }], 1_000)
    const count = (): unknown => one.prepare('SELECT count(*) AS rows FROM corrections').get()?.['rows']
    write(one, add)
    write(one, add)
    assert.equal(count(), 1)
    write(other, () => void reportCorrections(other, Number.MAX_SAFE_INTEGER, 2_000))
    assert.equal(count(), 0)
    write(one, add)
    assert.equal(count(), 1)
  }))

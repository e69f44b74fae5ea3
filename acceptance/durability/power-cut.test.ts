import assert from 'node:assert/strict'
import { readFile, rm, stat } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { type Random, randomFrom } from '../support/histories/random.ts'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'
import { makeStore, type Store } from '../support/servers/store.ts'
import { ingestChannels } from '../support/clients/ingest-channels.ts'
import { type Disk, makeDisk } from './support/disk.ts'
import {
  afterPowerCut,
  nothingUnsynced,
  readFolder,
  type Survival,
  writeFolder,
} from './support/disk-image.ts'
import { type LogRecord, readLog } from './support/disk-log.ts'
import { makeLedger, openLedger, type Reader } from './support/ledger.ts'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_115)
const rounds = Number(process.env['PROPERTY_RUNS'] ?? 3)
const deliveries = 24
const ledger = makeLedger(700)

let store: Store
let disk: Disk
let reader: Reader
let base: Map<string, Buffer>
let records: LogRecord[]
/** Length of the log when a delivery was acknowledged. */
const acknowledged: { number: number; logLength: number }[] = []
let opened = 0

before(async () => {
  store = await makeStore()
  disk = await makeDisk()
  base = await readFolder(store.dataDir)
  const env = disk.watching(store.dataDir)
  let installation = { ...(await store.start({ env })), env }
  reader = await openLedger(installation, ledger)
  opened = (await stat(disk.log)).size
  for (let number = 0; number < deliveries; number += 1) {
    // A clean stop checkpoints and deletes files that a kill leaves, so it produces other writes.
    if (number === Math.floor(deliveries / 2)) {
      await installation.stop()
      installation = { ...(await store.start({ env })), env }
    }
    const ways = ingestChannels(installation)
    await ways[number % ways.length]?.send(ledger.delivery(number))
    acknowledged.push({ number, logLength: (await stat(disk.log)).size })
  }
  await installation.portico.kill()
  records = readLog(await readFile(disk.log))
})
after(async () => {
  await store.remove()
  await disk.remove()
})

/** Any unsynced write may be on the disk completely, partly or not at all. */
function anything(random: Random): Survival {
  return {
    write: () => random.chance(0.5),
    names: () => random.chance(0.5),
    length: (whole) => (random.chance(0.2) ? Math.min(whole, random.below(9) * 512) : whole),
  }
}

/** Starts a server on what the power cut left: everything acknowledged by then must be stored and the store intact. */
async function assertSurvives(cut: number, survival: Survival, seen = records): Promise<void> {
  const folder = await makeTempDir()
  try {
    const left = afterPowerCut(
      base,
      seen.filter(({ end }) => end <= cut),
      survival,
    )
    await writeFolder(left, store.dataDir, folder)
    const examined = await runPortico(['doctor', '--json'], { dataDir: folder })
    assert.equal(examined.code, 0, examined.stdout)
    const installation = await store.start({ dataDir: folder })
    try {
      const client = await reader.on(installation)
      for (const { number } of acknowledged.filter(({ logLength }) => logLength <= cut)) {
        await ledger.assertThere(client, number)
      }
    } finally {
      await installation.portico.kill()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

describe('a power cut', () => {
  test('right after an acknowledgement loses nothing that was acknowledged, and leaves an intact store', async () => {
    const random = randomFrom(seed)
    const last = acknowledged.at(-1)
    const moments = [last, ...Array.from({ length: rounds - 1 }, () => random.pick(acknowledged))]
    for (const moment of moments) await assertSurvives(moment?.logLength ?? 0, nothingUnsynced)
  })

  test('at any moment, with any outcome for pending writes, loses nothing that was acknowledged', async (context) => {
    context.diagnostic(`PROPERTY_SEED=${seed}`)
    const random = randomFrom(seed + 1)
    const later = records.filter(({ end }) => end >= opened)
    for (let round = 0; round < rounds; round += 1) {
      await assertSurvives(random.pick(later).end, anything(random))
    }
  })

  test('on a disk that loses synced data is detected by these tests', async () => {
    const cut = acknowledged.at(-1)?.logLength ?? 0
    // Without the syncs after the first delivery, the server still starts but acknowledged readings are missing.
    const first = acknowledged[0]?.logLength ?? 0
    const forgetful = records.filter(({ kind, end }) => end <= first || !kind.startsWith('sync'))
    await assert.rejects(assertSurvives(cut, nothingUnsynced, forgetful), /delivery \d+/)
  })
})

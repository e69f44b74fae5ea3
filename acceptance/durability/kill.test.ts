import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { type Random, randomFrom } from '../support/histories/random.ts'
import type { Installation } from '../support/servers/installation.ts'
import { makeTempDir, runPortico } from '../support/servers/portico.ts'
import { spawnCommand } from '../support/servers/spawned-command.ts'
import { makeStore, type Store } from '../support/servers/store.ts'
import {
  importFile,
  importReadings,
  readReport,
  type Report,
  ingestChannels,
  write,
} from '../support/clients/ingest-channels.ts'
import { makeLedger, openLedger, type Reader } from './support/ledger.ts'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_115)
const rounds = Number(process.env['PROPERTY_RUNS'] ?? 5)
const size = 100
/** Deliveries sent over HTTP, and deliveries in one file of the command line. */
const streamed = makeLedger(size)
const imported = makeLedger(size)
const importedDeliveries = 120
/** As many as fit into the longest range of days that can be queried. */
const mostDeliveries = 1200
/** Deliveries that a round waits for before its kill, while the clients continue. */
const mostPerRound = 120

let store: Store
let folder = ''
let file = ''
let readers: { streamed: Reader; imported: Reader }

before(async () => {
  store = await makeStore()
  folder = await makeTempDir()
  file = join(folder, 'readings.ndjson')
  const numbers = Array.from({ length: importedDeliveries }, (_, number) => number)
  await writeFile(file, numbers.map((number) => write(imported.delivery(number), 'ndjson')).join(''))
  const installation = await store.start()
  readers = {
    streamed: await openLedger(installation, streamed),
    imported: await openLedger(installation, imported),
  }
  await installation.stop()
})
after(async () => {
  await store.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Deliveries sent and acknowledged: of the unacknowledged ones some may be stored. */
interface Deliveries {
  sent: Set<number>
  acknowledged: Set<number>
}

/** Sends deliveries one after another until the server is killed. */
async function stream(
  installation: Installation,
  numbers: number[],
  { sent, acknowledged }: Deliveries,
): Promise<void> {
  const ways = ingestChannels(installation).filter(({ name }) => name.startsWith('HTTP'))
  for (const number of numbers) {
    sent.add(number)
    try {
      await ways[number % ways.length]?.send(streamed.delivery(number))
    } catch (error) {
      // This test expects broken connections, but no wrong responses.
      if (error instanceof assert.AssertionError) throw error
      return
    }
    acknowledged.add(number)
  }
}

/** One round: two clients and an import running, and a kill at an arbitrary point. */
async function round(random: Random, deliveries: Deliveries): Promise<void> {
  const installation = await store.start()
  const numbers = Array.from({ length: mostDeliveries }, (_, number) => number)
  const open = numbers.filter((number) => !deliveries.acknowledged.has(number))
  const clients = [0, 1].map((half) =>
    stream(
      installation,
      open.filter((_, index) => index % 2 === half),
      deliveries,
    ),
  )
  const importing = await spawnCommand(['readings', 'import', file, '--json'], store.dataDir)
  // The point depends on the work done, not on time: the test covers the same range on slow and on fast machines.
  const untilAcknowledged = async (more: number): Promise<void> => {
    const enough = deliveries.acknowledged.size + more
    await eventually(async () => assert.ok(deliveries.acknowledged.size >= enough))
  }
  await untilAcknowledged(random.below(mostPerRound))
  if (random.chance(0.7)) importing.kill('SIGKILL')
  await untilAcknowledged(random.below(mostPerRound / 3))
  await installation.portico.kill()
  await Promise.all(clients)
  importing.kill('SIGKILL')
  await importing.ended
}

test('after kill -9 at any moment every acknowledged delivery is stored once, and repeating the others gives the same totals', async (context) => {
  context.diagnostic(`PROPERTY_SEED=${seed}`)
  const random = randomFrom(seed)
  const sent = new Set<number>()
  const acknowledged = new Set<number>()
  for (let count = 0; count < rounds; count += 1) {
    await round(random, { sent, acknowledged })
    const installation = await store.start()
    const client = await readers.streamed.on(installation)
    for (const number of acknowledged) await streamed.assertThere(client, number)
    await installation.portico.kill()
  }
  assert.ok(acknowledged.size > 0)

  const installation = await store.start()
  const count = Math.max(...sent) + 1
  const ways = ingestChannels(installation)
  const reports: Report[] = []
  for (let number = 0; number < count; number += 1) {
    // One of the channels is a separate command, which takes time to start.
    const way = ways[number % 40 === 0 ? ways.length - 1 : number % 3]
    const report = await way?.send(streamed.delivery(number))
    if (report) reports.push(report)
    if (report && acknowledged.has(number)) assert.equal(report.unchanged, size, `delivery ${number}`)
  }
  assert.ok(reports.every(({ replaced }) => replaced === 0))
  const client = await readers.streamed.on(installation)
  for (let number = 0; number < count; number += 1) await streamed.assertThere(client, number)
  await streamed.assertTotals(client, count)

  // The import resumes from its checkpoint, which must not be ahead of the store.
  const rest = readReport(await importFile({ dataDir: store.dataDir }, file))
  assert.equal(rest.refusedCount + rest.replaced, 0)
  const again = readReport(
    await importReadings({ dataDir: store.dataDir }, 'ndjson', await readFile(file, 'utf8')),
  )
  assert.deepEqual(again, { accepted: 0, replaced: 0, unchanged: importedDeliveries * size, refusedCount: 0 })
  const other = await readers.imported.on(installation)
  for (let number = 0; number < importedDeliveries; number += 1) await imported.assertThere(other, number)
  await imported.assertTotals(other, importedDeliveries)
  await installation.stop()
  const examined = await runPortico(['doctor', '--json'], { dataDir: store.dataDir })
  assert.equal(examined.code, 0, examined.stdout)
})

import assert from 'node:assert/strict'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { randomFrom } from '../support/histories/random.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import type { NewPartner } from '../support/clients/operator.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'
import { scale } from '../support/overload/scale.ts'
import { makeTempDir, type Portico, runPortico, startPortico } from '../support/servers/portico.ts'
import { type Answer, tokenFor } from '../support/clients/requests.ts'
import { makeStore, type Store } from '../support/servers/store.ts'
import { v1Client } from '../support/clients/v1.ts'
import { v2Client } from '../support/clients/v2-client.ts'
import { postReadings, write } from '../support/clients/ingest-channels.ts'
import { makeMeasuredSite } from './support/measured-site.ts'

const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_116)
// Responses about the current hour or month change with time.
const now = Date.now()
const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'error', ...stoppedClock(now) }
const house = makeMeasuredSite(now)

let store: Store
let partner: NewPartner
/** The file of the stopped server, and its responses before the damage. */
let intact: Buffer
let truth: Answers

/** The status and body of every path. */
type Answers = Map<string, { status: number; body: string }>

before(async () => {
  store = await makeStore()
  const installation = await store.start({ env })
  try {
    await applyInventory(installation, house.document)
    partner = (await addClient(installation, [house.siteUuid])).partner
    await postReadings(installation, 'ndjson', write(house.history, 'ndjson'))
    for (const delivery of house.recent) await postReadings(installation, 'ndjson', write(delivery, 'ndjson'))
    await eventually(async () => {
      assert.match(await readMetrics(installation.portico), /^portico_rollup_queue_entries 0$/m)
    })
    truth = await readAll(installation.portico)
    for (const [path, { status, body }] of truth) assert.equal(status, 200, `${path}: ${body}`)
  } finally {
    await installation.stop()
  }
  const file = join(store.dataDir, 'portico.db')
  // Removes former copies of rows, of which a changed byte would damage nothing.
  const db = new DatabaseSync(file)
  db.exec('VACUUM')
  db.close()
  intact = await readFile(file)
})
after(() => store.remove())

async function readAll(portico: Portico): Promise<Answers> {
  const client = v2Client(
    portico,
    await tokenFor(portico, partner.clientId, partner.clientSecret),
    house.siteUuid,
  )
  const v1 = v1Client(client)
  const answers: Answers = new Map()
  const note = (path: string, { status, text }: Answer): void =>
    void answers.set(path, { status, body: status === 200 ? text : '' })
  // Twice: a cached first response must neither hide nor repeat an error.
  for (let round = 0; round < 2; round += 1) {
    for (const path of house.paths) note(path, await client.send(path))
    for (const path of house.v1Paths) note(`v1 ${path}`, await v1.send(path))
  }
  return answers
}

/** A separate folder with a copy of the store in which one byte is changed. */
async function flipped(position: number, mask: number): Promise<string> {
  const dataDir = await makeTempDir()
  await cp(store.dataDir, dataDir, { recursive: true })
  const bytes = Buffer.from(intact)
  bytes[position] = (bytes[position] ?? 0) ^ mask
  await writeFile(join(dataDir, 'portico.db'), bytes)
  for (const end of ['-wal', '-shm']) await rm(join(dataDir, `portico.db${end}`), { force: true })
  return dataDir
}

/** Undefined if the server reports that it cannot start. */
async function startOn(dataDir: string): Promise<Portico | undefined> {
  try {
    return await startPortico({ demo: false, dataDir, env })
  } catch (error) {
    assert.match(String(error), /ended with/)
    return undefined
  }
}

/** The outcome of one changed byte. */
type Outcome = 'unharmed' | 'reported' | 'refused to start'

async function readWithChangedByte(position: number, mask: number, where: string): Promise<Outcome> {
  const dataDir = await flipped(position, mask)
  try {
    const portico = await startOn(dataDir)
    if (!portico) return 'refused to start'
    await using _server = portico
    let answers: Answers
    try {
      answers = await readAll(portico)
    } catch (error) {
      // Credentials are in the file too; a client that cannot authenticate gets no results.
      if (error instanceof assert.AssertionError) return 'reported'
      throw error
    }
    let outcome: Outcome = 'unharmed'
    for (const [path, { status, body }] of answers) {
      const about = `seed ${seed}, byte ${position} ^ ${mask} (${where}): ${path}`
      if (status === 503) {
        outcome = 'reported'
        continue
      }
      assert.equal(status, 200, `${about}: ${portico.output()}`)
      assert.equal(body, truth.get(path)?.body, `${about} returned a different result`)
    }
    return outcome
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const TABLES: Record<string, string> = {
  reading_days: 'readings',
  rollup_days: 'cells',
  rollup_months: 'cells',
  journal: 'batch',
  series_days: 'days',
}
/** A row's header and key precede its bytes, its checksum follows them. */
const BEFORE_BYTES = 12
const AFTER_BYTES = 6

/** The positions of a table's rows in the file. */
function findRows(table: string): { from: number; to: number }[] {
  const db = new DatabaseSync(join(store.dataDir, 'portico.db'), { readOnly: true })
  const column = TABLES[table] ?? ''
  const blobs = db.prepare(`SELECT ${column} AS bytes FROM ${table}`).all()
  db.close()
  const rows = blobs.flatMap(({ bytes }) => {
    if (!(bytes instanceof Uint8Array)) return []
    // A long row continues in overflow pages; its beginning is enough.
    const beginning = bytes.subarray(0, 400)
    const start = intact.indexOf(beginning)
    if (start === -1) return []
    const isUnique = start === intact.lastIndexOf(beginning)
    return [{ from: start - BEFORE_BYTES, to: start + beginning.length + AFTER_BYTES, isUnique }]
  })
  // The bytes of a short row may also be a part of another row. Rows that are all alike are as good as unique ones.
  const unique = rows.filter(({ isUnique }) => isUnique)
  return unique.length > 0 ? unique : rows
}

test('a changed byte in the file never changes a result: responses are as before, or 503', async (context) => {
  context.diagnostic(`PROPERTY_SEED=${seed}`)
  const random = randomFrom(seed)
  const flips: [position: number, where: string][] = []
  for (const table of Object.keys(TABLES)) {
    const rows = findRows(table)
    for (let count = 0; count < scale(0, 40); count += 1) {
      const { from, to } = random.pick(rows)
      flips.push([from + random.below(to - from), table])
    }
  }
  for (let count = 0; count < scale(2, 100); count += 1) flips.push([random.below(intact.length), 'anywhere'])
  const outcomes: Record<string, number> = {}
  for (const [position, where] of random.shuffle(flips)) {
    const outcome = await readWithChangedByte(position, 1 << random.below(8), where)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  context.diagnostic(JSON.stringify(outcomes))
})

for (const table of Object.keys(TABLES)) {
  test(`a changed byte in a row of ${table} is reported when the row is read, and the row is not used`, async () => {
    const row = findRows(table).at(-1)
    assert.ok(row)
    const middle = Math.floor((row.from + BEFORE_BYTES + row.to - AFTER_BYTES) / 2)
    const dataDir = await flipped(middle, 1)
    await using portico = await startPortico({ demo: false, dataDir, env })
    for (const [path, { status, body }] of await readAll(portico))
      if (status !== 503) assert.deepEqual([status, body], [200, truth.get(path)?.body], path)
    await portico.waitForOutput(new RegExp(`"table":"${table}".*a stored row is damaged`))
    await portico.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
}

test('a changed latest reading is reported, and the readings are read instead', async () => {
  const dataDir = await makeTempDir()
  await cp(store.dataDir, dataDir, { recursive: true })
  const db = new DatabaseSync(join(dataDir, 'portico.db'))
  // Newer than every reading, so that it would be used.
  db.prepare('UPDATE latest_readings SET ts = ?, value = value + 1').run(now - 1_000)
  db.close()
  await using portico = await startPortico({ demo: false, dataDir, env })
  assert.deepEqual(await readAll(portico), truth)
  await portico.waitForOutput(/"table":"latest_readings".*a stored row is damaged/)
  await portico.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** A copy of the store in which one bit of the first day of a table is changed. */
async function withDamagedDay(table: 'reading_days' | 'rollup_days'): Promise<string> {
  const dataDir = await makeTempDir()
  await cp(store.dataDir, dataDir, { recursive: true })
  const db = new DatabaseSync(join(dataDir, 'portico.db'))
  const column = TABLES[table] ?? ''
  const row = db.prepare(`SELECT series_id, day, ${column} AS bytes FROM ${table} LIMIT 1`).get()
  assert.ok(row?.['bytes'] instanceof Uint8Array && row['series_id'] && row['day'])
  const bytes = row['bytes']
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  db.prepare(`UPDATE ${table} SET ${column} = ? WHERE series_id = ? AND day = ?`).run(
    bytes,
    row['series_id'],
    row['day'],
  )
  db.close()
  return dataDir
}

test('damage to a packed day is reported for that day only, in the log, in the metrics and by doctor, until the loss is accepted', async () => {
  const dataDir = await withDamagedDay('reading_days')
  const examine = (...flags: string[]) => runPortico(['doctor', ...flags], { dataDir, env })
  const deep = await examine('--deep')
  assert.equal(deep.code, 1, deep.stdout)
  assert.match(deep.stdout, /BAD .*reading_days \(series \d+, UTC day \d+\)/)
  {
    await using portico = await startPortico({ demo: false, dataDir, env })
    const answers = await readAll(portico)
    const lost = [...answers].filter(([, { status }]) => status === 503).map(([path]) => path)
    assert.ok(lost.length > 0 && lost.length < answers.size / 2, lost.join('\n'))
    await portico.waitForOutput(/"table":"reading_days".*a stored row is damaged/)
    assert.equal(portico.output().match(/a stored row is damaged/g)?.length, 1, portico.output())
    assert.match(await readMetrics(portico), /^portico_store_damaged_rows_total\{table="reading_days"\} 1$/m)
  }
  const again = await examine()
  assert.equal(again.code, 1, again.stdout)
  const accepted = await examine('--accept-loss')
  assert.equal(accepted.code, 0, accepted.stdout + accepted.stderr)
  await using portico = await startPortico({ demo: false, dataDir, env })
  const statuses = [...(await readAll(portico)).values()].map(({ status }) => status)
  assert.ok(statuses.every((status) => status === 200))
  await portico.stop()
  assert.equal((await examine('--deep')).code, 0)
  await rm(dataDir, { recursive: true, force: true })
})

test('a damaged rollup is rebuilt from its readings', async () => {
  const dataDir = await withDamagedDay('rollup_days')
  const examine = () => runPortico(['doctor', '--deep'], { dataDir, env })
  const before = await examine()
  assert.equal(before.code, 1, before.stdout)
  assert.match(before.stdout, /BAD .*rollup_days \(series \d+, day \d+\)/)
  {
    await using portico = await startPortico({ demo: false, dataDir, env })
    assert.deepEqual(await readAll(portico), truth)
    await eventually(async () => {
      assert.match(await readMetrics(portico), /^portico_rollup_queue_entries 0$/m)
    })
  }
  const afterwards = await examine()
  assert.equal(afterwards.code, 0, afterwards.stdout)
  await rm(dataDir, { recursive: true, force: true })
})

test('doctor --deep reports nothing for an undamaged store', async () => {
  const examined = await runPortico(['doctor', '--deep'], { dataDir: store.dataDir, env })
  assert.equal(examined.code, 0, examined.stdout)
})

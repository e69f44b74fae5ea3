import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { mqttChannel } from '../support/clients/mqtt-channel.ts'
import type { ReadingRecord } from '../support/clients/ingest-channels.ts'
import { useControl } from '../support/control/control-harness.ts'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, asString, parseJson } from '../support/json.ts'
import { queryParquet } from '../support/oracles/parquet.ts'
import { makeTempDir, type Portico } from '../support/servers/portico.ts'
import { startProxy } from './proxy.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const COMMAND = fileURLToPath(new URL('../../packages/sdk/src/cli.ts', import.meta.url))

/** Far from UTC, by a part of an hour, and without changes of the clock. */
const ZONE = 'Asia/Kathmandu'
const OFFSET_MS = 5.75 * HOUR_MS
/** Start of the first day that is closed while the test runs. */
const FIRST = (Math.floor((Date.now() + OFFSET_MS) / DAY_MS) + 1) * DAY_MS - OFFSET_MS
/** The local date of an instant. */
const toDate = (at: number): string => new Date(at + OFFSET_MS).toISOString().slice(0, 10)
const MONTHS = 4
const OLDEST = toDate(FIRST - (MONTHS - 1) * 31 * DAY_MS).slice(0, 7)

const control = await useControl({ at: FIRST + 20 * HOUR_MS })
const house = makeSmallSite({ timeZone: ZONE })
const site = await control.addSite(house)
const folder = await makeTempDir()
after(() => rm(folder, { recursive: true, force: true }))

const send = (at: number, value: number): Promise<unknown> => {
  const reading: ReadingRecord = {
    deviceUuid: house.meter,
    metricType: 'electricity',
    timestamp: new Date(at).toISOString(),
    value,
  }
  return mqttChannel(control.installation, house.siteUuid, site.account).send([reading])
}

/** Starts the command on the clock of the server. */
function startMirror(
  into: string,
  args: string[] = [],
  { baseUrl, authUrl }: Pick<Portico, 'baseUrl' | 'authUrl'> = control.installation.portico,
): ChildProcess & { printed: string } {
  const { clientId, clientSecret } = site.partner
  const child = spawn(process.execPath, [COMMAND, 'mirror', into, '--from', OLDEST, ...args], {
    env: {
      ...process.env,
      ...control.clock.env,
      PORTICO_BASE_URL: baseUrl,
      PORTICO_AUTH_URL: authUrl,
      PORTICO_CLIENT_ID: clientId,
      PORTICO_CLIENT_SECRET: clientSecret,
      PORTICO_SITE_ID: house.siteUuid,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const started = Object.assign(child, { printed: '' })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      started.printed += text.toString()
    })
  return started
}

/** Runs the command until the folder is up to date; returns the months that it read. */
async function mirrorOnce(into: string): Promise<string[]> {
  const child = startMirror(into, ['--once'])
  const [code] = (await once(child, 'close')) as [number | null]
  assert.equal(code, 0, child.printed)
  return [...child.printed.matchAll(/month (\S+) is up to date/g)].map(([, month = '']) => month)
}

const listFiles = async (into: string): Promise<string[]> =>
  (await readdir(join(into, `site=${house.siteUuid}`)).catch((): string[] => []))
    .filter((name) => name.endsWith('.parquet'))
    .toSorted()

const loadFile = (into: string, name: string): Promise<Buffer> =>
  readFile(join(into, `site=${house.siteUuid}`, name))

const ROWS = 'SELECT * FROM file ORDER BY ALL'

/** The files of a folder have exactly the rows of an export of each month up to today. */
async function assertEqualsServer(into: string): Promise<void> {
  const files = await listFiles(into)
  const today = toDate(control.clock.now())
  for (const name of files) {
    const month = name.slice('month='.length, -'.parquet'.length)
    const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1))
      .toISOString()
      .slice(0, 10)
    const query = `fromDateTime=${month}-01&toDateTime=${next < today ? next : today}&interval=PT1H&format=parquet`
    const { portico } = control.installation
    const { token } = await site.client()
    const response = await fetch(`${portico.baseUrl}/export/windows?${query}`, {
      headers: { authorization: `Bearer ${token}`, siteid: house.siteUuid },
    })
    assert.equal(response.status, 200)
    const expected = await queryParquet(new Uint8Array(await response.arrayBuffer()), ROWS)
    assert.deepEqual(await queryParquet(await loadFile(into, name), ROWS), expected, name)
  }
  assert.ok(files.length >= MONTHS, String(files))
}

/** Every file is complete: it begins and ends with the mark of the format. */
async function assertWhole(into: string): Promise<void> {
  for (const name of await listFiles(into)) {
    const bytes = await loadFile(into, name)
    assert.deepEqual([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()], ['PAR1', 'PAR1'], name)
  }
}

test('a mirror has every month, and reads again exactly what has changed', async () => {
  for (let day = (MONTHS - 1) * 31; day >= 0; day -= 1)
    await send(FIRST - day * DAY_MS + HOUR_MS, 5_000 - day)
  control.clock.moveTo(FIRST + DAY_MS + 11 * 60_000)
  await send(FIRST + DAY_MS, 5_001)
  const client = await site.client()
  await eventually(async () => {
    const { data } = await client.get('/events?after=0&types=day.closed')
    assert.equal((data as unknown[]).length, 1)
  })
  const all = await mirrorOnce(folder)
  assert.ok(all.length >= MONTHS)
  await assertEqualsServer(folder)
  // The first readings may have been late for the first closing; when that is reported, nothing is left to read.
  await eventually(async () => assert.deepEqual(await mirrorOnce(folder), []))

  const state = await readFile(join(folder, `site=${house.siteUuid}`, 'mirror.json'), 'utf8')
  const { after: position } = asObject(parseJson(state))
  const late = FIRST - 40 * DAY_MS + 5 * HOUR_MS
  await send(late, 4_960.25)
  const read = await eventually(async () => {
    const months = await mirrorOnce(folder)
    assert.ok(months.includes(toDate(late).slice(0, 7)))
    return months
  })
  const { data } = await client.get(`/events?after=${Number(position)}&types=data.corrected`)
  const named = asArray(data).flatMap((event) => {
    const { fromDateTime, days } = asObject(asObject(event)['data'])
    const first = Date.parse(asString(fromDateTime))
    return Array.from({ length: Number(days) }, (_, day) => toDate(first + day * DAY_MS).slice(0, 7))
  })
  assert.deepEqual(read, [...new Set(named)].toSorted())
  await assertEqualsServer(folder)
})

test('a running mirror follows, and its files are whole at any time', async () => {
  const child = startMirror(folder)
  try {
    const [name = ''] = (await listFiles(folder)).slice(-1)
    const before = await loadFile(folder, name)
    await send(FIRST + 7 * HOUR_MS, 5_000.125)
    await eventually(async () => {
      await assertWhole(folder)
      assert.ok(!before.equals(await loadFile(folder, name)), child.printed)
    })
    await assertEqualsServer(folder)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
})

test('a mirror that is killed leaves whole files, and continues', async () => {
  const other = join(folder, 'killed')
  for (let kill = 0; kill < 5; kill += 1) {
    const child = startMirror(other)
    // Killed soon after it has written something new.
    const had = (await listFiles(other)).length
    await eventually(async () => {
      const isDone = (await listFiles(other)).length >= MONTHS
      assert.ok(isDone || (await listFiles(other)).length > had || child.exitCode !== null, child.printed)
    })
    await sleep(Math.random() * 50)
    child.kill('SIGKILL')
    await once(child, 'close')
    await assertWhole(other)
  }
  await mirrorOnce(other)
  await assertEqualsServer(other)
})

test('a mirror with a later first month removes earlier files, which would become out of date', async () => {
  const other = join(folder, 'later')
  await mirrorOnce(other)
  const [, second = ''] = await listFiles(other)
  const from = second.slice('month='.length, -'.parquet'.length)
  const child = startMirror(other, ['--from', from, '--once'])
  const [code] = (await once(child, 'close')) as [number | null]
  assert.equal(code, 0, child.printed)
  assert.equal((await listFiles(other))[0], second)
  assert.equal((await listFiles(other)).length, (await listFiles(folder)).length - 1)
})

test('`mirror --once` continues after a connection that is cut in the middle of an export', async () => {
  await using proxy = await startProxy(control.installation.portico.origin)
  proxy.cutNext(({ url }) => url?.startsWith('/v2/export/') === true, 'in-the-middle')
  const other = join(folder, 'cut')
  const through = (url: string): string => `${proxy.url}${new URL(url).pathname}`
  const { portico } = control.installation
  const addresses = { baseUrl: through(portico.baseUrl), authUrl: through(portico.authUrl) }
  const child = startMirror(other, ['--once'], addresses)
  const [code] = (await once(child, 'close')) as [number | null]
  assert.equal(code, 0, child.printed)
  assert.match(child.printed, /broke off; trying again/)
  await assertEqualsServer(other)
})

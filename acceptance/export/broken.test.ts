import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, stat } from 'node:fs/promises'
import * as http from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { V2Client } from '../support/clients/v2-client.ts'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { openConnection } from '../support/overload/raw-connection.ts'
import { watchServer } from '../support/overload/watch-server.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'
import { onlyEmbedded } from '../support/servers/backend.ts'
import { addClient, applyInventory, demoAt, startInstallation } from '../support/servers/installation.ts'
import { makeDemoDir, makeTempDir, removeDataDir, startPortico } from '../support/servers/portico.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'

// With rate limits: the demo partner's are those that the tests count.
const dataDir = await makeDemoDir()
let demo = await demoAt(await startPortico({ dataDir }))
let { portico } = demo
const folder = await makeTempDir()
after(async () => {
  await portico.stop()
  await removeDataDir(dataDir)
  await rm(folder, { recursive: true, force: true })
})

const DAY_MS = 86_400_000
const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10)
/** More than the buffers of a connection hold, on every backend. */
const LONG = `/export/readings?fromDateTime=${day(85)}&toDateTime=${day(1)}`
/** A sixth of the long one. */
const MEDIUM = `/export/readings?fromDateTime=${day(15)}&toDateTime=${day(1)}`
const SHORT = `/export/readings?fromDateTime=${day(2)}&toDateTime=${day(1)}&metricTypes=co2`

const newClient = (): Promise<V2Client> => addClient(demo, [demo.client.siteId])

/** Starts an export and reads nothing of it beyond the headers. */
async function open(
  client: V2Client,
  path = LONG,
  headers: Record<string, string> = {},
): Promise<http.IncomingMessage> {
  const request = http.get({
    host: '127.0.0.1',
    port: portico.port,
    path: `/v2${path}`,
    headers: { authorization: `Bearer ${client.token}`, siteid: client.siteId, ...headers },
    agent: false,
  })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  response.on('error', () => {})
  return response
}

describe('limits', () => {
  test('an export costs 10, and one that does not fit is refused as a whole', async () => {
    const limits = { RATE_LIMIT_PER_MINUTE: '35', RATE_LIMIT_PER_5_MINUTES: '35' }
    const installation = await startInstallation({ ...stoppedClock(), RATE_LIMIT: 'on', ...limits })
    after(() => installation.stop())
    const house = makeSmallSite()
    await applyInventory(installation, house.document)
    const client = await addClient(installation, [house.siteUuid])
    const remaining: (string | null)[] = []
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await client.send(SHORT)
      assert.deepEqual([status, headers.get('x-ratelimit-cost')], [200, '10'])
      remaining.push(headers.get('x-ratelimit-remaining'))
    }
    assert.deepEqual(remaining, ['25', '15', '5'])
    const refused = await client.send(SHORT)
    assertProblem(installation.portico, refused, 429)
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '5')
  })

  test('two at a time for a partner and site, and four in all; a closed connection makes room', async () => {
    const [one, two, three] = [await newClient(), await newClient(), await newClient()]
    const running = [await open(one), await open(one)]
    const third = await one.send(SHORT)
    assertProblem(portico, third, 429)
    assert.match(third.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.match(third.text, /2 exports/)
    assert.equal(third.headers.get('x-ratelimit-cost'), '1')
    running.push(await open(two), await open(two))
    const fifth = await three.send(SHORT)
    assertProblem(portico, fifth, 429)
    assert.match(fifth.text, /4 exports/)
    for (const response of running) response.destroy()
    await eventually(async () => assert.equal((await three.send(SHORT)).status, 200))
    await eventually(async () => assert.equal((await one.send(SHORT)).status, 200))
  })
})

test('a client that reads slowly: the server waits, and its memory stays flat', async () => {
  const client = await newClient()
  // Loads the code of an export before memory is compared.
  assert.equal((await client.send(SHORT)).status, 200)
  const watch = await watchServer(portico, { path: '/live' })
  const response = await open(client)
  let read = 0
  for (let round = 0; round < 50; round += 1) {
    const chunk = response.read(1_000) as Buffer | null
    read += chunk?.length ?? 0
    await sleep(100)
  }
  const { growthMb } = await watch.stop()
  assert.ok(read > 20_000, `${read} bytes were read`)
  // Only the bytes that the kernel and this process have buffered.
  assert.ok(response.socket.bytesRead < 12_000_000, `${response.socket.bytesRead} bytes arrived`)
  assert.ok(growthMb <= 60, `${growthMb} MB`)
  response.destroy()
})

test('memory does not grow with the length of an export', async () => {
  const client = await newClient()
  const read = async (path: string): Promise<number> => {
    const response = await open(client, path)
    let bytes = 0
    for await (const chunk of response) bytes += (chunk as Buffer).length
    assert.ok(response.complete)
    return bytes
  }
  // Warms up what every export needs: a thread, its code and its buffers.
  for (const format of ['ndjson', 'parquet']) await read(`${MEDIUM}&format=${format}`)
  const watch = await watchServer(portico, { path: '/live' })
  const sentMb = (await read(`${LONG}&format=ndjson`)) / 1_000_000
  await read(`${LONG}&format=parquet`)
  const { growthMb } = await watch.stop()
  // Far less than what was sent; `bench/export.ts` has the exact figure.
  assert.ok(sentMb > 200 && growthMb < sentMb / 2, `${growthMb} MB for ${sentMb} MB`)
})

test('over HTTP/1.0, where the end of the connection ends a response, CSV is refused', async () => {
  const connection = await openConnection(portico)
  const client = await newClient()
  const headers = `Authorization: Bearer ${client.token}\r\nSiteId: ${client.siteId}\r\nConnection: keep-alive\r\n`
  connection.socket.write(`GET /v2${SHORT}&format=csv HTTP/1.0\r\nHost: localhost\r\n${headers}\r\n`)
  const [response] = await connection.read(1)
  assert.equal(response?.status, 400)
  assert.match(response.body, /HTTP\/1\.1/)
  connection.socket.destroy()
})

interface Download {
  file: string
  ended: Promise<number | null>
}

/** A download with curl, at a rate at which it does not end by itself. */
function curl(client: V2Client, name: string, path: string, ...args: string[]): Download {
  const file = join(folder, name)
  const headers = ['-H', `Authorization: Bearer ${client.token}`, '-H', `SiteId: ${client.siteId}`]
  const child = spawn('curl', ['-s', '-o', file, ...headers, ...args, `${portico.origin}/v2${path}`])
  return { file, ended: once(child, 'close').then(([code]) => code as number | null) }
}

const untilStarted = ({ file }: Download): Promise<void> =>
  eventually(async () => assert.ok((await stat(file)).size > 10_000))

describe('curl exits with 18', { skip: skipWithout(testTools.curl) }, () => {
  onlyEmbedded('there is a file to damage', () => {
    test('if the server fails in the middle of an export', async () => {
      const store = new DatabaseSync(join(portico.dataDir, 'portico.db'), { timeout: 30_000 })
      const damagedDay = Math.floor(Date.parse(day(30)) / DAY_MS)
      store.prepare('UPDATE reading_days SET checksum = checksum + 1 WHERE day = ?').run(damagedDay)
      store.close()
      const client = await newClient()
      for (const [name, ...args] of [['plain'], ['gzip', '-H', 'Accept-Encoding: gzip']] as const) {
        const download = curl(client, name, LONG, ...args)
        assert.equal(await download.ended, 18, name)
        const bytes = await readFile(download.file)
        if (name === 'gzip') assert.throws(() => gunzipSync(bytes), /unexpected end of file/)
        else assert.doesNotMatch(bytes.subarray(-100).toString(), /"end":true/)
      }
      // Days that are intact can still be exported.
      assert.equal((await client.send(SHORT)).status, 200)
    })
  })

  // Without the damaged day; even compressed, it is more than the kernel buffers.
  const range = `/export/readings?fromDateTime=${day(85)}&toDateTime=${day(31)}`

  /** Starts exports, ends the server and reads the rest of them. */
  async function cutOff(name: string, endServer: () => Promise<unknown>): Promise<void> {
    const [one, two] = [await newClient(), await newClient()]
    const downloads = [
      curl(one, `${name}.ndjson`, range, '--limit-rate', '1M'),
      curl(one, `${name}.csv`, `${range}&format=csv`, '--limit-rate', '1M'),
    ]
    const compressed = [
      await open(two, range, { 'accept-encoding': 'gzip' }),
      await open(two, range, { 'accept-encoding': 'br' }),
    ]
    await Promise.all(downloads.map(untilStarted))
    await endServer()
    assert.deepEqual(await Promise.all(downloads.map(({ ended }) => ended)), [18, 18])
    for (const response of compressed) {
      response.resume()
      // An error is expected.
      if (!response.closed) await new Promise((resolve) => response.once('close', resolve))
      assert.equal(response.complete, false)
    }
  }

  test('if the server is stopped, which does not wait for exports', async () => {
    await cutOff('stopped', async () => assert.equal(await portico.stop(), 0))
    portico = await startPortico({ dataDir, port: portico.port })
    demo = await demoAt(portico)
  })

  test('if the server is killed', () => cutOff('killed', () => portico.kill()))
})

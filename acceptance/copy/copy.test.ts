import assert from 'node:assert/strict'
import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { makeClock } from '../support/control/clock.ts'
import { override } from '../support/control/bodies.ts'
import { connectRecordingDevice, endRecordingDevices } from '../support/control/recording-device.ts'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, type Installation } from '../support/servers/installation.ts'
import { asArray, asObject, asString, type JsonObject, parseJson } from '../support/json.ts'
import { makeTempDir, runPortico, type RunResult } from '../support/servers/portico.ts'
import { tokenFor } from '../support/clients/requests.ts'
import { type V2Client, v2Client } from '../support/clients/v2-client.ts'
import { postReadings, write } from '../support/clients/ingest-channels.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'
import { makeStore } from '../support/servers/store.ts'
import { fails, type Respond, startReceiver } from '../support/webhooks/receiver.ts'
import { addWebhook, getWebhook, listDeliveries, LOOPBACK } from '../support/webhooks/webhooks.ts'
import { startDatabases } from './support/databases.ts'
import { readResponses, readLegacyIds, requestsFor } from './support/requests.ts'
import { makePopulatedInstallation } from './support/populated-installation.ts'

const databases = await startDatabases()
const folder = await makeTempDir()
const populated = await makePopulatedInstallation()
after(async () => {
  await populated.store.remove()
  await rm(folder, { recursive: true, force: true })
  await databases.stop()
})

const source = `sqlite:${join(populated.store.dataDir, 'portico.db')}`
const inFolder = (name: string): string => `sqlite:${join(folder, name, 'portico.db')}`

const copy = async (from: string, to: string): Promise<RunResult> => {
  const result = await runPortico(['copy', '--from', from, '--to', to, '--json'])
  assert.ok(!`${result.stdout}${result.stderr}`.includes('never-shown'), 'a password was shown')
  return result
}

const parseReport = ({ code, stdout, stderr }: RunResult): JsonObject => {
  assert.equal(code, 0, stderr + stdout)
  return asObject(parseJson(stdout))
}

/** Starts a server on one of the stores, always at the same address. */
const serve = (database: string, env: Record<string, string> = {}): Promise<Installation> =>
  populated.store.start({ env: { DATABASE_URL: database, ...env } })

/** Exactly one line of output, and it matches. */
const isUnfinished = ({ stderr }: RunResult): boolean =>
  /^portico: [^\n]* unfinished copy[^\n]*\n$/.test(stderr)

/** Kills a copy after it has reported this many copied tables. */
const TABLES_A_RUN = 6

const postgres = await databases.make()
const back = inFolder('back')

test('copied there and back, every table has the same rows and checksum', async () => {
  const there = parseReport(await copy(source, postgres))
  const again = parseReport(await copy(postgres, back))
  assert.deepEqual([there['isSame'], again['isSame']], [true, true])
  assert.deepEqual(again['tables'], there['tables'])
  const rows = new Map(
    asArray(there['tables']).map((one) => [asObject(one)['table'], Number(asObject(one)['rows'])]),
  )
  for (const name of [
    'sites',
    'commands',
    'outbox',
    'rejected_messages',
    'images',
    'rollup_quarter_hours',
    'v1_usage',
    'v1_hourly_calls',
  ])
    assert.ok((rows.get(name) ?? 0) > 0, `nothing in ${name}`)
})

test('source and copies return identical responses to every request, byte for byte', async () => {
  const now = Date.now()
  const legacyIds = new Map<string, Awaited<ReturnType<typeof readLegacyIds>>>()
  const askAll = async (database: string): Promise<JsonObject[]> => {
    const installation = await serve(database, stoppedClock(now))
    try {
      if (legacyIds.size === 0)
        for (const house of populated.houses)
          legacyIds.set(house.siteUuid, await readLegacyIds(installation, house))
      requests ??= requestsFor(populated.houses, legacyIds, now)
      return await readResponses(installation, populated.partner, requests)
    } finally {
      await installation.stop()
    }
  }
  let requests: ReturnType<typeof requestsFor> | undefined
  const expected = await askAll(source)
  assert.ok(expected.length > 300)
  assert.ok(expected.filter(({ status }) => status === 200).length > expected.length / 2)
  for (const database of [postgres, back]) assert.deepEqual(await askAll(database), expected)
})

test('on the copy credentials work, commands are delivered, and new sites and readings are accepted', async () => {
  const installation = await serve(postgres)
  try {
    const [house] = populated.houses
    assert.ok(house)
    const { portico } = installation
    const { siteUuid, trv } = house
    const token = await tokenFor(portico, populated.partner.clientId, populated.partner.clientSecret)
    const client = v2Client(portico, token, siteUuid)
    const { account } = populated
    const device = await connectRecordingDevice({ url: portico.mqttUrl, account, siteUuid, deviceUuid: trv })
    const accepted = await client.post(`/devices/${trv}/schedule`, override(19))
    assert.equal(accepted.status, 202, accepted.text)
    await device.gets(asString(accepted.json['commandUuid']))

    const another = makeSmallSite()
    await applyInventory(installation, another.document)
    const reading = { metricType: 'electricity', timestamp: new Date().toISOString(), value: 1_000 }
    const records = [house.meter, another.meter].map((deviceUuid) => ({ deviceUuid, ...reading }))
    assert.equal((await postReadings(installation, 'ndjson', write(records, 'ndjson')))['accepted'], 2)
  } finally {
    endRecordingDevices()
    await installation.stop()
  }
})

test('on the copy deliveries continue where they stopped, and numbers go on', async () => {
  await using receiver = await startReceiver()
  const store = await makeStore()
  const clock = makeClock(store.dataDir)
  const env = { ...LOOPBACK, ...clock.env }
  const house = makeSmallSite()
  let installation = await store.start({ env })
  await applyInventory(installation, house.document)
  const added = await addClient(installation, [house.siteUuid])
  const { clientId, clientSecret } = added.partner
  const { webhookUuid } = await addWebhook(added, receiver.url)
  const devices = [house.trv, house.cylinder]
  const resume = async (client: V2Client): Promise<void> => {
    for (const device of devices) {
      const answer = await client.post(`/devices/${device}/schedule`, { type: 'resume' })
      assert.equal(answer.status, 202, answer.text)
    }
  }
  const listEvents = (client: V2Client): Promise<JsonObject[]> => client.list('/events?after=0&limit=1000')
  const accepted: { id: string; number: number; device: unknown; isLate: boolean }[] = []
  const accept: Respond = ({ id, event, headers }, response) => {
    const isLate = headers['portico-late'] === 'true'
    accepted.push({ id, number: Number(event['number']), device: event['deviceUuid'], isLate })
    response.end()
  }
  receiver.respond = accept
  await resume(added)
  await eventually(async () => assert.equal((await getWebhook(added, webhookUuid))['waiting'], 0))
  const delivered = await listDeliveries(added, webhookUuid, '?state=delivered')
  assert.ok(delivered.length > 0)
  // From here on some deliveries have failed, some wait for them, and some events are not dealt out.
  receiver.respond = fails()
  await resume(added)
  await eventually(async () => {
    clock.moveBy(0.02)
    assert.notEqual((await getWebhook(added, webhookUuid))['failingSince'], null)
  })
  await resume(added)
  const before = await listEvents(added)
  await installation.stop()
  const missed = receiver.requests.length
  const target = await databases.make()
  parseReport(await copy(`sqlite:${join(store.dataDir, 'portico.db')}`, target))

  receiver.respond = accept
  installation = await store.start({ env: { ...env, DATABASE_URL: target } })
  try {
    const { portico } = installation
    const client = v2Client(portico, await tokenFor(portico, clientId, clientSecret), house.siteUuid)
    await resume(client)
    const log = await eventually(async () => {
      clock.moveBy(0.02)
      assert.equal((await getWebhook(client, webhookUuid))['waiting'], 0)
      const events = await listEvents(client)
      const received = new Set(accepted.map(({ id }) => id))
      const expected = events.filter(({ type }) => type === 'command.updated')
      assert.deepEqual(
        expected.filter(({ eventUuid }) => !received.has(asString(eventUuid))),
        [],
      )
      return events
    }, 120_000)
    assert.deepEqual(log.slice(0, before.length), before)
    assert.ok(log.length > before.length)
    assert.deepEqual(
      log.map(({ number }) => number),
      log.map((_, index) => index + 1),
    )
    const again = new Set(receiver.requests.slice(missed).map(({ id }) => id))
    for (const { eventUuid } of delivered) assert.ok(!again.has(asString(eventUuid)), 'delivered twice')
    for (const device of devices) {
      // Probes of a failing endpoint alternate between the oldest event and the next one, so the oldest may arrive
      // late.
      const onTime = accepted.filter((one) => one.device === device && !one.isLate)
      const inOrder = [...new Set(onTime.map(({ number }) => number))]
      assert.deepEqual(
        inOrder,
        inOrder.toSorted((a, b) => a - b),
      )
    }
  } finally {
    await installation.stop()
    await store.remove()
  }
})

for (const [kind, makeTarget] of [
  ['PostgreSQL', () => databases.make()],
  ['SQLite', async () => inFolder('killed')],
] as const) {
  test(`a copy to ${kind} that is killed repeatedly is resumed, and not served until it is complete`, async () => {
    const target = await makeTarget()
    const env = { DATABASE_URL: target }
    const killWhen = (stderr: string): boolean => stderr.split('copied ').length > TABLES_A_RUN
    let kills = 0
    for (;;) {
      const { code } = await runPortico(['copy', '--from', back, '--to', target], { killWhen })
      if (code !== null) {
        assert.equal(code, 0)
        break
      }
      kills += 1
      assert.ok(isUnfinished(await runPortico(['partner', 'list'], { dataDir: folder, env })))
    }
    assert.ok(kills > 0)
    // The target is an ordinary store from here on.
    assert.equal((await runPortico(['partner', 'list'], { dataDir: folder, env })).code, 0)
  })
}

test('an unfinished copy is not served: the start fails with one line', async () => {
  const target = await databases.make()
  assert.equal((await runPortico(['migrate'], { env: { DATABASE_URL: target } })).code, 0)
  await databases.run(target, `INSERT INTO unfinished_copy (id, source) VALUES (1, 'another')`)
  const served = await runPortico(['serve', '--host', '127.0.0.1', '--port', '0', '--mqtt-port', '0'], {
    dataDir: folder,
    env: { DATABASE_URL: target },
  })
  assert.equal(served.code, 1)
  assert.ok(isUnfinished(served))
})

test('a store in use can be neither source nor target of a copy', async () => {
  const [empty, target] = [inFolder('empty'), await databases.make()]
  for (const [database, isPostgres] of [
    [source, false],
    [postgres, true],
  ] as const) {
    const running = await serve(database)
    try {
      for (const [from, to] of [
        [database, isPostgres ? empty : target],
        [back, database],
      ] as const) {
        const result = await copy(from, to)
        assert.equal(result.code, 1)
        assert.match(result.stderr, /is in use/)
      }
    } finally {
      await running.stop()
    }
  }
})

test('a store that is not empty cannot be a target', async () => {
  const result = await copy(source, postgres)
  assert.equal(result.code, 1)
  assert.deepEqual(asObject(parseJson(result.stderr))['error'], {
    code: 'failed',
    message: 'the target is not empty',
  })
})

test('a difference in the target is reported with its table and keys', async () => {
  const target = await databases.make()
  assert.equal((await runPortico(['migrate'], { env: { DATABASE_URL: target } })).code, 0)
  // The column is an integer in this target, so values that the copy writes are rounded.
  await databases.run(target, 'ALTER TABLE latest_readings ALTER COLUMN value TYPE integer')
  const { code, stdout } = await copy(back, target)
  assert.equal(code, 1)
  const report = asObject(parseJson(stdout))
  assert.equal(report['isSame'], false)
  const different = asArray(report['tables'])
    .map(asObject)
    .filter((one) => one['difference'] !== undefined)
  assert.deepEqual(
    different.map(({ table }) => table),
    ['latest_readings'],
  )
  const { after: first, upTo } = asObject(different[0]?.['difference'])
  assert.deepEqual(asArray(first), asArray(upTo).slice(0, 1))
})

test('wrong usage is reported', async () => {
  for (const args of [
    ['copy'],
    ['copy', '--from', source],
    ['copy', '--from', source, '--to', 'mysql://user:never-shown@host/db'],
    ['copy', '--from', source, '--to', source],
  ]) {
    const { code, stderr } = await runPortico(args)
    assert.equal(code, 2, stderr)
    assert.ok(!stderr.includes('never-shown'))
  }
})

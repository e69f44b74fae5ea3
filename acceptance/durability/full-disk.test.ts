import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { applyInventory, type Installation } from '../support/servers/installation.ts'
import { asArray, asObject } from '../support/json.ts'
import { readMetrics } from '../support/clients/metrics.ts'
import { assertProblem } from '../support/oracles/problem.ts'
import { type Answer, api } from '../support/clients/requests.ts'
import { makeStore, type Store } from '../support/servers/store.ts'
import type { V2Client } from '../support/clients/v2-client.ts'
import { ingestChannels, write } from '../support/clients/ingest-channels.ts'
import { type Disk, makeDisk } from './support/disk.ts'
import { makeLedger, openLedger, type Reader } from './support/ledger.ts'

const ledger = makeLedger(200)
const { document } = ledger
const spaceUuid = String(document.spaces[0]?.['spaceUuid'])
const deviceUuid = String(document.devices[0]?.['deviceUuid'])
const siteUuid = String(document.site['siteUuid'])

let store: Store
let disk: Disk
let installation: Installation
let reader: Reader
let client: V2Client

before(async () => {
  store = await makeStore()
  disk = await makeDisk()
  installation = await store.start({ env: disk.watching(store.dataDir) })
  reader = await openLedger(installation, ledger)
  client = await reader.on(installation)
  await deliver(0)
  await deliver(1)
})
after(async () => {
  await installation.stop()
  await store.remove()
  await disk.remove()
})

async function deliver(number: number): Promise<void> {
  await ingestChannels(installation)[0]?.send(ledger.delivery(number))
}

const fill = (): Promise<void> => writeFile(disk.fullFlag, '')
const makeRoom = (): Promise<void> => rm(disk.fullFlag, { force: true })

const post = (path: string, body: unknown, headers = {}, method = 'POST'): Promise<Answer> =>
  api(installation.portico, path, { method, token: installation.operator, body, headers })

/** A document with a changed name, so that applying it writes. */
function renamed(name: string): unknown {
  return { ...document, buildings: document.buildings.map((one) => ({ ...one, buildingName: name })) }
}

const isRefused = (answer: Answer): void => {
  assertProblem(installation.portico, answer, 503)
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

describe('while the disk is full', () => {
  test('every read is answered as before', async () => {
    const range = 'fromDateTime=2025-01-01&toDateTime=2025-01-03'
    const paths = [
      '/sites',
      '/metric-types',
      '/spaces',
      `/spaces/${spaceUuid}/overview`,
      `/spaces/${spaceUuid}/aggregate/electricity/hourly?${range}`,
      `/spaces/${spaceUuid}/aggregate/electricity/hourly`,
      `/spaces/${spaceUuid}/aggregate/electricity/daily?${range}&interval=P1M`,
      '/devices',
      `/devices/${deviceUuid}`,
      `/devices/${deviceUuid}/consumption/electricity?${range}`,
      `/devices/${deviceUuid}/consumption/electricity?${range}&interval=raw`,
      `/devices/${deviceUuid}/commands`,
    ]
    await fill()
    try {
      for (const path of paths) {
        const answer = await client.send(path)
        assert.equal(answer.status, 200, `${path}: ${answer.text}`)
      }
      for (const path of ['/partners', `/inventory/${siteUuid}`, '/audit']) {
        const answer = await api(installation.portico, `/operator${path}`, { token: installation.operator })
        assert.equal(answer.status, 200, `${path}: ${answer.text}`)
      }
      for (const path of ['/live', '/openapi/v2.json', '/']) {
        assert.equal((await api(installation.portico, path)).status, 200, path)
      }
      assert.match(await readMetrics(installation.portico), /^portico_/m)
    } finally {
      await makeRoom()
    }
  })

  test('tokens are issued and valid', async () => {
    await fill()
    try {
      const another = await reader.on(installation)
      assert.equal((await another.send('/spaces')).status, 200)
    } finally {
      await makeRoom()
    }
  })

  test('readings are rejected with 503 and Retry-After, in every format', async () => {
    await fill()
    try {
      for (const [format, type] of [
        ['ndjson', 'application/x-ndjson'],
        ['json', 'application/json'],
        ['csv', 'text/csv'],
      ] as const) {
        const body = write(ledger.delivery(2), format)
        isRefused(await post('/operator/readings', body, { 'content-type': type }))
      }
    } finally {
      await makeRoom()
    }
  })

  test('an inventory is rejected with 503 and Retry-After, and no part of it is applied', async () => {
    await fill()
    try {
      isRefused(await post('/operator/inventory', renamed('Another name'), {}, 'PUT'))
      const spaces = await client.list('/spaces')
      assert.deepEqual(
        spaces.map((one) => one['buildingName']),
        ['House'],
      )
    } finally {
      await makeRoom()
    }
  })

  test('other writes return no 5xx except 503', async () => {
    await fill()
    try {
      const answers = [
        await post('/operator/partners', { name: 'Late', sites: [siteUuid], roles: ['Spaces.Read'] }),
        await post(`/operator/sites/${siteUuid}/gateways`, { name: 'Late' }),
        await post('/operator/keys/rotate', {}),
        await client.post(`/devices/${deviceUuid}/schedule`, { type: 'resume' }),
      ]
      for (const { status, text } of answers) assert.ok(status < 500 || status === 503, text)
    } finally {
      await makeRoom()
    }
  })
})

describe('when there is space again', () => {
  test('writes work without a restart', async () => {
    await fill()
    const body = write(ledger.delivery(2), 'ndjson')
    isRefused(await post('/operator/readings', body, { 'content-type': 'application/x-ndjson' }))
    await makeRoom()
    await deliver(2)
    await ledger.assertThere(client, 2)
    await applyInventory(installation, renamed('House with room'))
    const spaces = await client.list('/spaces')
    assert.equal(spaces[0]?.['buildingName'], 'House with room')
  })

  test('no acknowledged write is missing, before and after a kill, even if the disk fills up repeatedly', async () => {
    let acknowledged = 3
    for (let round = 0; round < 5; round += 1) {
      await deliver(acknowledged)
      acknowledged += 1
      const filled = fill()
      // The disk fills up during this request: success and failure are both correct, but the response must match the
      // store.
      const body = write(ledger.delivery(acknowledged), 'ndjson')
      const answer = await post('/operator/readings', body, { 'content-type': 'application/x-ndjson' })
      await filled
      if (answer.status === 200) acknowledged += 1
      else isRefused(answer)
      await makeRoom()
    }
    for (let number = 0; number < acknowledged; number += 1) await ledger.assertThere(client, number)
    await installation.portico.kill()
    installation = await store.start()
    client = await reader.on(installation)
    for (let number = 0; number < acknowledged; number += 1) await ledger.assertThere(client, number)
    const report = asObject(asArray([(await post('/operator/readings', '[]')).json])[0])
    assert.equal(report['refusedCount'], 0)
  })
})

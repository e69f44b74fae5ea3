import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory } from '../support/servers/installation.ts'
import { asString } from '../support/json.ts'
import { assertFieldRefused, assertProblem, assertUnauthorized } from '../support/oracles/problem.ts'
import { type Answer, api } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'

/** A server without the demo: requests are fully validated, and no simulator is running. */
const installation = await shareDemo()
const { portico } = installation

const sandbox = makeSmallSite({ sandbox: true })
const second = makeSmallSite({ sandbox: true })
const real = makeSmallSite()
for (const house of [sandbox, second, real]) await applyInventory(installation, house.document)
const client = await addClient(installation, [sandbox.siteUuid, real.siteUuid])

const toPath = (deviceUuid: string): string => `/sandbox/devices/${deviceUuid}/simulate`
const simulate = (body: unknown, deviceUuid = sandbox.trv, headers = {}): Promise<Answer> =>
  client.post(toPath(deviceUuid), body, headers)

function assertCode(answer: Answer, status: number, code: string): string {
  const body = assertProblem(portico, answer, status)
  assert.equal(body['type'], `${portico.url}/errors/${code}`)
  return asString(body['detail'])
}

describe('POST /sandbox/devices/{deviceuuid}/simulate', () => {
  test('a sandbox without a running simulator is 409, for every mode', async () => {
    const modes = [{ mode: 'online' }, { mode: 'offline' }, { mode: 'reject' }]
    const delays = [1, 2, 3600].map((delaySeconds) => ({ mode: 'delay', delaySeconds }))
    for (const body of [...modes, ...delays]) {
      assert.match(assertCode(await simulate(body), 409, 'conflict'), /is not simulated/)
    }
  })

  test('a site that is not a sandbox is 403, for any device and body', async () => {
    const headers = { SiteId: real.siteUuid }
    for (const deviceUuid of [real.trv, sandbox.trv, randomUUID()]) {
      for (const body of [{ mode: 'offline' }, { mode: 'broken' }]) {
        assertCode(await simulate(body, deviceUuid, headers), 403, 'forbidden')
      }
    }
  })

  test('a partner without Devices.Control is 403, and one without a token 401', async () => {
    const reader = await addClient(installation, [sandbox.siteUuid], ['Devices.Read', 'Spaces.Read'])
    assertCode(await reader.post(toPath(sandbox.trv), { mode: 'offline' }), 403, 'forbidden')
    const answer = await api(portico, `/v2${toPath(sandbox.trv)}`, {
      method: 'POST',
      headers: { SiteId: sandbox.siteUuid },
      body: { mode: 'offline' },
    })
    assertUnauthorized(portico, answer, 'TokenNotPresent')
  })

  test('SiteId is required as in every call: 400 without it, 403 for a site that is not granted', async () => {
    for (const SiteId of ['', 'x']) {
      const answer = await simulate({ mode: 'offline' }, sandbox.trv, { SiteId })
      assertCode(answer, 400, 'missing-site-id')
    }
    for (const SiteId of [second.siteUuid, randomUUID()]) {
      assertCode(await simulate({ mode: 'offline' }, sandbox.trv, { SiteId }), 403, 'forbidden')
    }
  })

  test('a foreign and an unknown device get the same 404, byte for byte; an id that is not a UUID is 400', async () => {
    const texts = new Set<string>()
    for (const deviceUuid of [randomUUID(), second.trv, real.trv, sandbox.bedroom]) {
      const answer = await simulate({ mode: 'offline' }, deviceUuid)
      assertCode(answer, 404, 'not-found')
      texts.add(answer.text.replace(/"(instance|traceId)":"[^"]*"/g, ''))
    }
    assert.equal(texts.size, 1)
    for (const id of ['x', '1', `${sandbox.trv}0`]) {
      assertProblem(portico, await simulate({ mode: 'offline' }, id), 400)
    }
  })

  const refused: [body: unknown, field: string][] = [
    [{}, 'mode'],
    [{ mode: 'broken' }, 'mode'],
    [{ mode: 'OFFLINE' }, 'mode'],
    [{ mode: null }, 'mode'],
    [{ mode: ['offline'] }, 'mode'],
    [{ mode: 'delay' }, 'delaySeconds'],
    [{ mode: 'delay', delaySeconds: null }, 'delaySeconds'],
    [{ mode: 'delay', delaySeconds: 0 }, 'delaySeconds'],
    [{ mode: 'delay', delaySeconds: -1 }, 'delaySeconds'],
    [{ mode: 'delay', delaySeconds: 3601 }, 'delaySeconds'],
    [{ mode: 'delay', delaySeconds: 1.5 }, 'delaySeconds'],
    [{ mode: 'delay', delaySeconds: '5' }, 'delaySeconds'],
    [{ mode: 'offline', delaySeconds: 5 }, 'delaySeconds'],
    [{ mode: 'online', delaySeconds: null }, 'delaySeconds'],
    [{ mode: 'reject', reason: 'stuck' }, 'reason'],
    [{ mode: 'offline', deviceUuid: sandbox.trv }, 'deviceUuid'],
  ]
  for (const [body, field] of refused) {
    test(`${JSON.stringify(body)} is 400 naming ${field}`, async () => {
      assertFieldRefused(portico, await simulate(body), field)
    })
  }

  test('a body that is not a JSON object is 400, another content type 415, an unknown query parameter 400', async () => {
    for (const body of ['', 'null', '[]', '"offline"', '{', '1']) {
      assertProblem(portico, await simulate(body), 400)
    }
    const text = { 'content-type': 'text/plain' }
    assertProblem(portico, await simulate('{"mode":"offline"}', sandbox.trv, text), 415)
    assertProblem(portico, await client.post(`${toPath(sandbox.trv)}?mode=offline`, { mode: 'offline' }), 400)
  })

  test('another method is 405 with Allow', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await client.send(toPath(sandbox.trv), { method })
      assertProblem(portico, answer, 405)
      assert.match(answer.headers.get('allow') ?? '', /POST/)
    }
  })
})

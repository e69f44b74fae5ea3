import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { changePartner } from '../support/clients/operator.ts'
import { api } from '../support/clients/requests.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject, asString } from '../support/json.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'
import { addClient, applyInventory, startInstallation } from '../support/servers/installation.ts'
import { runPortico } from '../support/servers/portico.ts'
import { fails, ok, startReceiver } from '../support/webhooks/receiver.ts'
import { addWebhook, getWebhook, LOOPBACK, testWebhook } from '../support/webhooks/webhooks.ts'

const receiver = await startReceiver()
// The clock is stopped, so that the limit of tests is exact.
const installation = await startInstallation({ ...LOOPBACK, ...stoppedClock() })
const { portico, operator } = installation
after(async () => {
  await installation.stop()
  await receiver[Symbol.asyncDispose]()
})
const [house, other] = [makeSmallSite(), makeSmallSite()]
for (const { document } of [house, other]) await applyInventory(installation, document)
const client = await addClient(installation, [house.siteUuid, other.siteUuid])
const stranger = await addClient(installation, [house.siteUuid])

const call = (path: string, method: string, body?: unknown) =>
  client.send(path, { method, ...(body !== undefined && { body }) })

describe('webhooks', () => {
  test('are added, read, changed and removed', async () => {
    const { webhookUuid, secret, json } = await addWebhook(client, receiver.url, {
      description: 'Production',
      eventTypes: ['command.updated'],
      siteUuids: [other.siteUuid.toUpperCase()],
      heartbeat: true,
    })
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret: _, ...shown } = json
    assert.deepEqual(
      [json['state'], json['reason'], json['failingSince'], json['waiting'], json['lost'], json['siteUuids']],
      ['enabled', null, null, 0, 0, [other.siteUuid]],
    )
    assert.deepEqual(await getWebhook(client, webhookUuid), shown)
    assert.deepEqual(await client.list('/webhooks'), [shown])
    const changes = {
      description: null,
      eventTypes: null,
      siteUuids: null,
      heartbeat: false,
      state: 'paused',
    }
    const repeated = { eventTypes: ['device.online', 'device.offline', 'device.online'] }
    const narrowed = await call(`/webhooks/${webhookUuid}`, 'PATCH', repeated)
    assert.deepEqual(narrowed.json['eventTypes'], ['device.online', 'device.offline'])
    const changed = await call(`/webhooks/${webhookUuid}`, 'PATCH', changes)
    assert.equal(changed.status, 200, changed.text)
    const inHealth = await api(portico, '/operator/health', { token: operator })
    assert.deepEqual(inHealth.json['webhooks'], { enabled: 0, failing: 0, disabled: 0, attention: [] })
    assert.deepEqual(changed.json, { ...shown, ...changes, updatedAt: changed.json['updatedAt'] })
    const enabled = await call(`/webhooks/${webhookUuid}/enable`, 'POST')
    assert.equal(enabled.status, 200, enabled.text)
    assert.equal(enabled.json['state'], 'enabled')
    assert.equal((await call(`/webhooks/${webhookUuid}`, 'DELETE')).status, 204)
    assert.equal((await call(`/webhooks/${webhookUuid}`, 'GET')).status, 404)
    assert.equal((await call(`/webhooks/${webhookUuid}`, 'DELETE')).status, 404)
  })

  test('of another partner are like those that do not exist', async () => {
    const { webhookUuid } = await addWebhook(client, receiver.url)
    const attempts: [path: string, method: string, body?: unknown][] = [
      ['', 'GET'],
      ['', 'PATCH', { description: 'x' }],
      ['', 'DELETE'],
      ['/enable', 'POST', {}],
      ['/test', 'POST'],
      ['/secrets', 'POST'],
      ['/deliveries', 'GET'],
      [`/deliveries/${randomUUID()}`, 'GET'],
      ['/replay', 'POST', { siteUuid: house.siteUuid }],
    ]
    for (const [path, method, body] of attempts) {
      const answers = await Promise.all(
        [webhookUuid, randomUUID()].map((uuid) =>
          stranger.send(`/webhooks/${uuid}${path}`, { method, ...(body !== undefined && { body }) }),
        ),
      )
      for (const answer of answers) assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`)
      const [one, two] = answers.map(({ json }) => [json['type'], json['detail']])
      assert.deepEqual(one, two)
    }
    assert.deepEqual(await stranger.list('/webhooks'), [])
    await call(`/webhooks/${webhookUuid}`, 'DELETE')
  })

  test('need the role Webhooks.Manage', async () => {
    const without = await addClient(installation, [house.siteUuid], ['Devices.Read', 'Events.Read'])
    for (const [path, method] of [
      ['/webhooks', 'GET'],
      [`/webhooks/${randomUUID()}`, 'DELETE'],
    ] as const)
      assert.equal((await without.send(path, { method })).status, 403)
    const account = await without.get('/account')
    assert.ok(!('webhooks' in account))
  })

  test('must be for sites of the partner and for known types', async () => {
    const wrong: [body: object, field: string][] = [
      [{ siteUuids: [randomUUID()] }, 'siteUuids'],
      [{ siteUuids: [] }, 'siteUuids'],
      [{ eventTypes: ['device.exploded'] }, 'eventTypes'],
      [{ eventTypes: [] }, 'eventTypes'],
      [{ heartbeat: 'yes' }, 'heartbeat'],
      [{ description: 'x'.repeat(201) }, 'description'],
      [{ colour: 'red' }, 'colour'],
      [{ state: 'paused' }, 'state'],
    ]
    for (const [body, field] of wrong) {
      const answer = await client.post('/webhooks', { url: receiver.url, ...body })
      assert.equal(answer.status, 400, answer.text)
      assert.ok(answer.text.includes(field), answer.text)
    }
    assert.equal((await client.post('/webhooks', {})).status, 400)
    assert.equal(
      (await client.post('/webhooks', { url: receiver.url, description: 'x'.repeat(70_000) })).status,
      413,
    )
  })

  test('of a partner are at most 20', async () => {
    const many = await addClient(installation, [house.siteUuid])
    for (let n = 0; n < 20; n += 1) await addWebhook(many, receiver.url)
    const answer = await many.post('/webhooks', { url: receiver.url })
    assert.equal(answer.status, 409, answer.text)
    assert.deepEqual((await many.get('/account'))['webhooks'], { enabled: 20, failing: 0, disabled: 0 })
  })
})

describe('POST /test', () => {
  test('sends a signed request and returns what was answered', async () => {
    const { webhookUuid } = await addWebhook(client, receiver.url)
    receiver.respond = (_request, response) => void response.writeHead(201).end('é'.repeat(1_000))
    const result = await testWebhook(client, webhookUuid)
    assert.deepEqual([result['delivered'], result['status'], result['error']], [true, 201, null])
    assert.equal(result['response'], 'é'.repeat(512))
    const { headers, event } = receiver.requests.at(-1) ?? assert.fail()
    assert.equal(event['type'], 'webhook.test')
    assert.ok(!('siteUuid' in event) && !('number' in event))
    assert.equal(headers['webhook-id'], event['eventUuid'])
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['portico-webhook'], webhookUuid)
    assert.equal(headers['portico-try'], '1')
    assert.equal(headers['user-agent'], `Portico/0.1.0 (+${portico.url})`)
    receiver.respond = fails(503)
    const failed = await testWebhook(client, webhookUuid)
    assert.deepEqual(
      [failed['delivered'], failed['status'], failed['error'], failed['response']],
      [false, 503, 'status', 'no'],
    )
    receiver.respond = ok
    const { state, failingSince } = await getWebhook(client, webhookUuid)
    assert.deepEqual([state, failingSince], ['enabled', null])
  })
})

describe('the operator', () => {
  test('lists, disables and enables the webhooks of all partners', async () => {
    const owner = await addClient(installation, [house.siteUuid])
    const { webhookUuid } = await addWebhook(owner, receiver.url)
    const list = async (query = '') => {
      const answer = await api(portico, `/operator/webhooks${query}`, { token: operator })
      assert.equal(answer.status, 200, answer.text)
      return asArray(answer.json['data']).map(asObject)
    }
    const listed = (await list()).find((webhook) => webhook['webhookUuid'] === webhookUuid)
    assert.equal(listed?.['partnerUuid'], owner.partner.partnerUuid)
    assert.deepEqual(await list(`?partnerUuid=${owner.partner.partnerUuid}`), [listed])
    assert.deepEqual(await list(`?partnerUuid=${randomUUID()}`), [])
    const path = `/operator/webhooks/${webhookUuid}`
    const set = (state: string) => api(portico, path, { method: 'PATCH', token: operator, body: { state } })
    assert.deepEqual(
      [(await set('disabled')).json['state'], (await getWebhook(owner, webhookUuid))['reason']],
      ['disabled', 'operator'],
    )
    assert.deepEqual((await owner.get('/account'))['webhooks'], { enabled: 0, failing: 0, disabled: 1 })
    assert.equal((await set('paused')).status, 400)
    const enabled = await set('enabled')
    assert.deepEqual([enabled.json['state'], enabled.json['reason']], ['enabled', null])
    const unknown = { method: 'PATCH', token: operator, body: { state: 'enabled' } }
    assert.equal((await api(portico, `/operator/webhooks/${randomUUID()}`, unknown)).status, 404)
    assert.equal((await api(portico, '/operator/webhooks', { token: owner.token })).status, 403)
    const audit = await api(portico, '/operator/audit?limit=50', { token: operator })
    const actions = asArray(audit.json['data'])
      .map(asObject)
      .filter(({ target }) => target === webhookUuid)
      .map(({ action }) => action)
    assert.deepEqual(actions, ['webhook.enabled', 'webhook.disabled', 'webhook.added'])
  })

  test('does the same on the command line, on the store and through the server', async () => {
    const owner = await addClient(installation, [house.siteUuid])
    const { webhookUuid } = await addWebhook(owner, receiver.url)
    const body = { name: 'Second operator', sites: [], roles: ['Operator'] }
    const added = await api(portico, '/operator/partners', { method: 'POST', token: operator, body })
    const remote = {
      PORTICO_URL: portico.url,
      PORTICO_CLIENT_ID: asString(added.json['clientId']),
      PORTICO_CLIENT_SECRET: asString(added.json['clientSecret']),
    }
    for (const options of [{ dataDir: portico.dataDir }, { env: remote }]) {
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await runPortico(['webhook', ...args], options)
        assert.equal(code, 0, stderr)
        return stdout
      }
      assert.match(await run('list'), new RegExp(`${webhookUuid}.*enabled.*${receiver.url}`))
      assert.match(await run('disable', webhookUuid), /is disabled/)
      assert.equal((await getWebhook(owner, webhookUuid))['state'], 'disabled')
      assert.match(await run('list'), /disabled \(operator\)/)
      assert.match(await run('enable', webhookUuid), /is enabled/)
      assert.equal((await getWebhook(owner, webhookUuid))['state'], 'enabled')
    }
  })
})

describe('limits and settings', () => {
  test('a partner tests at most 10 times a minute', async () => {
    const limited = await startInstallation({ ...LOOPBACK, ...stoppedClock(), RATE_LIMIT: 'on' })
    try {
      const house2 = makeSmallSite()
      await applyInventory(limited, house2.document)
      const own = await addClient(limited, [house2.siteUuid])
      const { webhookUuid } = await addWebhook(own, receiver.url)
      for (let n = 0; n < 10; n += 1) await testWebhook(own, webhookUuid)
      const answer = await own.post(`/webhooks/${webhookUuid}/test`, undefined)
      assert.equal(answer.status, 429, answer.text)
      assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
    } finally {
      await limited.stop()
    }
  })

  test('without allowed networks, plain http is rejected; switched off, every call is 409', async () => {
    const off = await startInstallation({ WEBHOOKS: 'off' })
    try {
      const partner = await addClient(off, [])
      for (const [path, method] of [
        ['/webhooks', 'GET'],
        ['/webhooks', 'POST'],
        [`/webhooks/${randomUUID()}/test`, 'POST'],
      ] as const) {
        const body =
          path === '/webhooks' && method === 'POST' ? { url: 'https://partner.example.com/' } : undefined
        const answer = await partner.send(path, { method, ...(body && { body }) })
        assert.equal(answer.status, 409, answer.text)
        assert.match(asString(answer.json['type']), /\/errors\/webhooks-off$/)
      }
      assert.ok(!('webhooks' in (await partner.get('/account'))))
    } finally {
      await off.stop()
    }
  })

  test('an invalid network is reported when the server starts', async () => {
    const { code, stderr } = await runPortico(['serve'], { env: { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/40' } })
    assert.equal(code, 2)
    assert.match(stderr, /WEBHOOK_ALLOWED_NETWORKS must be a comma-separated list of networks/)
  })
})

test('a partner that is disabled can no longer use its webhooks', async () => {
  const partner = await addClient(installation, [house.siteUuid])
  await addWebhook(partner, receiver.url)
  await changePartner(portico, operator, partner.partner.partnerUuid, { enabled: false })
  assert.equal((await partner.send('/webhooks')).status, 401)
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  CommandFailedError,
  ConflictError,
  type Device,
  type EventOfType,
  IdempotencyError,
  type Site,
  verifyWebhook,
  WaitTimeoutError,
  type WebhookEvent,
} from '../../packages/sdk/src/index.ts'
import { PorticoOperator } from '../../packages/sdk/src/operator.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/servers/free-port.ts'
import { type Portico, startPortico } from '../support/servers/portico.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { verifies } from '../support/webhooks/verify.ts'
import { demoClient } from './clients.ts'
import { startProxy } from './proxy.ts'

let server: Portico
let site: Site
let valves: Device[]
before(async () => {
  server = await startPortico({ env: { LOG_LEVEL: 'error' } })
  site = demoClient(server.demoEnv).site()
  valves = await site.devices.list({ deviceType: 'trv', status: 'online' }).toArray()
})
after(() => server.stop())

/** A valve that no other test uses. One that is silent this month is online until the demo has reported it. */
async function takeValve(): Promise<string> {
  const { deviceUuid } = valves.shift() ?? assert.fail('no valve is left')
  const { status } = await site.devices.get(deviceUuid)
  return status === 'online' ? deviceUuid : takeValve()
}

const OVERRIDE = { type: 'override', target: { temperature: 20 }, durationMinutes: 30 } as const

describe('a command', () => {
  test('is confirmed, at one request for each of its states', async () => {
    await using proxy = await startProxy(server.origin)
    const client = demoClient(server.demoEnv, { warnBeforeExpiry: false }, proxy.url).site()
    const command = await client.devices.schedule(await takeValve(), OVERRIDE)
    assert.equal(command.replayed, false)
    const { state } = await client.commands.wait(command)
    assert.equal(state, 'CONFIRMED')
    const reads = proxy.passed.filter(({ method, path }) => method === 'GET' && path.includes('/commands/'))
    assert.ok(reads.length <= 4, `${reads.length} requests`)
    const [latest] = await site.commands.list(command.deviceUuid).toArray()
    assert.equal(latest?.commandUuid, command.commandUuid)
  })

  test('whose response is lost is stored once', async () => {
    await using proxy = await startProxy(server.origin)
    const client = demoClient(server.demoEnv, { warnBeforeExpiry: false }, proxy.url).site()
    const valve = await takeValve()
    proxy.cutNext(({ method, url }) => method === 'POST' && url?.endsWith('/schedule') === true)
    const command = await client.devices.schedule(valve, OVERRIDE)
    assert.equal(command.replayed, true)
    const sent = proxy.passed.filter(({ path }) => path.endsWith('/schedule'))
    assert.deepEqual(
      sent.map(({ status }) => status),
      [202, 202],
    )
    const stored = await site.commands.list(valve).toArray()
    assert.deepEqual(
      stored.map(({ commandUuid }) => commandUuid),
      [command.commandUuid],
    )
  })

  test('that the device rejects is a CommandFailedError with the reason', async () => {
    const valve = await takeValve()
    await site.simulate(valve, { mode: 'reject' })
    const command = await site.devices.schedule(valve, OVERRIDE)
    await assert.rejects(site.commands.wait(command), (error) => {
      assert.ok(error instanceof CommandFailedError)
      assert.equal(error.code, 'DEVICE_REJECTED')
      assert.equal(error.command.commandUuid, command.commandUuid)
      return true
    })
  })

  test('that takes too long can be cancelled', async () => {
    const valve = await takeValve()
    await site.simulate(valve, { mode: 'delay', delaySeconds: 600 })
    const command = await site.devices.schedule(valve, OVERRIDE)
    await assert.rejects(site.commands.wait(command, { timeoutMs: 1_500 }), (error) => {
      assert.ok(error instanceof WaitTimeoutError)
      assert.match(error.command.state, /^(PENDING|SENT|DELIVERED)$/)
      return true
    })
    assert.equal((await site.commands.cancel(command)).state, 'CANCELLED')
    assert.equal((await site.commands.get(command)).failureReason?.code, 'REQUESTED')
  })

  test('with the key of another is an IdempotencyError, and a final one cannot be cancelled', async () => {
    const valve = await takeValve()
    const idempotencyKey = randomUUID()
    const command = await site.devices.schedule(valve, OVERRIDE, { idempotencyKey })
    await assert.rejects(
      site.devices.schedule(valve, { type: 'resume' }, { idempotencyKey }),
      IdempotencyError,
    )
    await site.commands.wait(command)
    await assert.rejects(site.commands.cancel(command), ConflictError)
  })
})

describe('events', () => {
  test('of a command can be followed, over an interrupted connection too', async () => {
    await using proxy = await startProxy(server.origin)
    const client = demoClient(server.demoEnv, { warnBeforeExpiry: false, maxRetries: 0 }, proxy.url).site()
    const after = await client.events.newest()
    const valve = await takeValve()
    const command = await site.devices.schedule(valve, OVERRIDE)
    proxy.cutNext(({ url }) => url?.startsWith('/v2/events?') === true)
    const states: string[] = []
    const filter = { after, deviceUuid: valve, types: ['command.updated'] } as const
    for await (const { data, eventUuid, number } of client.events.follow(filter)) {
      assert.equal((await client.events.get(eventUuid)).number, number)
      states.push(data.command.state)
      if (data.command.state === 'CONFIRMED') break
    }
    assert.equal(states[0], 'PENDING')
    assert.equal(new Set(states).size, states.length)
    await site.commands.wait(command)
  })

  test('reach a webhook, whose signature is verified', async () => {
    const { webhooks } = demoClient(server.demoEnv)
    const received: WebhookEvent[] = []
    const secrets: string[] = []
    const receiver = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        received.push(await verifyWebhook(Buffer.concat(chunks), request.headers, secrets))
        response.writeHead(204).end()
      })()
    })
    const port = await findFreePort()
    await new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve))
    try {
      const url = `http://127.0.0.1:${port}/hooks`
      const { webhookUuid, secret } = await webhooks.create({ url, eventTypes: ['command.updated'] })
      secrets.push(secret)
      const { delivered } = await webhooks.test(webhookUuid)
      assert.equal(delivered, true)
      secrets.unshift((await webhooks.rotateSecret(webhookUuid)).secret)
      await site.commands.wait(await site.devices.schedule(await takeValve(), OVERRIDE))
      await eventually(async () => {
        assert.ok(received.some(({ type }) => type === 'command.updated'))
        assert.ok((await webhooks.deliveries(webhookUuid, { state: 'delivered' }).toArray()).length > 0)
      })
      assert.equal(received[0]?.type, 'webhook.test')
      assert.equal((await webhooks.change(webhookUuid, { state: 'paused' })).state, 'paused')
      assert.equal((await webhooks.list().toArray()).length, 1)
      await webhooks.remove(webhookUuid)
    } finally {
      receiver.closeAllConnections()
      receiver.close()
    }
  })
})

test('`listen` forwards the events of a command, signed with the secret that it prints', async () => {
  await using receiver = await startReceiver()
  const command = fileURLToPath(new URL('../../packages/sdk/src/cli.ts', import.meta.url))
  const args = ['listen', '--forward', receiver.url, '--types', 'command.updated']
  const child = spawn(process.execPath, [command, ...args], {
    env: { ...process.env, ...server.demoEnv },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  let printed = ''
  child.stdout.on('data', (text: Buffer) => (printed += text.toString()))
  try {
    await eventually(async () => assert.match(printed, /Forwarding events after number \d+ to /))
    const [secret = ''] = /whsec_\S+/.exec(printed) ?? []
    const { commandUuid } = await site.commands.wait(await site.devices.schedule(await takeValve(), OVERRIDE))
    const states = await eventually(async () => {
      const own = receiver.requests.map((request) => {
        assert.ok(verifies(secret, request), request.text)
        const event = request.event as unknown as EventOfType<'command.updated'>
        assert.equal(request.id, event.eventUuid)
        return event.data.command
      })
      const found = own.filter((each) => each.commandUuid === commandUuid).map(({ state }) => state)
      assert.equal(found.at(-1), 'CONFIRMED', printed)
      return found
    })
    assert.equal(states[0], 'PENDING')
    await eventually(async () => assert.match(printed, /^\d+ command\.updated -> 200 in \d+ ms$/m))
  } finally {
    child.kill()
    await ended
  }
})

describe('the operator', () => {
  const create = (): PorticoOperator =>
    new PorticoOperator({
      operatorUrl: server.demoEnv.OPERATOR_URL,
      authUrl: server.demoEnv.AUTH_URL,
      clientId: server.demoEnv.OPERATOR_CLIENT_ID,
      clientSecret: server.demoEnv.OPERATOR_CLIENT_SECRET,
    })

  test('applies an inventory that was exported, without a change', async () => {
    const operator = create()
    const [first] = await operator.sites.list().toArray()
    const document = await operator.inventory.export(first?.siteUuid ?? '')
    const changes = await operator.inventory.apply(document, { dryRun: true })
    assert.deepEqual([changes.created, changes.updated, changes.archived], [0, 0, 0])
  })

  test('adds, changes and renews a partner', async () => {
    const operator = create()
    const name = `SDK ${randomUUID()}`
    const added = await operator.partners.add({
      name,
      sites: [server.demoEnv.SITE_ID],
      roles: ['Spaces.Read'],
    })
    const client = demoClient(server.demoEnv, { clientId: added.clientId, clientSecret: added.clientSecret })
    assert.equal((await client.account()).name, name)
    const { secretId } = await operator.partners.addSecret(added.partnerUuid)
    assert.equal((await operator.partners.get(added.partnerUuid)).secrets.length, 2)
    await operator.partners.removeSecret(added.partnerUuid, secretId)
    assert.equal((await operator.partners.change(added.partnerUuid, { enabled: false })).enabled, false)
    const all = await operator.partners.list().toArray()
    assert.ok(all.some(({ partnerUuid }) => partnerUuid === added.partnerUuid))
  })

  test('streams readings from an iterable', async () => {
    const operator = create()
    const [meter] = await site.devices.list({ deviceType: 'electricityMeter', limit: 1 }).toArray()
    const { deviceUuid = '' } = meter ?? {}
    const [first] = await site.devices.readings(deviceUuid, 'electricity').toArray()
    assert.ok(first)
    async function* readings() {
      for (let index = 0; index < 5_000; index += 1)
        yield {
          deviceUuid,
          metricType: 'electricity' as const,
          timestamp: new Date(Date.parse(first?.timestamp ?? '') + (index + 1) * 1000).toISOString(),
          value: first?.value ?? 0,
        }
    }
    const { accepted, replaced, unchanged, refusedCount } = await operator.readings.push(readings())
    assert.equal(accepted + replaced + unchanged, 5_000)
    assert.equal(refusedCount, 0)
  })
})

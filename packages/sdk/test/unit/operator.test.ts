import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PorticoOperator } from '../../src/operator.ts'
import { emptyPage, SITE, type StubAnswer, startStub } from './stub.ts'

const ID = '3b1f7d52-6c0e-4b0e-8a53-9d1f0f6f3c11'

/** An operator whose requests are recorded. */
function startOperator(answer: StubAnswer) {
  const { seen, options } = startStub(() => answer)
  const operator = new PorticoOperator({ ...options, operatorUrl: options.baseUrl })
  return { operator, sent: () => seen.map(({ method, path, body }) => [method, path, body].join(' ').trim()) }
}

test('each list of the operator has its path and its filters', async () => {
  const { operator, sent } = startOperator({ body: emptyPage })
  const options = { maxRetries: 0 }
  for (const list of [
    operator.partners.list(options),
    operator.sites.list(options),
    operator.sites.devices(SITE, { status: 'offline', silentForMinutes: 60 }, options),
    operator.sites.commands(SITE, { deviceUuid: ID }, options),
    operator.gateways.list(SITE, options),
    operator.commands({ state: 'FAILED' }, options),
    operator.rejected({ reason: 'unknown-device' }, options),
    operator.audit({ action: 'partner.add' }, options),
    operator.migration(options),
    operator.migrationDays({ partnerUuid: ID }, options),
    operator.keys(options),
    operator.console.sessions(options),
  ])
    await list.toArray()
  assert.deepEqual(sent(), [
    'GET /partners?limit=1000',
    'GET /sites?limit=1000',
    `GET /sites/${SITE}/devices?limit=1000&status=offline&silentForMinutes=60`,
    `GET /sites/${SITE}/commands?limit=1000&deviceUuid=${ID}`,
    `GET /sites/${SITE}/gateways`,
    'GET /commands?limit=1000&state=FAILED',
    'GET /rejected?limit=1000&reason=unknown-device',
    'GET /audit?limit=1000&action=partner.add',
    'GET /migration?limit=1000',
    `GET /migration/days?limit=1000&partnerUuid=${ID}`,
    'GET /keys?limit=1000',
    'GET /sessions?limit=1000',
  ])
})

test('each change by the operator has its method, path and body', async () => {
  const { operator, sent } = startOperator({})
  await operator.partners.change(ID, { enabled: false })
  await operator.partners.addSecret(ID)
  await operator.partners.removeSecret(ID, 'a/b')
  await operator.gateways.add(SITE, { name: 'Cellar' })
  await operator.gateways.remove(SITE, ID)
  await operator.console.endSession(ID)
  await operator.console.addLink()
  await operator.rotateKeys()
  await operator.request('get', '/health', { query: { verbose: true } })
  assert.deepEqual(sent(), [
    `PATCH /partners/${ID} {"enabled":false}`,
    `POST /partners/${ID}/secrets`,
    `DELETE /partners/${ID}/secrets/a%2Fb`,
    `POST /sites/${SITE}/gateways {"name":"Cellar"}`,
    `DELETE /sites/${SITE}/gateways/${ID}`,
    `DELETE /sessions/${ID}`,
    'POST /console-links',
    'POST /keys/rotate',
    'GET /health?verbose=true',
  ])
})

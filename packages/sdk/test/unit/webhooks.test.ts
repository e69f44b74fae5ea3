import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SITE, startStub } from './stub.ts'

const HOOK = '0193c1a2-0000-7000-8000-000000000001'
const EVENT = '0193c1a2-0000-7000-8000-000000000002'

test('each call of webhooks has its method, path and body, and no site', async () => {
  const stub = startStub(({ method, path }) => ({
    status: method === 'DELETE' ? 204 : 200,
    body:
      method === 'GET' && !path.includes(EVENT)
        ? { data: [], pagination: { nextCursor: null, hasMore: false } }
        : { secret: 'whsec_AAAA' },
  }))
  const { webhooks } = stub.create()
  const { secret } = await webhooks.create({
    url: 'https://example.com/hooks',
    eventTypes: ['device.offline'],
  })
  assert.equal(secret, 'whsec_AAAA')
  await webhooks.list().toArray()
  await webhooks.get(HOOK)
  await webhooks.change(HOOK, { state: 'paused' })
  await webhooks.enable(HOOK, { from: 'now' })
  await webhooks.test(HOOK)
  await webhooks.rotateSecret(HOOK)
  await webhooks.deliveries(HOOK, { state: 'failed', from: new Date(0) }).toArray()
  await webhooks.delivery(HOOK, EVENT)
  await webhooks.replay(HOOK, { siteUuid: SITE, fromNumber: 5, only: 'failed' })
  assert.equal(await webhooks.remove(HOOK), undefined)
  assert.deepEqual(
    stub.seen.map(({ method, path, body }) => [method, path, body].join(' ').trim()),
    [
      'POST /webhooks {"url":"https://example.com/hooks","eventTypes":["device.offline"]}',
      'GET /webhooks',
      `GET /webhooks/${HOOK}`,
      `PATCH /webhooks/${HOOK} {"state":"paused"}`,
      `POST /webhooks/${HOOK}/enable {"from":"now"}`,
      `POST /webhooks/${HOOK}/test`,
      `POST /webhooks/${HOOK}/secrets`,
      `GET /webhooks/${HOOK}/deliveries?limit=1000&state=failed&from=1970-01-01T00%3A00%3A00.000Z`,
      `GET /webhooks/${HOOK}/deliveries/${EVENT}`,
      `POST /webhooks/${HOOK}/replay {"siteUuid":"${SITE}","fromNumber":5,"only":"failed"}`,
      `DELETE /webhooks/${HOOK}`,
    ],
  )
  assert.ok(stub.seen.every(({ headers }) => !headers.has('siteid')))
})

test('adding a webhook is not repeated without a key', async () => {
  const stub = startStub(() => ({ status: 503 }))
  await assert.rejects(async () => stub.create().webhooks.create({ url: 'https://example.com/' }))
  assert.equal(stub.seen.length, 1)
})

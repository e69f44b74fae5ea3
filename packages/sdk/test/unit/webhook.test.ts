import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, mock, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookError, type WebhookErrorCode } from '../../src/index.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = `whsec_${randomBytes(32).toString('base64')}`
const BODY = JSON.stringify({ type: 'webhook.test', data: { note: 'ü' } })

const seconds = (offset = 0): string => String(Math.floor(Date.now() / 1000) + offset)

function sign(secret: string, body = BODY, timestamp = seconds(), id = 'msg_1'): Record<string, string> {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

const rejects = (promise: Promise<unknown>, code: WebhookErrorCode, message = /./): Promise<void> =>
  assert.rejects(
    promise,
    (error) => error instanceof WebhookError && error.code === code && message.test(error.message),
  )

describe('a signature', () => {
  test('of the vector of the Standard Webhooks specification is accepted', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1_614_265_330_000 })
    try {
      const headers = {
        'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      }
      assert.deepEqual(await verifyWebhook('{"test": 2432232314}', headers, SECRET), { test: 2432232314 })
    } finally {
      mock.timers.reset()
    }
  })

  test('of npm standardwebhooks is accepted', async () => {
    const timestamp = seconds()
    const signature = new Webhook(OTHER).sign('msg_2', new Date(Number(timestamp) * 1000), BODY)
    const headers = { ...sign(OTHER, BODY, timestamp, 'msg_2'), 'webhook-signature': signature }
    const event = await verifyWebhook(BODY, headers, OTHER)
    assert.equal(event.type, 'webhook.test')
  })

  test('that this SDK accepts, npm standardwebhooks accepts, and the reverse', async () => {
    for (const headers of [sign(OTHER), sign(OTHER, `${BODY} `), sign(OTHER, BODY, seconds(-301))]) {
      const theirs = attempt(() => new Webhook(OTHER).verify(BODY, headers))
      const ours = await verifyWebhook(BODY, headers, OTHER).then(
        () => true,
        () => false,
      )
      assert.equal(ours, theirs)
    }
  })

  test('may be one of several, with several secrets', async () => {
    const headers = sign(OTHER)
    headers['webhook-signature'] = `v1a,xyz v1,AAAA ${headers['webhook-signature'] ?? ''}`
    await verifyWebhook(BODY, headers, [SECRET, OTHER])
  })

  test('of another secret, another body or another id is rejected', async () => {
    await rejects(verifyWebhook(BODY, sign(OTHER), SECRET), 'signature')
    await rejects(verifyWebhook(`${BODY} `, sign(SECRET), SECRET), 'signature')
    await rejects(verifyWebhook(BODY, { ...sign(SECRET), 'webhook-id': 'msg_2' }, SECRET), 'signature')
    await rejects(
      verifyWebhook(BODY, { ...sign(SECRET), 'webhook-signature': 'v1,***' }, SECRET),
      'signature',
    )
  })
})

const attempt = (run: () => unknown): boolean => {
  try {
    run()
    return true
  } catch {
    return false
  }
}

describe('the input', () => {
  test('can be bytes, and headers in any form', async () => {
    const bytes = new TextEncoder().encode(BODY)
    await verifyWebhook(bytes, new Headers(sign(SECRET)), SECRET)
    await verifyWebhook(bytes.buffer, sign(SECRET), SECRET)
    const upper = Object.entries(sign(SECRET)).map(([name, value]) => [name.toUpperCase(), [value]])
    await verifyWebhook(BODY, Object.fromEntries(upper) as Record<string, string[]>, SECRET)
  })

  test('can have the headers of another implementation of fetch', async () => {
    const headers = new Map(Object.entries(sign(SECRET)))
    await verifyWebhook(BODY, { get: (name) => headers.get(name) ?? null }, SECRET)
  })

  test('that was parsed is an error that says how to get the raw body', async () => {
    const parsed = JSON.parse(BODY) as string
    await rejects(verifyWebhook(parsed, sign(SECRET), SECRET), 'body-was-parsed', /express\.raw.*Fastify/s)
  })

  test('without the headers is an error', async () => {
    await rejects(verifyWebhook(BODY, {}, SECRET), 'headers-missing')
  })

  test('may be 300 s old or early, unless another tolerance is given', async () => {
    await verifyWebhook(BODY, sign(SECRET, BODY, seconds(-290)), SECRET)
    await rejects(verifyWebhook(BODY, sign(SECRET, BODY, seconds(-310)), SECRET), 'timestamp', /31\d s ago/)
    await rejects(verifyWebhook(BODY, sign(SECRET, BODY, seconds(320)), SECRET), 'timestamp', /future/)
    await rejects(verifyWebhook(BODY, sign(SECRET, BODY, 'now'), SECRET), 'timestamp', /not a number/)
    const options = { toleranceSeconds: 600 }
    await verifyWebhook(BODY, sign(SECRET, BODY, seconds(-310)), SECRET, options)
  })

  test('with a secret of the wrong shape is an error that guesses why', async () => {
    for (const [secret, message] of [
      [undefined, /missing/],
      [[], /missing/],
      [`${SECRET}\n`, /white space/],
      ['whsec_***', /not whsec_/],
    ] as const)
      await rejects(verifyWebhook(BODY, sign(SECRET), secret), 'secret-shape', message)
  })
})

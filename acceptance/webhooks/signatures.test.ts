import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { verifyWebhook } from '../../packages/sdk/src/index.ts'
import { tokenFor } from '../support/clients/requests.ts'
import { v2Client } from '../support/clients/v2-client.ts'
import { asString } from '../support/json.ts'
import { makeClock } from '../support/control/clock.ts'
import { addClient, startInstallation } from '../support/servers/installation.ts'
import { skipWithout, systemPython, testTools } from '../support/servers/test-tools.ts'
import { type ReceivedRequest, startReceiver } from '../support/webhooks/receiver.ts'
import { verifies } from '../support/webhooks/verify.ts'
import { addWebhook, getWebhook, LOOPBACK, testWebhook } from '../support/webhooks/webhooks.ts'

const PYTHON_CLIENT = fileURLToPath(new URL('../../clients/python', import.meta.url))

const receiver = await startReceiver()
const clock = makeClock(await mkdtemp(join(tmpdir(), 'portico-webhooks-')))
const installation = await startInstallation({ ...LOOPBACK, ...clock.env })
after(async () => {
  await installation.stop()
  await receiver[Symbol.asyncDispose]()
})
const { portico } = installation
let client = await addClient(installation, [])

async function receiveTest(webhookUuid: string): Promise<ReceivedRequest> {
  assert.equal((await testWebhook(client, webhookUuid))['delivered'], true)
  return receiver.requests.at(-1) ?? assert.fail()
}

const countSignatures = ({ headers }: ReceivedRequest): number =>
  String(headers['webhook-signature']).split(' ').length

describe('signatures', () => {
  test('are verified by the reference implementation, and only with the right secret and body', async () => {
    const [one, two] = [await addWebhook(client, receiver.url), await addWebhook(client, receiver.url)]
    assert.notEqual(one.secret, two.secret)
    const request = await receiveTest(one.webhookUuid)
    assert.equal(verifies(one.secret, request), true)
    assert.equal(verifies(two.secret, request), false)
    assert.equal(verifies(one.secret, { ...request, text: `${request.text} ` }), false)
    const another = { ...request.headers, 'webhook-id': 'another' }
    assert.equal(verifies(one.secret, { ...request, headers: another }), false)
    const seconds = Number(request.headers['webhook-timestamp'])
    assert.ok(Math.abs(seconds - clock.now() / 1_000) < 120)
  })

  test('are verified by the SDKs, and by the documented Python without a library', {
    skip: skipWithout(testTools.python),
  }, async () => {
    const { webhookUuid, secret } = await addWebhook(client, receiver.url)
    const { headers, text } = await receiveTest(webhookUuid)
    const signed = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name.startsWith('webhook-')),
    ) as Record<string, string>
    assert.equal((await verifyWebhook(text, signed, secret)).type, 'webhook.test')
    const documented = await readFile(new URL('../../docs/api/webhooks.md', import.meta.url), 'utf8')
    const [, snippet = ''] = /```python\n(.*?)```/s.exec(documented) ?? []
    const program = `import json, sys
sys.path.insert(0, ${JSON.stringify(PYTHON_CLIENT)})
import portico
${snippet}
headers, body, secret = json.loads(sys.argv[1])
verify(secret, headers, body.encode())
print(portico.verify_webhook(body, headers, secret)["type"])
for call in (verify, lambda secret, headers, body: portico.verify_webhook(body, headers, secret)):
    try:
        call(secret, headers, (body + " ").encode())
    except ValueError as error:
        print("rejected")
    except portico.WebhookError as error:
        print(error.code)
`
    const args = ['-B', '-c', program, JSON.stringify([signed, text, secret])]
    const { stdout } = await promisify(execFile)(systemPython, args)
    assert.deepEqual(stdout.trim().split('\n'), ['webhook.test', 'rejected', 'signature'])
  })

  test('are made with both secrets for 24 hours after a rotation, then with the new one', async () => {
    const { webhookUuid, secret: old } = await addWebhook(client, receiver.url)
    const rotated = await client.post(`/webhooks/${webhookUuid}/secrets`, undefined)
    assert.equal(rotated.status, 201, rotated.text)
    const secret = asString(rotated.json['secret'])
    const endsIn = Date.parse(asString(rotated.json['previousEndsAt'])) - clock.now()
    assert.ok(Math.abs(endsIn - 86_400_000) < 120_000)
    assert.equal(rotated.headers.get('cache-control'), 'no-store')
    const both = await receiveTest(webhookUuid)
    assert.deepEqual([verifies(old, both), verifies(secret, both), countSignatures(both)], [true, true, 2])
    const again = await client.post(`/webhooks/${webhookUuid}/secrets`, undefined)
    const third = asString(again.json['secret'])
    const next = await receiveTest(webhookUuid)
    assert.deepEqual(
      [verifies(old, next), verifies(secret, next), verifies(third, next), countSignatures(next)],
      [false, true, true, 2],
    )
    clock.moveBy(24.1)
    const { clientId, clientSecret } = client.partner
    client = { ...client, ...v2Client(portico, await tokenFor(portico, clientId, clientSecret), '') }
    assert.ok(!('secret' in (await getWebhook(client, webhookUuid))))
    const last = await receiveTest(webhookUuid)
    assert.deepEqual([verifies(secret, last), verifies(third, last), countSignatures(last)], [false, true, 1])
  })
})

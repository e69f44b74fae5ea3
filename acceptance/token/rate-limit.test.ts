import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertIssuerError, issuerErrors } from '../support/oracles/issuer-error.ts'
import { addPartner } from '../support/clients/operator.ts'
import { startPortico } from '../support/servers/portico.ts'
import { type Answer, goodParameters, operatorToken, requestToken } from '../support/clients/requests.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'

const portico = await startPortico({ env: stoppedClock() })
after(() => portico.stop())

const operator = await operatorToken(portico)

async function newClient(): Promise<Record<string, string>> {
  const partner = await addPartner(portico, operator)
  return goodParameters(partner.clientId, partner.clientSecret)
}

/** Sends requests until the response is 429. */
async function untilThrottled(params: Record<string, string>): Promise<{ before: Answer[]; last: Answer }> {
  const before: Answer[] = []
  while (before.length <= 60) {
    const last = await requestToken(portico, params)
    if (last.status === 429) return { before, last }
    before.push(last)
  }
  assert.fail(`${before.length} requests and no 429`)
}

function assertThrottled(answer: Answer): void {
  assertIssuerError(answer, issuerErrors.throttled)
  const retryAfter = answer.headers.get('retry-after') ?? ''
  assert.match(retryAfter, /^\d+$/)
  // A window that slides over two buckets may require slightly more than its minute.
  assert.ok(Number(retryAfter) >= 1 && Number(retryAfter) <= 120, retryAfter)
}

test('a client gets 30 tokens a minute, then 429 90055 with Retry-After', async () => {
  const client = await newClient()
  const { before, last } = await untilThrottled(client)
  for (const answer of before) assert.equal(answer.status, 200, answer.text)
  assert.equal(before.length, 30)
  assertThrottled(last)
})

test('all forms of the request share the limit', async () => {
  const client = await newClient()
  const forms = [{}, { query: { x: '1' } }, { headers: { 'x-forwarded-for': '192.0.2.1' } }]
  const answers: Answer[] = []
  for (let count = 0; count < 45; count += 1)
    answers.push(await requestToken(portico, client, forms[count % forms.length]))
  assert.equal(answers.filter((answer) => answer.status === 200).length, 30)
  for (const answer of answers.slice(-forms.length)) assertThrottled(answer)
})

test('concurrent requests get no more tokens than sequential ones', async () => {
  const client = await newClient()
  const answers = await Promise.all(Array.from({ length: 60 }, () => requestToken(portico, client)))
  assert.equal(answers.filter((answer) => answer.status === 200).length, 30)
  for (const answer of answers) if (answer.status !== 200) assertThrottled(answer)
})

test('a client at its limit does not affect another', async () => {
  await untilThrottled(await newClient())
  const answer = await requestToken(portico, await newClient())
  assert.equal(answer.status, 200, answer.text)
})

test('after 10 wrong secrets a minute further ones answer 429, and the right one still gets a token', async () => {
  const client = await newClient()
  const wrong = { ...client, client_secret: 'wrong' }
  const { before, last } = await untilThrottled(wrong)
  for (const answer of before) assertIssuerError(answer, issuerErrors.wrongSecret)
  assert.equal(before.length, 10)
  assertThrottled(last)
  const right = await requestToken(portico, client)
  assert.equal(right.status, 200, right.text)
  assertThrottled(await requestToken(portico, wrong))
})

test('wrong secrets of one client do not count for another', async () => {
  await untilThrottled({ ...(await newClient()), client_secret: 'wrong' })
  const answer = await requestToken(portico, { ...(await newClient()), client_secret: 'wrong' })
  assertIssuerError(answer, issuerErrors.wrongSecret)
})

test('wrong secrets are counted separately from issued tokens', async () => {
  const client = await newClient()
  await untilThrottled({ ...client, client_secret: 'wrong' })
  const { before } = await untilThrottled(client)
  assert.equal(before.length, 30)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import {
  addClient,
  applyInventory,
  type Installation,
  startInstallation,
} from '../support/servers/installation.ts'
import { asString } from '../support/json.ts'
import { assertProblem, assertUnauthorized } from '../support/oracles/problem.ts'
import type { Answer } from '../support/clients/requests.ts'
import { shareDemo } from '../support/servers/shared-demo.ts'
import { stoppedClock } from '../support/preload/stopped-clock.ts'
import type { V2Client } from '../support/clients/v2-client.ts'

const minute = {
  ...stoppedClock(),
  RATE_LIMIT: 'on',
  RATE_LIMIT_PER_MINUTE: '6',
  RATE_LIMIT_PER_5_MINUTES: '100',
}
const fiveMinutes = { ...minute, RATE_LIMIT_PER_MINUTE: '50', RATE_LIMIT_PER_5_MINUTES: '9' }
const [limited, slow, usual, unlimited] = await Promise.all([
  startInstallation(minute),
  startInstallation(fiveMinutes),
  startInstallation({ ...stoppedClock(), RATE_LIMIT: 'on' }),
  shareDemo(),
])
after(() => Promise.all([limited, slow, usual].map((installation) => installation.stop())))

const house = makeSmallSite()
const second = makeSmallSite()
for (const installation of [limited, slow, usual, unlimited]) {
  await applyInventory(installation, house.document)
  await applyInventory(installation, second.document)
}
/** A partner that has not called yet. */
const newClient = (installation: Installation): Promise<V2Client> =>
  addClient(installation, [house.siteUuid, second.siteUuid])

async function untilLimited(call: () => Promise<Answer>): Promise<{ passed: Answer[]; last: Answer }> {
  const passed: Answer[] = []
  while (passed.length <= 200) {
    const last = await call()
    if (last.status === 429) return { passed, last }
    passed.push(last)
  }
  assert.fail(`${passed.length} calls and no 429`)
}

function assertLimited({ portico }: Installation, answer: Answer, longest: number): void {
  const body = assertProblem(portico, answer, 429)
  assert.equal(body['type'], `${portico.url}/errors/rate-limited`)
  assert.equal(answer.headers.get('api-version'), '2')
  const retryAfter = answer.headers.get('retry-after') ?? ''
  assert.match(retryAfter, /^[1-9]\d*$/)
  assert.ok(Number(retryAfter) <= longest, retryAfter)
}

const counts = ({ headers }: Answer): (string | null)[] =>
  ['limit', 'remaining', 'limit-5m', 'remaining-5m'].map((name) => headers.get(`x-ratelimit-${name}`))

describe('the four headers', () => {
  test('show the limit and the remainder, 180 a minute and 500 in five by default', async () => {
    const client = await newClient(usual)
    assert.deepEqual(counts(await client.send('/spaces')), ['180', '179', '500', '499'])
    assert.deepEqual(counts(await client.send('/devices')), ['180', '178', '500', '498'])
  })

  test('are on every kind of counted response', async () => {
    const client = await newClient(usual)
    for (const path of ['/sites', '/metric-types', `/devices/${randomUUID()}`, '/devices?limit=x']) {
      const shown = counts(await client.send(path))
      assert.deepEqual([shown[0], shown[2]], ['180', '500'], path)
      for (const left of shown) assert.match(asString(left), /^\d+$/)
    }
  })

  test('count down to zero', async () => {
    const client = await newClient(limited)
    const { passed, last } = await untilLimited(() => client.send('/spaces'))
    const left = passed.map((answer) => Number(counts(answer)[1]))
    assert.equal(left[0], 5)
    assert.deepEqual(
      left,
      left.toSorted((a, b) => b - a),
    )
    assert.deepEqual(counts(last).slice(0, 3), ['6', '0', '100'])
  })
})

describe('429 rate-limited', () => {
  test('after the calls of a minute', async () => {
    const client = await newClient(limited)
    const { passed, last } = await untilLimited(() => client.send('/spaces'))
    assert.equal(passed.length, 6)
    for (const answer of passed) assert.equal(answer.status, 200, answer.text)
    assertLimited(limited, last, 120)
  })

  test('after the calls of five minutes', async () => {
    const client = await newClient(slow)
    const { passed, last } = await untilLimited(() => client.send('/spaces'))
    assert.equal(passed.length, 9)
    assertLimited(slow, last, 600)
    assert.equal(counts(last)[3], '0')
  })

  test('for all calls: successful, rejected or with another method', async () => {
    const client = await newClient(limited)
    const paths = [
      '/spaces',
      '/devices',
      `/devices/${randomUUID()}`,
      '/devices?limit=x',
      '/nothing',
      '/spaces',
    ]
    for (const path of paths) assert.notEqual((await client.send(path)).status, 429)
    const { passed } = await untilLimited(() => client.send('/spaces'))
    // The unknown path does not count for the site, only for the partner.
    assert.equal(passed.length, 1)
  })

  test('concurrent calls get no more than sequential ones', async () => {
    const client = await newClient(limited)
    const answers = await Promise.all(Array.from({ length: 30 }, () => client.send('/spaces')))
    assert.equal(answers.filter(({ status }) => status === 200).length, 6)
    for (const answer of answers) if (answer.status !== 200) assertLimited(limited, answer, 120)
  })

  test('is counted per site and partner', async () => {
    const client = await newClient(limited)
    await untilLimited(() => client.send('/spaces'))
    const headers = { SiteId: second.siteUuid }
    assert.equal((await client.send('/spaces', { headers })).status, 200)
    assert.equal((await (await newClient(limited)).send('/spaces')).status, 200)
  })

  test('calls for sites that are not granted count for the partner, however many are tried', async () => {
    const client = await newClient(limited)
    const { passed, last } = await untilLimited(() =>
      client.send('/spaces', { headers: { SiteId: randomUUID() } }),
    )
    for (const answer of passed) assertProblem(limited.portico, answer, 403)
    assert.equal(passed.length, 6)
    assertLimited(limited, last, 120)
  })

  test('an invalid token is 401 and counts for no partner', async () => {
    const client = await newClient(limited)
    for (let index = 0; index < 20; index++) {
      const answer = await client.send('/spaces', { token: 'a.b.c' })
      assertUnauthorized(limited.portico, answer, 'TokenInvalid')
    }
    assert.equal(counts(await client.send('/spaces'))[1], '5')
  })

  test('a 304 is refunded', async () => {
    const client = await newClient(limited)
    const first = await client.send('/spaces')
    const headers = { 'if-none-match': asString(first.headers.get('etag')) }
    for (let index = 0; index < 20; index++) {
      assert.equal((await client.send('/spaces', { headers })).status, 304)
    }
    assert.equal((await client.send('/spaces')).status, 200)
  })
})

describe('RATE_LIMIT=off', () => {
  test('disables every limit', async () => {
    const client = await newClient(unlimited)
    for (let index = 0; index < 30; index++) assert.equal((await client.send('/spaces')).status, 200)
    for (let index = 0; index < 10; index++) {
      const answer = await client.post(`/devices/${house.trv}/schedule`, { type: 'resume' })
      assert.equal(answer.status, 202, answer.text)
    }
  })
})

describe('commands', () => {
  test('a device accepts 5 a minute, and another device is not affected', async () => {
    const client = await newClient(usual)
    const command = (device: string): Promise<Answer> =>
      client.post(`/devices/${device}/schedule`, { type: 'resume' })
    const { passed, last } = await untilLimited(() => command(house.trv))
    assert.equal(passed.length, 5)
    assertLimited(usual, last, 120)
    assert.equal((await command(house.cylinder)).status, 202)
  })

  test('the limit of a device covers all partners together', async () => {
    const [one, two] = [await newClient(usual), await newClient(usual)]
    const path = `/devices/${second.trv}/schedule`
    const headers = { SiteId: second.siteUuid }
    await untilLimited(() => one.post(path, { type: 'resume' }, headers))
    assertLimited(usual, await two.post(path, { type: 'resume' }, headers), 120)
  })
})

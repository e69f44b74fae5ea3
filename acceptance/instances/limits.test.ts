import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startInstancesWithHouse } from '../support/instances.ts'
import { metricAt } from '../support/mqtt-site.ts'
import { type Answer, goodParameters, requestToken } from '../support/requests.ts'

const PER_MINUTE = 20
const instances = await startInstancesWithHouse({
  RATE_LIMIT: 'on',
  RATE_LIMIT_PER_MINUTE: String(PER_MINUTE),
  RATE_LIMIT_PER_5_MINUTES: '1000',
})
after(() => instances.remove())
const { one, other, house } = instances
const newClients = () => instances.addClients(house.siteUuid)

const passed = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

/** Calls of both instances at once. */
const times = (count: number, call: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)))

// A window that slides forgets a little of the past with every second.
function assertAbout(count: number, limit: number): void {
  assert.ok(count >= limit && count <= limit + 2, `${count} passed, the limit is ${limit}`)
}

describe('limits are counted in the database, for both instances together', () => {
  test('and the figures say so', async () => {
    for (const portico of [one, other])
      assert.equal(await metricAt(portico, 'portico_limits_shared', 'by="postgres"'), 1)
  })

  test('requests of a partner, one after the other: the headers are exact', async () => {
    const clients = await newClients()
    const left: (string | null)[] = []
    for (const client of [clients.one, clients.other, clients.other, clients.one])
      left.push((await client.send('/spaces')).headers.get('x-ratelimit-remaining'))
    assert.deepEqual(left, ['19', '18', '17', '16'])
  })

  test('requests of a partner, all at once', async () => {
    const clients = await newClients()
    const answers = await times(60, (index) => (index % 2 ? clients.one : clients.other).send('/spaces'))
    assertAbout(passed(answers, 200), PER_MINUTE)
    assert.equal(passed(answers, 200) + passed(answers, 429), 60)
  })

  test('wrong secrets of a client', async () => {
    const { partner } = await newClients()
    const wrong = { ...goodParameters(partner.clientId, partner.clientSecret), client_secret: 'wrong' }
    const answers = await times(30, (index) => requestToken(index % 2 ? one : other, wrong))
    assertAbout(passed(answers, 401), 10)
  })

  test('commands of a device', async () => {
    const clients = await newClients()
    const answers = await times(15, (index) =>
      (index % 2 ? clients.one : clients.other).post(`/devices/${house.trv}/schedule`, { type: 'resume' }),
    )
    assertAbout(passed(answers, 202), 5)
  })
})

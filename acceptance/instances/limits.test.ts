import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { applyInventory } from '../support/servers/installation.ts'
import { startInstancesWithSite } from '../support/servers/instances.ts'
import { metricAt } from '../support/fixtures/mqtt-site.ts'
import { type Answer, goodParameters, requestToken } from '../support/clients/requests.ts'
import { assertLimitedTo } from '../support/oracles/sliding-window.ts'

// Few requests per attempt: on a busy machine, the responses of the database to many would be late.
const PER_MINUTE = 6
const instances = await startInstancesWithSite({
  RATE_LIMIT: 'on',
  RATE_LIMIT_PER_MINUTE: String(PER_MINUTE),
  RATE_LIMIT_PER_5_MINUTES: '1000',
})
after(() => instances.remove())
const { one, other, house } = instances
type Clients = Awaited<ReturnType<typeof instances.addClients>>
const newClients = (): Promise<Clients> => instances.addClients(house.siteUuid)

const passed = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length

/** Calls through both instances concurrently. */
const times = (count: number, call: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)))

/**
 * Runs each attempt with a new partner. An instance whose database responds too late, as on a stalled machine, counts
 * alone for a moment. Counting in the database passes on a later attempt; not counting there never does.
 */
const eventuallyLimitedTo = (limit: number, attempt: (clients: Clients) => Promise<number>): Promise<void> =>
  eventually(async () => {
    const clients = await newClients()
    await assertLimitedTo(limit, () => attempt(clients))
  })

describe('limits are counted in the database, for both instances together', () => {
  test('and the metrics show it', async () => {
    for (const portico of [one, other])
      await eventually(async () =>
        assert.equal(await metricAt(portico, 'portico_limits_shared', 'by="postgres"'), 1),
      )
  })

  test('requests of a partner, one after another: the headers are exact', () =>
    eventually(async () => {
      const clients = await newClients()
      const left: (string | null)[] = []
      for (const client of [clients.one, clients.other, clients.other, clients.one])
        left.push((await client.send('/spaces')).headers.get('x-ratelimit-remaining'))
      assert.deepEqual(left, ['5', '4', '3', '2'])
    }))

  test('requests of a partner, concurrently', () =>
    eventuallyLimitedTo(PER_MINUTE, async (clients) => {
      const answers = await times(2 * PER_MINUTE, (index) =>
        (index % 2 ? clients.one : clients.other).send('/spaces'),
      )
      assert.equal(passed(answers, 200) + passed(answers, 429), 2 * PER_MINUTE)
      return passed(answers, 200)
    }))

  test('wrong secrets of a client', () =>
    eventuallyLimitedTo(10, async ({ partner }) => {
      const wrong = { ...goodParameters(partner.clientId, partner.clientSecret), client_secret: 'wrong' }
      const answers = await times(14, (index) => requestToken(index % 2 ? one : other, wrong))
      return passed(answers, 401)
    }))

  test('commands of a device', () =>
    // A device's limit applies to all partners together, so each attempt uses a new device.
    eventually(async () => {
      const another = makeSmallSite()
      await applyInventory(instances.at(one), another.document)
      const clients = await instances.addClients(another.siteUuid)
      await assertLimitedTo(5, async () => {
        const answers = await times(8, (index) =>
          (index % 2 ? clients.one : clients.other).post(`/devices/${another.trv}/schedule`, {
            type: 'resume',
          }),
        )
        return passed(answers, 202)
      })
    }))
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { override } from '../support/control/bodies.ts'
import { eventually } from '../support/eventually.ts'
import { makeTogether, type Together } from '../support/instances.ts'
import { asString } from '../support/json.ts'
import type { Portico } from '../support/portico.ts'
import { demoToken } from '../support/requests.ts'
import { type V2Client, v2Client } from '../support/v2-client.ts'

let together: Together
let one: Portico
let other: Portico
let valve = ''
let at: (portico: Portico) => V2Client

before(async () => {
  together = await makeTogether()
  one = await together.start({ demo: true })
  other = await together.start({ demo: true })
  // Who finds no demo.env in its folder makes new secrets: those of the last one hold.
  const token = await demoToken(other)
  at = (portico) => v2Client(portico, token, one.demoEnv.SITE_ID)
  const devices = await at(one).list('/devices?deviceType=trv')
  valve = asString(devices[0]?.['deviceUuid'])
})
after(() => together.remove())

async function mode(portico: Portico, name: string): Promise<void> {
  const answer = await at(portico).post(`/sandbox/devices/${valve}/simulate`, { mode: name })
  assert.equal(answer.status, 200, answer.text)
}

const hasStatus = (portico: Portico, status: string): Promise<void> =>
  eventually(async () => assert.equal((await at(portico).get(`/devices/${valve}`))['status'], status))

async function ends(portico: Portico, state: string): Promise<void> {
  const answer = await at(portico).post(`/devices/${valve}/schedule`, override(20))
  assert.equal(answer.status, 202, answer.text)
  const path = `/devices/${valve}/commands/${asString(answer.json['commandUuid'])}`
  await eventually(async () => assert.equal((await at(portico).get(path))['state'], state))
}

describe('the demo in two instances', () => {
  test('a mode that was set through one holds for both', async () => {
    for (const [setter, asked] of [
      [one, other],
      [other, one],
    ] as const) {
      await mode(setter, 'offline')
      await hasStatus(asked, 'offline')
      await mode(setter, 'reject')
      await hasStatus(asked, 'online')
      await ends(asked, 'FAILED')
      await mode(asked, 'online')
      await ends(setter, 'CONFIRMED')
    }
  })

  test('the devices are played on when one instance is killed, as they were', async () => {
    await mode(other, 'reject')
    await one.kill()
    await ends(other, 'FAILED')
    await mode(other, 'online')
    await ends(other, 'CONFIRMED')
  })
})

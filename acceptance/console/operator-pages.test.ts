import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { partnerRoles } from '../support/clients/operator.ts'
import { endDevices } from '../support/clients/mqtt.ts'
import { api, tokenFor } from '../support/clients/requests.ts'
import { eventually } from '../support/eventually.ts'
import { addMqttSite, rejectedAt } from '../support/fixtures/mqtt-site.ts'
import { makeSmallSite, type SmallSite } from '../support/fixtures/small-site.ts'
import type { JsonObject } from '../support/json.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { assertAccessible, assertFits, assertShowsCalls, visit } from './console-page.ts'
import { type OperatorConsole, startOperatorConsole } from './operator-console.ts'

/** Runs if it ever becomes an element. */
const PROBE = '<img src=x onerror="document.title=`probed`"><script>document.title=`probed`</script>'

/** A site in which every free text is a probe. */
function makeHostileSite(): SmallSite {
  const house = makeSmallSite({ siteName: `Site ${PROBE}` })
  const { buildings, spaces, devices } = house.document
  for (const building of buildings) building['buildingName'] = `Building ${PROBE}`
  for (const space of spaces) {
    space['spaceName'] = `Space ${PROBE}`
    if (space['clusterName'] !== undefined) space['clusterName'] = `Cluster ${PROBE}`
  }
  for (const device of devices)
    for (const field of ['deviceName', 'manufacturer', 'model', 'serialNumber', 'firmwareVersion'])
      device[field] = `Device ${PROBE}`
  return house
}

describe('the pages for operators', { skip: skipWithout(testTools.chromium) }, () => {
  let setup: OperatorConsole
  let pages: string[]
  const house = makeHostileSite()

  before(async () => {
    setup = await startOperatorConsole(`Operator ${PROBE}`)
    const { installation, person } = setup
    const { portico, operator } = installation
    const site = await addMqttSite(installation, house)
    const gateway = await site.connect()
    await gateway.publish(site.topic(house.meter, 'readings'), PROBE)
    await eventually(async () => assert.equal((await rejectedAt(installation)).length, 1))
    const call = async (path: string, token: string, body: JsonObject): Promise<void> => {
      const answer = await api(portico, path, {
        method: 'POST',
        token,
        body,
        headers: { siteid: house.siteUuid },
      })
      assert.ok(answer.status < 300, answer.text)
    }
    await call(`/operator/sites/${house.siteUuid}/gateways`, operator, { name: `Gateway ${PROBE}` })
    const partner = await setup.addPartner({
      name: `Partner ${PROBE}`,
      roles: partnerRoles,
      sites: [house.siteUuid],
    })
    const token = await tokenFor(portico, partner.clientId, partner.clientSecret)
    await call(`/v2/devices/${house.trv}/schedule`, token, {
      type: 'override',
      target: { temperature: 20 },
      durationMinutes: 60,
      clientReference: PROBE,
    })
    await call('/v2/webhooks', token, {
      url: `https://hooks.example.com/?${encodeURIComponent(PROBE)}`,
      description: PROBE,
    })
    pages = [
      '/console/operator',
      '/console/operator/partners',
      '/console/operator/partners/new',
      `/console/operator/partners/${person.partnerUuid}`,
      `/console/operator/partners/${partner.partnerUuid}`,
      '/console/operator/sites',
      '/console/operator/sites/new',
      `/console/operator/sites/${house.siteUuid}`,
      '/console/operator/webhooks',
      '/console/operator/v1',
      '/console/operator/commands',
      '/console/operator/rejected',
      '/console/operator/audit',
      '/console/operator/sessions',
      '/console/operator/keys',
    ]
  })
  after(async () => {
    endDevices()
    await setup.stop()
  })

  for (const width of [320, 1280]) {
    test(`have no accessibility violation and fit ${width} px`, async () => {
      const page = await setup.open('/console/operator/keys', { viewport: { width, height: 900 } })
      for (const path of pages) {
        await visit(page, setup.installation.portico, path)
        await assertAccessible(page)
        await assertFits(page, width)
        await assertShowsCalls(page)
      }
      page.assertNoForeignRequests()
    })
  }

  test('show names that contain markup as text', async () => {
    const page = await setup.open('/console/operator/keys')
    for (const path of pages) {
      await visit(page, setup.installation.portico, path)
      for (const row of await page.locator('main tr button[aria-expanded]').all()) await row.click()
      assert.equal(await page.locator('main img, main script').count(), 0, path)
      assert.notEqual(await page.title(), 'probed', path)
    }
    await visit(page, setup.installation.portico, '/console/operator/sites')
    await page.getByRole('link', { name: `Site ${PROBE}` }).waitFor()
    await visit(page, setup.installation.portico, '/console/operator/rejected')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('tr.detail').getByText('onerror').waitFor()
    page.assertNoForeignRequests()
  })
})

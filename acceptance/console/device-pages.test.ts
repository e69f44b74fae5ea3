import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../pages/browser.ts'
import { makeSmallSite, type SmallSite } from '../support/fixtures/small-site.ts'
import {
  addClient,
  applyInventory,
  type Installation,
  startInstallation,
} from '../support/servers/installation.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { addWebhook, LOOPBACK } from '../support/webhooks/webhooks.ts'
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts'
import {
  assertAccessible,
  assertFits,
  assertShowsCalls,
  type Credentials,
  openConsole,
  visit,
} from './console-page.ts'

/** Runs if it ever becomes an element. */
const PROBE = '<img src=x onerror="document.title=`probed`"><script>document.title=`probed`</script>'

/** A site in which every free text is a probe. */
function makeHostileSite(): SmallSite {
  const house = makeSmallSite({ siteName: `Site ${PROBE}` })
  const { buildings, spaces, devices } = house.document
  for (const building of buildings) building['buildingName'] = `Building ${PROBE}`
  for (const space of spaces) space['spaceName'] = `Space ${PROBE}`
  for (const device of devices)
    for (const field of ['deviceName', 'manufacturer', 'model', 'serialNumber', 'firmwareVersion'])
      device[field] = `Device ${PROBE}`
  return house
}

describe('the pages about devices, events and webhooks', { skip: skipWithout(testTools.chromium) }, () => {
  const house = makeHostileSite()
  let installation: Installation
  let receiver: Receiver
  let browser: Browser
  let credentials: Credentials
  let pages: string[]

  before(async () => {
    installation = await startInstallation(LOOPBACK)
    await applyInventory(installation, house.document)
    // Moves the sensor, so that its story has a move.
    await applyInventory(installation, {
      ...house.document,
      devices: house.document.devices.map((device) =>
        device['deviceUuid'] === house.sensor ? { ...device, spaceUuid: house.studio } : device,
      ),
    })
    const client = await addClient(installation, [house.siteUuid])
    credentials = client.partner
    const body = {
      type: 'override',
      target: { temperature: 20 },
      durationMinutes: 60,
      clientReference: PROBE,
    }
    const answer = await client.post(`/devices/${house.trv}/schedule`, body)
    assert.equal(answer.status, 202, answer.text)
    receiver = await startReceiver({ respond: (_request, response) => void response.end(PROBE) })
    const { webhookUuid } = await addWebhook(client, receiver.url, { description: PROBE })
    browser = await launchBrowser()
    pages = [
      `/console/${house.siteUuid}/devices`,
      `/console/${house.siteUuid}/devices/${house.trv}`,
      `/console/${house.siteUuid}/devices/${house.sensor}`,
      `/console/${house.siteUuid}/events`,
      '/console/webhooks',
      `/console/webhooks/${webhookUuid}`,
    ]
  })
  after(async () => {
    await browser.close()
    await receiver[Symbol.asyncDispose]()
    await installation.stop()
  })

  for (const width of [320, 1280]) {
    test(`are accessible and fit at ${width} px, light and dark`, async () => {
      const options = { viewport: { width, height: 900 }, reducedMotion: 'reduce' } as const
      const page = await openConsole(browser, installation.portico, credentials, '/console', options)
      for (const path of pages) {
        await visit(page, installation.portico, path)
        await assertFits(page, width)
        await assertAccessible(page)
        await assertFits(page, width)
        await assertShowsCalls(page)
        assert.notEqual(await page.title(), 'probed')
      }
      page.assertNoForeignRequests()
      await page.context().close()
    })
  }

  test('show names that contain markup as text, also in what opens', async () => {
    const viewport = { width: 1280, height: 900 }
    const page = await openConsole(browser, installation.portico, credentials, '/console', { viewport })
    const [list = '', trv = '', , events = '', , webhook = ''] = pages
    await visit(page, installation.portico, list)
    assert.equal(
      await page.getByRole('link', { name: `Device ${PROBE}` }).count(),
      house.document.devices.length,
    )

    await visit(page, installation.portico, trv)
    await page.getByRole('heading', { level: 1, name: `Device ${PROBE}` }).waitFor()
    for (const type of ['Boost', 'One-off', 'Weekly plan', 'Resume']) {
      await page.getByRole('radio', { name: type }).press('Space')
      await assertAccessible(page)
    }
    await page.getByRole('button', { name: 'Show', exact: true }).first().click()
    await page.locator('tr.detail pre').waitFor()

    await visit(page, installation.portico, events)
    await page.getByRole('button', { name: 'Show', exact: true }).first().click()
    await page.locator('tr.detail pre').waitFor()
    await assertAccessible(page)

    await visit(page, installation.portico, webhook)
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('region', { name: 'Test', exact: true }).getByText(PROBE).waitFor()
    for (const dialog of ['Change', 'Rotate the secret', 'Remove']) {
      await page.getByRole('button', { name: dialog, exact: true }).click()
      await page.getByRole('dialog').waitFor()
      await assertAccessible(page)
      await page.keyboard.press('Escape')
    }
    assert.notEqual(await page.title(), 'probed')
    page.assertNoForeignRequests()
  })
})

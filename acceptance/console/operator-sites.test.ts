import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeSmallSite } from '../support/fixtures/small-site.ts'
import { asArray, asObject } from '../support/json.ts'
import { applyInventory, exportInventory } from '../support/servers/installation.ts'
import { skipWithout, testTools } from '../support/servers/test-tools.ts'
import { press } from './console-page.ts'
import { type OperatorConsole, parseSettings, startOperatorConsole } from './operator-console.ts'

describe('sites in the console of an operator', { skip: skipWithout(testTools.chromium) }, () => {
  let setup: OperatorConsole
  const house = makeSmallSite({ siteName: 'House' })
  const mill = makeSmallSite({ siteName: 'Mill' })
  before(async () => {
    setup = await startOperatorConsole()
    await applyInventory(setup.installation, house.document)
    await applyInventory(setup.installation, mill.document)
  })
  after(() => setup.stop())

  describe('an inventory', () => {
    test('is downloaded, and uploading it unchanged changes nothing', async () => {
      const page = await setup.open(`/console/operator/sites/${mill.siteUuid}`)
      const download = page.waitForEvent('download')
      await press(page, 'Download as JSON')
      const file = await download
      assert.equal(file.suggestedFilename(), 'mill.json')
      await page.getByLabel('File').setInputFiles(await file.path())
      await press(page, 'Dry run')
      await page.getByText('Nothing would change').waitFor()
    })

    test('is applied after a dry run that lists what changes, and archives only if that is confirmed', async () => {
      const barn = makeSmallSite({ siteName: 'Barn' })
      await applyInventory(setup.installation, barn.document)
      const before = await exportInventory(setup.installation, barn.siteUuid)
      const document = structuredClone(before)
      document.devices = document.devices.filter(({ deviceUuid }) => deviceUuid !== barn.sensor)
      for (const space of document.spaces)
        if (space['spaceUuid'] === barn.studio) space['spaceName'] = 'Renamed studio'
      const page = await setup.open(`/console/operator/sites/${barn.siteUuid}`)
      await page.getByLabel('Or paste the document').fill(JSON.stringify(document))
      await press(page, 'Dry run')
      const plan = page.getByRole('region', { name: 'What would change' })
      await plan.waitFor()
      await plan.getByRole('row', { name: /Renamed studio.*updated/ }).waitFor()
      await plan.getByRole('row', { name: /The multiSensor.*archived/ }).waitFor()
      const apply = plan.getByRole('button', { name: 'Apply 2 changes' })
      assert.equal(await apply.isDisabled(), true)
      assert.deepEqual(await exportInventory(setup.installation, barn.siteUuid), before)
      await plan.getByRole('checkbox').check()
      await apply.click()
      await page.getByText('The inventory is applied.').waitFor()
      assert.deepEqual(await exportInventory(setup.installation, barn.siteUuid), document)
    })

    test('with mistakes is refused with the paths of the fields', async () => {
      const page = await setup.open('/console/operator/sites/new')
      const { document } = makeSmallSite()
      const [space] = document.spaces
      assert.ok(space)
      space['spaceType'] = 'spaceship'
      await page.getByLabel('Or paste the document').fill(JSON.stringify(document))
      await press(page, 'Dry run')
      await page.getByRole('alert').getByText('spaces.0.spaceType', { exact: true }).waitFor()
      await page.getByLabel('Or paste the document').fill('{')
      await page.getByText('This is not JSON').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Dry run', exact: true }).isDisabled(), true)
    })

    test('of a new site adds the site', async () => {
      const page = await setup.open('/console/operator/sites/new')
      const example = await page
        .getByRole('region', { name: 'The smallest inventory' })
        .locator('pre')
        .innerText()
      await page.getByLabel('Or paste the document').fill(example)
      await press(page, 'Dry run')
      await press(page, 'Apply 4 changes')
      await page.getByRole('link', { name: 'Open Example Court' }).click()
      await page.getByRole('heading', { name: 'Example Court', level: 1 }).waitFor()
    })
  })

  test('a gateway is added with credentials that are shown once, and removed', async () => {
    const page = await setup.open(`/console/operator/sites/${house.siteUuid}`)
    await page.getByLabel('Name of the new gateway').fill('Plant room')
    await press(page, 'Add a gateway')
    const dialog = page.getByRole('dialog', { name: 'MQTT credentials of Plant room' })
    const settings = parseSettings(await dialog.locator('pre').innerText())
    const [gateway] = asArray((await setup.read(`/sites/${house.siteUuid}/gateways`))['data']).map(asObject)
    assert.equal(settings.get('MQTT_USERNAME'), gateway?.['mqttUsername'])
    assert.ok((settings.get('MQTT_PASSWORD') ?? '').length > 20)
    assert.match(settings.get('MQTT_URL') ?? '', /^mqtt:/)
    await press(dialog, 'I have stored them')
    await press(page, 'Remove: Plant room')
    await press(page, 'Remove the gateway')
    await page.getByText('The gateway is removed.').waitFor()
    assert.deepEqual((await setup.read(`/sites/${house.siteUuid}/gateways`))['data'], [])
  })
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { plan } from '../support/fixtures/commands.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { makeSmallSite, countRecords } from '../support/fixtures/small-site.ts'
import { addClient, applyInventory, exportInventory } from '../support/servers/installation.ts'
import { asObject } from '../support/json.ts'

const control = await useControl()
const site = await control.addSite()

describe('a time zone is stored, shown and forwarded in the spelling of the IANA database', () => {
  const spellings: [given: string, name: string][] = [
    ['europe/london', 'Europe/London'],
    ['AMERICA/NEW_YORK', 'America/New_York'],
    ['utc', 'UTC'],
    ['etc/gmt+5', 'Etc/GMT+5'],
    ['us/eastern', 'US/Eastern'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['asia/kolkata', 'Asia/Kolkata'],
  ]

  test('in a command', async () => {
    const device = await site.device()
    const client = await site.client()
    for (const [timeZone, name] of spellings) {
      const command = await site.confirmed({ ...plan(), timeZone })
      assert.equal(asObject(command['schedule'])['timeZone'], name)
      const shown = await client.get(`/devices/${site.house.trv}/commands/${getId(command)}`)
      assert.equal(asObject(shown['schedule'])['timeZone'], name)
      const { payload } = await device.gets(getId(command))
      assert.equal(asObject(payload['schedule'])['timeZone'], name)
    }
  })

  test('in an inventory, where another spelling of the same name is not a change', async () => {
    const { installation } = control
    for (const [timeZone, name] of spellings) {
      const { document, siteUuid } = makeSmallSite({ timeZone })
      await applyInventory(installation, document)
      assert.equal((await exportInventory(installation, siteUuid)).site['timeZone'], name)
      const client = await addClient(installation, [siteUuid])
      assert.deepEqual(
        (await client.list('/sites')).map((shown) => shown['timeZone']),
        [name],
      )
      assert.deepEqual((await client.list('/spaces'))[0]?.['timeZone'], name)
      const again = { ...document, site: { ...document.site, timeZone: timeZone.toUpperCase() } }
      const counts = await applyInventory(installation, again)
      assert.equal(counts['unchanged'], countRecords(document))
    }
  })
})

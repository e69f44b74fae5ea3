import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { wrongCommands } from '../support/fixtures/commands.ts'
import { override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { addClient } from '../support/servers/installation.ts'
import type { Answer } from '../support/clients/requests.ts'

const control = await useControl()
const site = await control.addSite()
const other = await control.addSite()
const device = await site.device()
const meter = await site.device(undefined, { deviceUuid: site.house.meter })

test('no command that the API rejects reaches a device', async () => {
  const answers: Answer[] = []
  for (const [, body] of wrongCommands) answers.push(await site.send(body))
  for (const temperature of [-1e9, 4, 6.5, 20.25, 25.5, 26, 1e9])
    answers.push(await site.send(override(temperature)))
  answers.push(await site.send(override(20), site.house.meter))
  answers.push(await site.send('{'))
  answers.push(await site.send(override(20, { clientReference: 'x'.repeat(70_000) })))
  answers.push(await site.send(override(20), site.house.trv, { 'content-type': 'text/plain' }))
  answers.push(await site.send(override(20), site.house.trv, { 'Idempotency-Key': '' }))
  answers.push(await site.send(override(20), randomUUID()))
  answers.push(await site.send(override(20), other.house.trv))
  answers.push(await other.send(override(20), site.house.trv))
  const path = `/devices/${site.house.trv}/schedule`
  const reader = await addClient(control.installation, [site.house.siteUuid], ['Devices.Read', 'Spaces.Read'])
  answers.push(await reader.post(path, override(20)))
  answers.push(await reader.post(path, override(20), { SiteId: other.house.siteUuid }))
  answers.push(await reader.send(path, { method: 'POST', token: 'a.b.c', body: override(20) }))
  for (const { status, text } of answers) assert.ok(status >= 400 && status < 500, `${status} ${text}`)

  // A valid command sent after them is the first message that the device receives.
  const command = await site.confirmed(override(20))
  assert.deepEqual(
    device.ledger.map(({ commandUuid }) => commandUuid),
    [getId(command)],
  )
  assert.deepEqual(meter.ledger, [])
  const client = await site.client()
  assert.deepEqual(await client.list(`/devices/${site.house.meter}/commands`), [])
  assert.equal((await client.list(`/devices/${site.house.trv}/commands`)).length, 1)
})

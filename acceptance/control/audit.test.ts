import assert from 'node:assert/strict'
import { test } from 'node:test'
import { confirms, rejects } from '../support/control/device-behaviours.ts'
import { override } from '../support/control/bodies.ts'
import { useControl } from '../support/control/control-harness.ts'
import { getId } from '../support/control/control-site.ts'
import { eventually } from '../support/eventually.ts'
import { addClient } from '../support/servers/installation.ts'
import { asArray, asObject, type JsonObject, parseJson } from '../support/json.ts'
import { api } from '../support/clients/requests.ts'

const control = await useControl()
const site = await control.addSite()
const device = await site.device()

async function readAudit(command: JsonObject): Promise<string[]> {
  const { operator, portico } = control.installation
  const answer = await api(portico, '/operator/audit?limit=1000', { token: operator })
  assert.equal(answer.status, 200, answer.text)
  const entries = asArray(answer.json['data']).map((entry) => JSON.stringify(asObject(entry)))
  return entries.filter((entry) => entry.includes(getId(command)))
}

/** The entry names the sender (client id, partner id or name), the action, the device and the outcome. */
const assertAudited = (command: JsonObject, type: string, ...results: string[]): Promise<void> =>
  eventually(async () => {
    const entries = await readAudit(command)
    const text = entries.join('\n')
    const { clientId, partnerUuid } = site.partner
    assert.ok(
      entries.some((entry) => [clientId, partnerUuid].some((name) => entry.includes(name))),
      text,
    )
    for (const part of [site.house.trv, type, ...results]) assert.ok(text.includes(part), `${part}: ${text}`)
  })

test('a confirmed command is listed with its sender, content and device', async () => {
  const command = await site.confirmed({ type: 'boost', durationMinutes: 30 })
  await assertAudited(command, 'boost', 'CONFIRMED')
})

test('a failed command is listed with the reason', async () => {
  device.answering = rejects('no heat')
  const command = await site.until(await site.accept(override(20)), 'FAILED', 'DEVICE_REJECTED')
  await assertAudited(command, 'override', 'FAILED', 'DEVICE_REJECTED')
})

test('a cancelled and a superseded command are listed', async () => {
  await device.present('offline')
  const superseded = await site.accept(override(20))
  const command = await site.accept(override(21))
  assert.equal((await site.cancel(command)).status, 200)
  await assertAudited(superseded, 'override', 'CANCELLED', 'SUPERSEDED')
  await assertAudited(command, 'override', 'CANCELLED', 'REQUESTED')
  await device.present('online')
})

test('a command cancelled by another partner of the site is listed with that partner as the actor', async () => {
  await device.present('offline')
  const command = await site.accept(override(20))
  const other = await addClient(control.installation, [site.house.siteUuid])
  const path = `/devices/${site.house.trv}/commands/${getId(command)}`
  assert.equal((await other.send(path, { method: 'DELETE' })).status, 200)
  const entries = (await readAudit(command)).map((entry) => asObject(parseJson(entry)))
  const actorIn = (action: string): JsonObject =>
    asObject(entries.find((entry) => entry['action'] === action)?.['actor'])
  assert.equal(actorIn('command.accepted')['id'], site.partner.partnerUuid)
  assert.deepEqual(
    [actorIn('command.cancelled')['kind'], actorIn('command.cancelled')['id']],
    ['partner', other.partner.partnerUuid],
  )
  await device.present('online')
})

test('a rejected request is not listed', async () => {
  device.answering = confirms
  const { operator, portico } = control.installation
  const count = async (): Promise<number> => {
    const answer = await api(portico, '/operator/audit?limit=1000', { token: operator })
    return asArray(answer.json['data']).length
  }
  const before = await count()
  assert.equal((await site.send(override(99))).status, 400)
  assert.equal((await site.send(override(20), site.house.meter)).status, 409)
  assert.equal(await count(), before)
})

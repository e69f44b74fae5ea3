import assert from 'node:assert/strict'
import { eventually } from '../eventually.ts'
import type { SmallSite } from '../fixtures/small-site.ts'
import { addClient, applyInventory } from '../servers/installation.ts'
import { asString, type JsonObject } from '../json.ts'
import type { Account } from '../clients/mqtt.ts'
import { addGateway } from '../fixtures/mqtt-site.ts'
import type { NewPartner } from '../clients/operator.ts'
import type { Answer } from '../clients/requests.ts'
import type { V2Client } from '../clients/v2-client.ts'
import type { DeviceBehaviour } from './device-behaviours.ts'
import type { ControlHarness } from './control-harness.ts'
import { connectRecordingDevice, type DeviceOptions, type RecordingDevice } from './recording-device.ts'

/** A site with a gateway account and a partner with all roles. The device defaults to the radiator valve. */
export interface ControlSite {
  house: SmallSite
  gatewayUuid: string
  account: Account
  partner: NewPartner
  topic(unit: string, kind: string): string
  client(): Promise<V2Client>
  /** Connects a device of the site, which is then online; by default it confirms every command. */
  device(answering?: DeviceBehaviour, options?: Partial<DeviceOptions>): Promise<RecordingDevice>
  send(body: unknown, deviceUuid?: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends a command that must be accepted; returns it. */
  accept(body: JsonObject, deviceUuid?: string): Promise<JsonObject>
  /** The command's current state. */
  command(command: JsonObject): Promise<JsonObject>
  cancel(command: JsonObject): Promise<Answer>
  /** Waits until the command is in this state, with this failure code if given. */
  until(command: JsonObject, state: string, code?: string): Promise<JsonObject>
  /** Sends a command and waits until the device has confirmed it. */
  confirmed(body: JsonObject, deviceUuid?: string): Promise<JsonObject>
  schedule(deviceUuid?: string): Promise<JsonObject>
}

export const getId = (command: JsonObject): string => asString(command['commandUuid'])
const toPath = (command: JsonObject): string =>
  `/devices/${asString(command['deviceUuid'])}/commands/${getId(command)}`

export async function addControlSite(control: ControlHarness, house: SmallSite): Promise<ControlSite> {
  await applyInventory(control.installation, house.document)
  const { gatewayUuid, ...account } = await addGateway(control.installation, house.siteUuid)
  const { partner } = await addClient(control.installation, [house.siteUuid])
  const site: ControlSite = {
    house,
    gatewayUuid,
    account,
    partner,
    topic: (unit, kind) => `portico/v1/${house.siteUuid}/${unit}/${kind}`,
    client: () => control.createClient(partner, house.siteUuid),
    device: (answering, options = {}) =>
      connectRecordingDevice({
        url: control.mqttUrl,
        account,
        siteUuid: house.siteUuid,
        deviceUuid: house.trv,
        now: control.clock.now,
        ...(answering === undefined ? {} : { answering }),
        ...options,
      }),
    send: async (body, deviceUuid = house.trv, headers = {}) =>
      (await site.client()).post(`/devices/${deviceUuid}/schedule`, body, headers),
    async accept(body, deviceUuid) {
      const answer = await site.send(body, deviceUuid)
      assert.equal(answer.status, 202, `${JSON.stringify(body)}: ${answer.text}`)
      return answer.json
    },
    command: async (command) => (await site.client()).get(toPath(command)),
    cancel: async (command) => (await site.client()).send(toPath(command), { method: 'DELETE' }),
    until: (command, state, code) =>
      eventually(async () => {
        const now = await site.command(command)
        const reason = (now['failureReason'] ?? {}) as JsonObject
        assert.deepEqual([now['state'], reason['code']], [state, code], JSON.stringify(now))
        return now
      }),
    confirmed: async (body, deviceUuid) => site.until(await site.accept(body, deviceUuid), 'CONFIRMED'),
    schedule: async (deviceUuid = house.trv) => (await site.client()).get(`/devices/${deviceUuid}/schedule`),
  }
  return site
}

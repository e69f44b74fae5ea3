import { connectGateway, type Gateway } from './gateway.ts'
import { startInstallation } from './installation.ts'
import { createCaller, type Answer, type Caller } from './load.ts'
import { makeValveSite } from './valves.ts'

/** A server with a site of valves, a partner that controls them and an account for their gateway. */
export interface ControlledSite {
  caller: Caller
  /** Devices in turn. */
  deviceAt(index: number): string
  /** What must be accepted; with the command's id. */
  send(deviceUuid: string, schedule: object): Promise<Answer & { commandUuid: string }>
  connectGateway(): Promise<Gateway>
  stop(): Promise<void>
}

export async function startControlledSite(
  folder: string,
  deviceCount: number,
  outsideBroker?: string,
): Promise<ControlledSite> {
  const site = makeValveSite(deviceCount)
  const { siteUuid, deviceUuids } = site
  const installation = await startInstallation(folder, outsideBroker)
  await installation.applyInventory(site.document)
  const account = await installation.addGateway(siteUuid)
  const caller = createCaller(installation.url, await installation.addPartner(siteUuid), siteUuid)
  const gateways: Gateway[] = []
  return {
    caller,
    deviceAt: (index) => deviceUuids[index % deviceCount] ?? '',
    async send(deviceUuid, schedule) {
      const answer = await caller.call('POST', `/v2/devices/${deviceUuid}/schedule`, 202, schedule)
      const { commandUuid } = JSON.parse(answer.text) as { commandUuid: string }
      return { ...answer, commandUuid }
    },
    async connectGateway() {
      const gateway = await connectGateway(installation.mqttUrl, account, site)
      gateways.push(gateway)
      return gateway
    },
    async stop() {
      for (const gateway of gateways) await gateway.end()
      caller.close()
      await installation.stop()
    },
  }
}
